"""Who files what, who decides, what was signed."""
