"""API resources of `submissions.bulk`."""
