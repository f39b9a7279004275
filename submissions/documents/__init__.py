"""Frozen snapshot → PDF → signature → verification.

`document_record` is the content, `context` (with `context_*`) the template's context, `render` the PDF, printed by
`weasyprint_pdf`. `signed_pdf` seals it with the keys of `signing_keys`, `verify` checks any file. `signing_job` does
all of it once for an approved revision. `seal_certificate` says which certificates may be a seal, `seal_register` which
ones this portal signs with.
"""
