"""Checking signed documents and the signed checkpoints of the history."""
