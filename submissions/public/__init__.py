"""The content that people look for and take away: search, exports, lists, filters, the Board's workload, open data."""
