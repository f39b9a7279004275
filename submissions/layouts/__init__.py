"""Layouts, signs and guides: what the options call for, what a drawing shows, and what the portal draws itself.

Nothing here asks the database: `required` derives from chapter and answers, `drawing` is what was read from a file,
`inspection` holds the one against the other, `table`, `sign` and `guide` draw.
"""
