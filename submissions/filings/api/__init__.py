"""API of filings: chapters, judgments, submissions, revisions, approved versions."""
