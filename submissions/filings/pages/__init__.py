"""Pages of filings: games, drafts and their checklists, one submission, approved versions."""
