"""Pages of `submissions.filings`."""
