"""Pages of `submissions.notifications`."""
