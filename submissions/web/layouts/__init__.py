"""Pages of `submissions.layouts`."""
