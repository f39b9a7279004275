"""The public log: an entry for each event, the full tiles of its Merkle tree, and its signed checkpoints.

Rows are never changed (see `append_only`). They are written by `transparency.publishing`.
"""

from django.db import models


class LogEntry(models.Model):
    """The entry of an event: public is only the SHA-256 of its statement, which contains a salted digest."""

    sequence = models.PositiveBigIntegerField(primary_key=True)  # of the event; its leaf has the index sequence - 1
    salt = models.CharField(max_length=64)  # 32 random bytes, in hexadecimal
    entry = models.CharField(max_length=64)  # 32 bytes, in hexadecimal

    class Meta:
        ordering = ("sequence",)


class LogTile(models.Model):
    """256 hashes of the tree, which never change: `transparency.tiles`."""

    level = models.PositiveSmallIntegerField()
    index = models.PositiveBigIntegerField()
    hashes = models.BinaryField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("level", "index"), name="one_tile_per_place"),)


class LogCheckpoint(models.Model):
    """The signed statement of the tree's size and root."""

    size = models.PositiveBigIntegerField(primary_key=True)
    root = models.CharField(max_length=64)
    note = models.TextField()
    made_at = models.DateTimeField()

    class Meta:
        ordering = ("size",)
