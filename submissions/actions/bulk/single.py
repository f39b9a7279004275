"""An item alone, as a program sends it without a batch: read and done as within one.

What anybody may do by themselves is done at once; a step that a named person takes becomes a batch of one, and waits.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from submissions.actions.bulk.doing import Doer, Done, do
from submissions.actions.bulk.shapes import read
from submissions.actions.bulk.taking import Parcel, refuse_unkept, take_in
from submissions.models import Batch, Credential


def at_once(credential: Credential, given: Mapping[str, Any]) -> Done:
    """Do it, in the caller's transaction: an item that is refused half-way leaves nothing behind."""
    refuse_unkept(given)
    sent = read(given)
    return do(Doer(credential.seat), sent, sent.text("submission"))


def for_signature(credential: Credential, given: Mapping[str, Any]) -> Batch:
    """The batch that a named person confirms."""
    read(given)
    digest = sha256(json.dumps(given, sort_keys=True).encode()).hexdigest()
    parcel = Parcel([given], "json", digest)
    return take_in(credential.seat, parcel, mode=Batch.Mode.LIVE, together=False, credential=credential)
