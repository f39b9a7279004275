"""The Board's review: comments, threads, decisions, and the task list of each person."""
