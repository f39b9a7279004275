"""Frozen snapshot → PDF → signature → verification.

`document_record` is the content, `context` the template's context, `submission_document` the PDF and its job;
`signed_pdf` seals it; `verify` checks any file, `verification` compares it with the stored documents.
"""
