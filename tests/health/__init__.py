"""Rules about the code itself, kept by tests rather than by memory."""
