"""Who is notified of an event: notices, email, webhooks."""
