"""Pages of the review: the first page with its task list, decisions, equal filings, calendar, workload."""
