"""What every other package uses: errors, canonical JSON, text and table rules, isolated processes. No database."""
