"""Who was asked to join an organisation. The link's secret is not kept, only its digest."""

from __future__ import annotations

from django.db import models

from submissions.models.organisation import Organisation, Person, Role


class Invitation(models.Model):
    """Open until it is accepted, taken back or `expires_at`."""

    organisation = models.ForeignKey(Organisation, models.PROTECT, related_name="invitations")
    email = models.EmailField()
    name = models.CharField(max_length=120)
    role = models.CharField(max_length=24, choices=Role)
    administrator = models.BooleanField(default=False)
    secret_sha256 = models.CharField(max_length=64, unique=True)
    by = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")  # null = the operator
    at = models.DateTimeField()
    expires_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)
    accepted_by = models.OneToOneField(Person, models.PROTECT, null=True, related_name="invitation")

    class Meta:
        ordering = ("-pk",)
