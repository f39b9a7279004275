"""The certificates that sealed this portal's documents, and the verifications of documents in the background."""

from django.db import models

from submissions.models.filings import StoredFile


class SealCertificate(models.Model):
    """A certificate that signs from `introduced_at` on, until a newer row. One that returns gets another row."""

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


class FileVerification(models.Model):
    """A PDF that the portal does not know, in the queue of a worker, and afterwards its result for a day.

    `content` is deleted as soon as there is a result. `caller`: a keyed digest of the caller's network, never its
    address. `key` is the address of the result: anyone who has it can open the page.
    """

    key = models.CharField(max_length=43, unique=True)
    name = models.CharField(max_length=200)  # as uploaded, cleaned
    sha256 = models.CharField(max_length=64, db_index=True)
    size = models.PositiveBigIntegerField()
    content = models.BinaryField(null=True)
    caller = models.CharField(max_length=64)
    result = models.JSONField(null=True)  # `documents.verification`
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, db_index=True)

    class Meta:
        ordering = ("pk",)


class Reverification(models.Model):
    """The newest verification of a signed document after the one that was made when it was sealed."""

    stored = models.OneToOneField(StoredFile, models.PROTECT, related_name="reverification")
    verification = models.JSONField(null=True)  # None until the first is made
    verifier = models.CharField(max_length=64, blank=True)  # digest of the trusted certificates and of the program
    verified_at = models.DateTimeField(null=True)
    requested_at = models.DateTimeField()
