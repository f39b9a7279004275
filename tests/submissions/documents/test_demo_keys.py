"""The keys of a demonstration may have been made after the months that its history tells of."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import time_machine
from django.utils import timezone

from submissions.documents.signed_pdf import sign_pdf
from submissions.documents.signing_keys import demo_seal
from submissions.documents.verify import verify
from tests.submissions.signed_documents import Example


def test_history_that_is_earlier_than_the_keys_is_signed_with_them(example: Example, key_folder: Path) -> None:
    seal = demo_seal(key_folder)
    with time_machine.travel(timezone.now() - timedelta(days=180)):
        signed = sign_pdf(example.rendered.content, "Evidence", example.record["approved"]["by"], seal)
    assert verify(signed, seal.roots, [seal.sha256]).good
