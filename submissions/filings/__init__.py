"""Filings, from a draft to a version in effect: answers, review, orders, tables, evidence; with pages and API."""
