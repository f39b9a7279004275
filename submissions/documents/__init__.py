"""Frozen snapshot → PDF → signature → verification.

`document_record` is the content, `context` (with `context_evidence`) the template's context, `submission_document` the
PDF, printed by `weasyprint_pdf`, and the job that signs it once for an approved revision. `signed_pdf` seals a PDF with
the keys of `signing_keys`, under the conditions of `seal_conditions`; `seal_certificate` has the rules for certificates
that may be a seal. `verify` checks any file; `verification` compares files with the stored documents. `checkpoints` are
those of the history.
"""
