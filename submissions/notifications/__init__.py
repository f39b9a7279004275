"""Notification of people about events: notices, email, webhooks."""
