"""The table lists of the casinos."""
