"""What the operators watch: checks, figures, reports of processes, alerts. Pages and addresses are in `web`."""
