"""The base of all other packages: errors, canonical JSON, text and table rules, isolated processes. No database."""
