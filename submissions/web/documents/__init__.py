"""Pages of `submissions.documents`."""
