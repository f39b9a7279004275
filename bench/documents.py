"""Seconds to lay out, seal and verify a Rules Submission of realistic size (chapter 687a, every wager offered)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import django

from bench.timing import seconds

TITLE = "Seconds for one document"


def rows() -> Iterator[tuple[str, str]]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
    os.environ.setdefault("PORTAL_LOG", "ERROR")
    django.setup()
    from submissions.documents import signing_keys
    from submissions.documents.render import render
    from submissions.documents.signed_pdf import sign_pdf
    from submissions.documents.verify import verify
    from tests.submissions.documents import sample

    record = sample.record()
    rendered = render(record)
    with tempfile.TemporaryDirectory() as folder:
        seal = signing_keys.demo_seal(Path(folder) / "keys")
    parts = (f"Rules Submission {record['snapshot']['receipt']}", record["approved"]["by"], seal)
    signed = sign_pdf(rendered.content, *parts)
    yield f"render, {rendered.pages} pages, PDF/A-3a", f"{seconds(lambda: render(record)):.2f} s"
    yield "sign, PAdES B-LTA", f"{seconds(lambda: sign_pdf(rendered.content, *parts)):.2f} s"
    yield (
        "verify, with every later change analysed",
        f"{seconds(lambda: verify(signed, seal.roots, [seal.sha256])):.2f} s",
    )
