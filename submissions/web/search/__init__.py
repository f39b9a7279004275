"""Pages of `submissions.search`."""
