"""Pages of `submissions.bulk`."""
