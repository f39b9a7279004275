"""API keys of a licensee's or the Board's systems, and the answers to their calls with an Idempotency-Key.

Only the digest of a secret is stored; of a client that signs in with its own key, the public key. Keys are issued,
rotated and revoked by `accounts.api_credentials`; permissions are in `permissions.credentials`, keyed calls in
`jobs.idempotency`.
"""

from django.db import models

from submissions.models.organization import Organization, Person


class Scope(models.TextChoices):
    READ = "read", "Read"
    PREPARE = "prepare", "Prepare"
    FILE = "file", "File"
    REVIEW = "review", "Review"


SCOPES_OF: dict[str, tuple[Scope, ...]] = {
    Organization.Kind.LICENSEE: (Scope.READ, Scope.PREPARE, Scope.FILE),
    Organization.Kind.REGULATOR: (Scope.READ, Scope.REVIEW),
}


class Credential(models.Model):
    """Good from `made_at` to `expires_at`, unless revoked; once replaced by another one, until `overlap_until`."""

    organization = models.ForeignKey(
        Organization, models.PROTECT, db_column="organisation_id", related_name="credentials"
    )
    name = models.CharField(max_length=80)
    scopes = models.JSONField(default=list)  # of `Scope`, in its order
    live = models.BooleanField()  # a test credential reaches the organization's sandbox, and nothing live
    prefix = models.CharField(max_length=12, unique=True)  # its name in lists and in the history
    secret_sha256 = models.CharField(max_length=64)  # "" for a client with a public key
    public_key = models.JSONField(null=True)  # JWK (RFC 7517) that verifies the client's assertions
    networks = models.JSONField(default=list)  # CIDR; empty = from everywhere
    # The actor of its calls.
    service_account = models.ForeignKey(Person, models.PROTECT, db_column="seat_id", related_name="credentials")
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")  # who made it
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)  # to the minute
    replaced_by = models.OneToOneField("self", models.PROTECT, null=True, related_name="replaces")
    overlap_until = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.name} ({self.key_id})"

    @property
    def key_id(self) -> str:
        """The part that may be displayed: "rsp_live_3f9a02c417de"."""
        return f"rsp_{'live' if self.live else 'test'}_{self.prefix}"


class UsedAssertion(models.Model):
    """An assertion that got an access token: it is good once (RFC 7523, section 3). Deleted when it has expired."""

    credential = models.ForeignKey(Credential, models.CASCADE, related_name="+")
    jti_sha256 = models.CharField(max_length=64)
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("credential", "jti_sha256"), name="one_use_per_assertion"),)


class KeyedCall(models.Model):
    """A call with an Idempotency-Key: sent again, it gets the same answer. Or a form that may be sent only once.

    In progress from `begun_at` until it is answered; the answer is stored in the transaction of its effect.
    """

    service_account = models.ForeignKey(Person, models.PROTECT, db_column="seat_id", related_name="+")
    key = models.CharField(max_length=255)
    request_sha256 = models.CharField(max_length=64)  # of method, address and body
    holder = models.CharField(max_length=32)  # token of the process that answers it; replaced when that process died
    begun_at = models.DateTimeField()
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.TextField(blank=True)  # the body, encrypted
    headers = models.JSONField(default=dict)  # those that belong to the answer: Location
    answered_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("service_account", "key"), name="one_call_per_key"),)
        indexes = (models.Index(fields=("begun_at",), name="keyed_calls_by_age"),)
