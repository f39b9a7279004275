"""The Board's review: comments, threads, decisions, assignments, and the task list of each person."""
