"""Operation of the portal: checks, figures, reports of processes, alerts. Pages and addresses are in `web`."""
