"""Drawings from files: what is read, and what is refused."""
