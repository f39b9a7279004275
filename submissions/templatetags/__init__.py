"""Words that templates need; the work is done in `submissions.web.present`."""
