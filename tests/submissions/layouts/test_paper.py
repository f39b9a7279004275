"""What layout, sign and guide have in common: room for the seal and the record, or the mark of a draft."""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO

import pikepdf
import pytest

from games.registry import chapter
from submissions.documents.context import qr
from submissions.layouts.paper_content import guide_content, payout_sign_content
from submissions.layouts.paper_pdf import PaperSheet
from tests.games.chapters.examples import example
from tests.submissions.layouts.papers import DRAFT, FILED, MAKERS, example_paper, words, words_of_html

GAME = "682a"


@pytest.mark.parametrize("part", MAKERS)
def test_approved_paper_has_an_empty_field_on_its_first_page_and_its_record(part: str) -> None:
    pdf = pikepdf.open(BytesIO(example_paper(part, GAME, FILED).content))
    (field,) = pdf.Root.AcroForm.Fields
    assert "/V" not in field
    left, bottom, right, top = (float(value) for value in field.Rect)
    _, _, width, height = (float(side) for side in pdf.pages[0].mediabox)
    assert width / 2 < left < right < width
    assert 0 < bottom < top < height / 8
    assert [number for number, page in enumerate(pdf.pages) if "/Annots" in page] == [0]
    assert list(pdf.attachments) == [f"LF-2026-00001-R1-{part}.json"]
    told = json.loads(pdf.attachments[f"LF-2026-00001-R1-{part}.json"].get_file().read_bytes())
    assert told == {
        "format": 1,
        "part": part,
        "chapter": {"number": GAME, "title": "Four Card Prime"},
        "licensee": "Keystone Downs Casino",
        "tables": "tables 3, 7-9",
        "version": "RS-2026-00001-R1",
        "filing": "LF-2026-00001-R1",
        "day": "2026-11-22",
        "answers": example(GAME),
        "rules_digest": chapter(GAME).digest,
        "verify_at": FILED.verify_at,
        "demo": True,
        "drawing": None,
    }


def test_foot_of_an_approved_paper_says_where_it_comes_from() -> None:
    text = words(example_paper("sign", GAME, FILED).content)
    for said in (
        "Keystone Downs Casino · tables 3, 7-9 · Demo, timestamped by itself: not a filing with the Board",
        "Payout sign of November 22, 2026",
        "LF-2026-00001-R1 · Rules Submission RS-2026-00001-R1",
        FILED.verify_at,
    ):
        assert said in text


def test_code_on_a_sign_leads_to_what_is_in_effect_and_is_on_no_other_paper() -> None:
    address = "https://portal.example.test/in-force/keystone-downs/682a/"
    sign, details = payout_sign_content(chapter(GAME), example(GAME)), replace(FILED, in_effect_at=address)
    before, after = (PaperSheet("sign", chapter(GAME), example(GAME), one).html(sign) for one in (FILED, details))
    assert "Scan to see the rules in effect" not in before
    assert f"at Keystone Downs Casino today. {address}" in words_of_html(after)
    assert f'src="{qr(address)}"' in after
    guide = PaperSheet("guide", chapter(GAME), example(GAME), details)
    assert address not in guide.html(guide_content(chapter(GAME), example(GAME)) | {"size": 9})


@pytest.mark.parametrize("part", MAKERS)
def test_draft_has_neither_field_nor_record(part: str) -> None:
    pdf = pikepdf.open(BytesIO(example_paper(part, GAME, DRAFT).content))
    assert "/AcroForm" not in pdf.Root
    assert len(pdf.attachments) == 0
