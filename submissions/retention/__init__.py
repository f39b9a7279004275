"""What is deleted after its time, by stated rules, and the legal holds that prevent it."""
