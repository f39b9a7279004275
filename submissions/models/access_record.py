"""The security log: who signed in, was refused, exported or downloaded, from where, when, and with what outcome.

Rows are never changed, and deleted only when they are old (see `append_only`). They are written by
`security_log.records`; an event of each day seals them (`security_log.daily_seals`).
"""

from django.db import models

from submissions.models.organization import Organization, Person


class AccessRecord(models.Model):
    """One line of the security log (NIST SP 800-53 AU-3): what, when, where, source, outcome, identity."""

    class Kind(models.TextChoices):
        SIGN_IN = "sign-in", "Signed in"
        SIGN_IN_FAILED = "sign-in-failed", "Sign-in failed"
        SIGN_OUT = "sign-out", "Signed out"
        SESSION_ENDED = "session-ended", "Session ended"
        FACTOR_ADDED = "factor-added", "Second factor added"
        FACTOR_REMOVED = "factor-removed", "Second factor removed"
        PASSPHRASE_CHANGED = "passphrase-changed", "Passphrase changed"
        RESET_REQUESTED = "passphrase-reset-requested", "Passphrase reset requested"
        PASSPHRASE_RESET = "passphrase-reset", "Passphrase reset"
        CODES_SHOWN = "recovery-codes-shown", "Recovery codes shown"
        CODES_MADE = "recovery-codes-made", "Recovery codes made"
        CODE_USED = "recovery-code-used", "Recovery code used"
        CONFIRMED = "confirmed", "Identity confirmed"
        CONFIRMATION_FAILED = "confirmation-failed", "Confirmation failed"
        KEY_REFUSED = "key-refused", "API key refused"
        ACCESS_DENIED = "access-denied", "Access denied"
        EXPORT = "export", "Export"
        DOWNLOAD = "download", "Download"

    class Outcome(models.TextChoices):
        SUCCESS = "success", "Success"
        FAILURE = "failure", "Failure"

    reference = models.CharField(max_length=32, unique=True)  # random: no row can be copied
    at = models.DateTimeField(db_index=True)
    kind = models.CharField(max_length=32, choices=Kind)
    outcome = models.CharField(max_length=8, choices=Outcome)
    reason = models.CharField(max_length=60, blank=True)  # of a failure: a code
    count = models.PositiveBigIntegerField(default=1)  # of one row for many failures
    person = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")
    organization = models.ForeignKey(Organization, models.PROTECT, null=True, related_name="+")
    credential = models.CharField(max_length=24, blank=True)  # the part of an API key that may be displayed
    account_digest = models.CharField(max_length=64, blank=True)  # of the account entered, by a key
    account_masked = models.CharField(max_length=260, blank=True)
    address = models.CharField(max_length=64, blank=True)  # the caller's network address
    address_order = models.CharField(max_length=32, blank=True)  # as IPv6 in hexadecimal: networks are ranges of it
    agent = models.CharField(max_length=200, blank=True)  # what the browser or program calls itself
    session = models.CharField(max_length=64, blank=True)  # digest of its key
    request_id = models.CharField(max_length=64, blank=True)
    object_reference = models.CharField(max_length=200, blank=True)
    details = models.JSONField(default=dict)  # text and whole numbers
    mac = models.CharField(max_length=64)  # of the row, by a key that is not in the database

    class Meta:
        ordering = ("-pk",)
        indexes = (
            models.Index(fields=("organization", "id"), name="access_of_organization"),
            models.Index(fields=("person", "id"), name="access_of_person"),
        )


class FailureCount(models.Model):
    """How often something failed in one minute, from one address or from all: a flood becomes one row."""

    key = models.CharField(max_length=130, unique=True)  # kind, minute and address
    kind = models.CharField(max_length=32, choices=AccessRecord.Kind)
    address = models.CharField(max_length=64, blank=True)  # "" for all together
    minute = models.DateTimeField(db_index=True)
    count = models.PositiveBigIntegerField(default=0)
    unrecorded = models.PositiveBigIntegerField(default=0)  # without a row of their own
