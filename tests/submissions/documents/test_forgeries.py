"""A sealed document that was changed is refused: by the full verification, and by its bytes alone.

The suite tries every structural attack and some changes of a single bit, `make soak` 500 of these.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
from pyhanko.pdf_utils.reader import PdfFileReader

from submissions.documents import signing_keys
from submissions.documents.signed_pdf import sign_pdf
from submissions.documents.verification import by_digest
from submissions.documents.verify import verify
from submissions.models import Document
from tests.soak import SOAK
from tests.submissions.documents.structural_attacks import attacks
from tests.submissions.signed_documents import Example

pytestmark = pytest.mark.xdist_group("forgeries")

FLIPS = 500 if SOAK else 14


@pytest.fixture(scope="module")
def forged(example: Example, key_folder: Path) -> dict[str, bytes]:
    keys = signing_keys.demo_seal(key_folder)
    another = sign_pdf(example.rendered.content, "Another document", {"name": "Director Two", "role": "Director"}, keys)
    return attacks(example.signed, another, keys)


def flips(content: bytes) -> Iterator[tuple[int, bytes]]:
    """Changes of one bit, by their place: ten chosen ones, then at random, half of them where no signature covers."""
    seal, timestamp = PdfFileReader(BytesIO(content)).embedded_signatures
    start, end = int(timestamp.byte_range[1]), int(timestamp.byte_range[2])  # the last container
    places = [0, len(content) - 1, content.rindex(b"startxref") + 12, int(seal.byte_range[1]) + 40]
    places += [start, start + 2, start + 1800, end - 100, end - 1, end + 5]
    dice = random.Random(687)
    while len(places) < FLIPS:
        places += [dice.randrange(len(content)), dice.randrange(start, end)]
    for place in places[:FLIPS]:
        changed = bytearray(content)
        changed[place] ^= 1 << dice.randrange(8)
        yield place, bytes(changed)


@pytest.mark.slow
def test_every_structural_attack_is_refused_with_its_reason(example: Example, forged: dict[str, bytes]) -> None:
    assert verify(example.signed, example.roots, example.seals).good
    verified = {name: verify(content, example.roots, example.seals) for name, content in forged.items()}
    assert [name for name, verification in verified.items() if verification.good] == []
    assert [name for name, verification in verified.items() if not verification.problems] == []
    assert len(set(forged.values()) - {example.signed}) == len(forged) >= 20


def test_changed_bytes_are_refused_by_the_seal_alone(example: Example) -> None:
    """Without the stored file to compare with."""
    tried = list(flips(example.signed))
    unnoticed = [place for place, changed in tried if verify(changed, example.roots, example.seals).good]
    assert (len(tried), unnoticed) == (FLIPS, [])


def test_no_changed_file_is_a_document_of_the_portal(
    document: Document, signed: bytes, forged: dict[str, bytes]
) -> None:
    assert by_digest(sha256(signed).hexdigest()) == document
    changed = [*forged.values(), *(content for _, content in flips(signed))]
    assert [found for content in changed if (found := by_digest(sha256(content).hexdigest()))] == []
    assert len(changed) == len(forged) + FLIPS
