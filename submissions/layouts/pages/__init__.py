"""Pages of layout filings."""
