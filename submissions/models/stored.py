"""Bytes that were given to the portal or made by it, addressed by their SHA-256.

They live in the database: written in the same transaction as what refers to them, and there for every
worker on every machine. Rows are never changed and never deleted (see `append_only`).
"""

from __future__ import annotations

import hashlib

from django.db import models


class StoredFile(models.Model):
    sha256 = models.CharField(max_length=64, primary_key=True)
    media_type = models.CharField(max_length=100)
    size = models.PositiveBigIntegerField()
    content = models.BinaryField()
    stored_at = models.DateTimeField(auto_now_add=True)

    @classmethod
    def keep(cls, content: bytes, media_type: str) -> StoredFile:
        """The row of these bytes, made if it is not there yet."""
        stored, _ = cls.objects.get_or_create(
            sha256=hashlib.sha256(content).hexdigest(),
            defaults={"media_type": media_type, "size": len(content), "content": content},
        )
        return stored
