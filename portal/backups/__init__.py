"""Backups: one encrypted file of the database and of the files in `PORTAL_VAR`, and the portal restored from it."""
