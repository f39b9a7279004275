"""What people look for and take away: search, exports, lists and their filters, the Board's workload, and open data."""
