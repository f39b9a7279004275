"""From a draft to a version in effect: answers, filing, review, orders, tables, evidence; with their pages and API."""
