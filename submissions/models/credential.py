"""What a licensee's or the Board's own systems call the portal with. The secret is not kept, only its digest.

How a credential is made, rotated and revoked is `actions.credentials`; what it may reach is `access.programs`.
"""

from __future__ import annotations

from django.db import models

from submissions.models.organisation import Organisation, Person


class Scope(models.TextChoices):
    READ = "read", "Read"
    PREPARE = "prepare", "Prepare"
    FILE = "file", "File"
    REVIEW = "review", "Review"


SCOPES_OF = {
    Organisation.Kind.LICENSEE: (Scope.READ, Scope.PREPARE, Scope.FILE),
    Organisation.Kind.REGULATOR: (Scope.READ, Scope.REVIEW),
}


class Credential(models.Model):
    """Good from `made_at` to `expires_at`, unless revoked; once replaced by another one, until `overlap_until`."""

    organisation = models.ForeignKey(Organisation, models.PROTECT, related_name="credentials")
    name = models.CharField(max_length=80)
    scopes = models.JSONField(default=list)  # of `Scope`, in its order
    live = models.BooleanField()  # a test credential reaches the organisation's sandbox, and nothing live
    prefix = models.CharField(max_length=12, unique=True)  # what it is called by, in lists and in the history
    secret_sha256 = models.CharField(max_length=64)
    networks = models.JSONField(default=list)  # CIDR; empty = from everywhere
    seat = models.ForeignKey(Person, models.PROTECT, related_name="credentials")  # whom its calls are done by
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
        return f"{self.name} ({self.shown})"

    @property
    def shown(self) -> str:
        """What may be shown of it: "rsp_live_3f9a02c417de"."""
        return f"rsp_{'live' if self.live else 'test'}_{self.prefix}"
