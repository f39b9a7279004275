"""Frozen snapshot → PDF → signature → verification.

`record` says what is on paper, `present` words it, `render` lays it out, `printing` makes the reproducible PDF,
`field` gives it an empty signature field, `keys` and `sign` seal it, `sealing` keeps only what verifies, `verify`
judges any file, `examine` compares it with what is stored, `about` and `standing` tell what it is and whether it
holds. `produce` and `papers` are the jobs that do it all once, `draft` prints what is not approved yet.
"""
