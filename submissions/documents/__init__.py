"""Frozen snapshot → PDF → signature → verification.

`record` says what is on paper, `present` words it, `render` makes the reproducible PDF, `field` gives it an
empty signature field, `keys` and `sign` seal it, `verify` judges any file, `examine` compares it with what is
stored, `produce` is the job that does it all once, `draft` prints what is not approved yet.
"""
