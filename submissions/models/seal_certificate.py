"""The certificates that sealed documents and checkpoints of this portal, in the order in which they were introduced.

Rows are never changed (see `append_only`); `documents.seal_register` writes each with its event.
"""

from django.db import models


class SealCertificate(models.Model):
    """The portal signs with the newest row's certificate from `introduced_at` on. One that returns gets another row."""

    sha256 = models.CharField(max_length=64, db_index=True)  # of the whole certificate (DER)
    subject = models.TextField()
    pem = models.TextField()
    valid_from = models.DateTimeField()  # as the certificate states
    valid_until = models.DateTimeField()
    introduced_at = models.DateTimeField()

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return self.sha256
