"""Bulk updates: up to 5,000 items by a program or from a spreadsheet, each with its own answer.

`shapes` says what an item is, `doing` what each kind does, `taking` how a batch comes in and is confirmed, `running`
how a worker checks it and carries it out. Whether an item may be done is asked by the action itself, as everywhere.
"""
