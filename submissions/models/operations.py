"""What the operators see: when each background process last reported, and what they were alerted to.

Both can be made again and are not sealed. Not here: limits and sentences (`submissions.operations`).
"""

from django.db import models


class ProcessReport(models.Model):
    """The last report of a sweeper or a worker on one machine; `stopped`: it ended as it was asked to."""

    process = models.CharField(max_length=40)  # "sweeper", or the name of a worker
    host = models.CharField(max_length=120)
    at = models.DateTimeField()
    stopped = models.BooleanField(default=False)

    class Meta:
        ordering = ("process", "host")
        constraints = (models.UniqueConstraint(fields=("process", "host"), name="one_report_of_a_process"),)


class Alert(models.Model):
    """Something that needs an operator; `key` names the occurrence, so that each is reported once."""

    class Kind(models.TextChoices):
        JOB = "job", "Job that stopped"
        SWEEP = "sweep", "Sweeper late"
        CHECKPOINT = "checkpoint", "Checkpoint late"
        CERTIFICATE = "certificate", "Certificate near its end"
        CLOCK = "clock", "Wrong clock of a machine"

    kind = models.CharField(max_length=12, choices=Kind)
    key = models.CharField(max_length=120)
    message = models.TextField()
    at = models.DateTimeField()
    mailed_at = models.DateTimeField(null=True)  # to the address of the settings

    class Meta:
        ordering = ("-pk",)
        constraints = (models.UniqueConstraint(fields=("kind", "key"), name="one_alert_of_an_occurrence"),)
