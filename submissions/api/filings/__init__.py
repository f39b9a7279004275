"""API resources of `submissions.filings`."""
