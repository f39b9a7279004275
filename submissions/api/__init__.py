"""The interface for programs, under `/api/v1/`: the same queries, actions and words as the pages (`submissions.web`).

What the addresses have in common is `framework`; the rest has a module for each kind of thing.
"""
