"""The page of a layout filing: what is uploaded, marked, filed and refused on it, and the files it serves."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone

from submissions.layouts import layout_filings as layouts
from submissions.layouts import uploaded_drawings as layout_drawings
from submissions.layouts.pages import layout_actions
from submissions.models import (
    LayoutDecision,
    LayoutDrawing,
    LayoutFiling,
    LayoutInspection,
    LayoutMark,
    LayoutStatus,
    Person,
    StoredFile,
    Submission,
)
from tests.submissions.filing_rows import filing as filed_row
from tests.submissions.layout_rows import SVG, decided, drawing_row, element, filed_rules, layout_row, on, report
from tests.submissions.web.clients import browser

AREA = {"page": "1", "left": "10", "top": "20", "width": "30", "height": "5"}
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture
def rules(manager: Person) -> Submission:
    return filed_rules(manager)


@pytest.fixture
def draft(manager: Person) -> LayoutFiling:
    """With an inspected drawing; as rows, for what does not look at the answers."""
    return layout_row(filed_row(manager, "682a"), status=LayoutStatus.DRAFT)


def sent(person: Person, address: str, filing: LayoutFiling, form: dict[str, object] | None = None) -> HttpResponse:
    return browser(person).post(reverse(address, args=[filing.number]), form or {})


def marked(person: Person, filing: LayoutFiling, **changed: str) -> HttpResponse:
    form = {"drawing": filing.drawings.first().pk, "element": "rack", **AREA, **changed}
    return sent(person, "layout-mark", filing, form)


def drawn_later(filing: LayoutFiling, name: str = "later.svg", kind: str = "svg") -> LayoutDrawing:
    """A drawing that was uploaded after the one that is there."""
    first = filing.drawings.get()
    return LayoutDrawing.objects.create(
        filing=filing, revision=first.revision, place=0, name=name, kind=kind, stored=first.stored,
        uploaded_by=first.uploaded_by, uploaded_at=timezone.now(),
    )  # fmt: skip


def words(response: HttpResponse) -> str:
    """What the page says, without its markup."""
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def test_start_goes_to_the_filing_and_is_offered_again(manager: Person, rules: Submission) -> None:
    address = reverse("layout-start", args=[rules.number, 0])
    started = browser(manager).post(address, {"part": ["sign", "layout"]})
    filing = LayoutFiling.objects.get()
    assert (started["Location"], filing.parts) == (reverse("layout", args=[filing.number]), ["layout", "sign"])
    again = browser(manager).post(address, {"part": "guide"})
    assert again.status_code == 409
    assert f"Continue with {filing.number}" in words(again)


@pytest.mark.parametrize("entered", [{}, {"part": "felt"}, {"part": "sign", "rules_on": "soon"}])
def test_page_without_the_form_links_to_no_field(manager: Person, rules: Submission, entered: dict[str, str]) -> None:
    """Another tab has started the filing since; the client checks that each link of a summary has its field."""
    address = reverse("layout-start", args=[rules.number, 0])
    browser(manager).post(address, {"part": "sign"})
    refused = browser(manager).post(address, entered)
    assert refused.status_code == 400
    assert "Continue with" in words(refused)
    assert "Go to the field" not in words(refused)


def test_days_on_which_the_rules_change_are_named_also_after_a_refusal(
    manager: Person, rules: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout_actions, "days_of_change", lambda _: (date(2099, 1, 1),))
    client, address = browser(manager), reverse("layout-start", args=[rules.number, 0])
    for page in (client.get(address), client.post(address, {"part": "sign", "rules_on": "soon"})):
        assert "The rules of this chapter change on January 1, 2099." in words(page)
        assert re.search(r'id="id_part_1"[^>]* checked', page.content.decode())
    assert 'value="soon"' in page.content.decode()


def test_upload_is_kept_and_asked_after_until_it_is_inspected(manager: Person, rules: Submission) -> None:
    filing = layouts.start_layout_filing(manager, rules, 0, ["layout"])
    answer = sent(manager, "layout-upload", filing, {"drawing": SimpleUploadedFile("felt.svg", SVG % b"Ante")})
    assert answer.status_code == 302
    asked = reverse("layout-progress", args=[filing.number])
    waiting = browser(manager).get(asked)
    assert (waiting.status_code, "every 1s" in waiting.content.decode()) == (200, True)
    LayoutInspection.objects.create(
        drawing=filing.drawings.get(), report=report(element("ante")), made_at=timezone.now()
    )
    done = browser(manager).get(asked)
    assert (done.status_code, "every 1s" in done.content.decode()) == (286, False)
    assert "All elements found" in words(done)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("felt.docx", b"PK", "“felt.docx” is not an SVG, PDF, PNG or JPEG file"),
        ("felt.svg", b'<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>', "“felt.svg”"),
        ("felt.png", PNG + b"\0" * 3000, "The limit is 0 MB"),
        ("felt.svg", b"", "“felt.svg” is empty"),
    ],
)
def test_upload_refused_is_told_beside_its_field(
    manager: Person, rules: Submission, settings: object, name: str, content: bytes, told: str
) -> None:
    settings.ATTACHMENT_LIMIT = 2000
    filing = layouts.start_layout_filing(manager, rules, 0, ["layout"])
    answer = sent(manager, "layout-upload", filing, {"drawing": SimpleUploadedFile(name, content)})
    said = re.search(r'<p class="usa-error-message" id="drawing-error">(.*?)</p>', answer.content.decode())
    assert (answer.status_code, bool(said)) == (400, True)
    assert told in said[1]
    assert not LayoutDrawing.objects.exists()


def test_reference_drawing_is_taken(manager: Person, rules: Submission) -> None:
    filing = layouts.start_layout_filing(manager, rules, 0, ["layout"])
    sent(manager, "layout-upload", filing, {"reference": "1"})
    assert filing.drawings.get().by_portal


def test_positions_beyond_the_chapter_are_refused_as_typed(manager: Person, rules: Submission) -> None:
    filing = layouts.start_layout_filing(manager, rules, 0, ["layout"])
    answer = sent(manager, "layout-positions", filing, {"positions": "7"})
    assert answer.status_code == 400
    assert "Choose a number from 1 to 6." in words(answer)
    assert re.search(r'id="positions" name="positions" value="7"', answer.content.decode())


def test_drawing_that_cannot_be_read_says_why(manager: Person, rules: Submission) -> None:
    filing = layouts.start_layout_filing(manager, rules, 0, ["layout"])
    drawing = layout_drawings.upload_drawing(manager, filing, "felt.svg", SVG % b"")
    LayoutInspection.objects.create(
        drawing=drawing,
        refused="layout-damaged",
        message="It is damaged.",
        fix="Save it again.",
        made_at=timezone.now(),
    )
    page = words(browser(manager).get(reverse("layout", args=[filing.number])))
    assert "The portal cannot inspect “felt.svg” It is damaged. Save it again. (layout-damaged)" in page


def test_words_of_a_picture_are_said_to_be_uncertain(manager: Person) -> None:
    found = report(element("ante")) | {"source": "picture"}
    filing = layout_row(filed_row(manager, "682a"), found=found)
    page = words(browser(manager).get(reverse("layout", args=[filing.number])))
    assert "may have misread them" in page


def test_differences_are_told_with_their_places(manager: Person) -> None:
    place = {"page": 1, "left": 0.5, "top": 0.5, "width": 0.1, "height": 0.02}
    message, citation = "Flush 7 to 1 printed, 6 to 1 chosen", "§ 682a.12(b)"
    differs = {"kind": "different", "message": message, "citation": citation, "wager": "prime", "where": place}
    filing = layout_row(filed_row(manager, "682a"), found=report(element("ante"), differences=[differs]))
    page = browser(manager).get(reverse("layout", args=[filing.number]))
    assert "1 difference from the answers D1. Flush 7 to 1 printed, 6 to 1 chosen" in words(page)
    assert '<a href="#element-D1" id="place-D1" class="place">' in page.content.decode()
    assert 'x="49.60%" y="49.60%" width="10.80%" height="2.80%"' in page.content.decode()


def test_mark_is_kept_shown_and_removed(manager: Person, draft: LayoutFiling) -> None:
    assert marked(manager, draft)["Location"] == reverse("layout", args=[draft.number]) + "#marking"
    mark = LayoutMark.objects.get()
    assert (mark.page, mark.left, mark.top, mark.width, mark.height) == (1, 0.1, 0.2, 0.3, 0.05)
    page = browser(manager).get(reverse("layout", args=[draft.number])).content.decode()
    assert 'class="place__frame" x="10.00%" y="20.00%" width="30.00%" height="5.00%"' in page
    remove = reverse("layout-unmark", args=[draft.number, mark.pk])
    browser(manager).post(remove, {"drawing": mark.drawing_id})
    assert not LayoutMark.objects.exists()


@pytest.mark.parametrize("wrong", [{"left": "80"}, {"top": "-1"}, {"width": "0"}, {"page": "2"}, {"height": "tall"}])
def test_mark_outside_is_refused_with_what_was_typed(
    manager: Person, draft: LayoutFiling, wrong: dict[str, str]
) -> None:
    answer = marked(manager, draft, **wrong)
    page = answer.content.decode()
    assert (answer.status_code, LayoutMark.objects.count()) == (400, 0)
    assert "The area is outside the drawing." in page
    typed = {**AREA, **wrong}
    for name in ("left", "top", "width", "height"):
        assert re.search(rf'id="{name}" name="{name}" value="{typed[name]}"', page), name
    assert re.search(r'<option value="rack" selected>', page)


def test_mark_on_a_drawing_that_was_replaced_is_refused(manager: Person, draft: LayoutFiling) -> None:
    old = draft.drawings.get()
    drawn_later(draft)
    assert marked(manager, draft, drawing=str(old.pk)).status_code == 409


def test_drawing_of_another_filing_is_not_found(
    manager: Person, stranger: Person, analyst: Person, draft: LayoutFiling
) -> None:
    other = layout_row(filed_row(stranger, "682a"), status=LayoutStatus.DRAFT)
    own, foreign = draft.drawings.get().pk, other.drawings.get().pk
    again = layout_row(filed_row(manager, "682a"))
    for person, filing, pk in ((manager, draft, foreign), (stranger, draft, own), (manager, again, own)):
        for address, parts in (("layout-drawing", [pk]), ("layout-picture", [pk, 1])):
            assert browser(person).get(reverse(address, args=[filing.number, *parts])).status_code == 404
    address = reverse("layout-drawing", args=[again.number, drawn_later(again).pk])
    assert browser(manager).get(address).status_code == 200
    assert browser(analyst).get(address).status_code == 404  # not filed yet


def test_svg_is_served_where_it_can_do_nothing(manager: Person, draft: LayoutFiling) -> None:
    drawing = draft.drawings.get()
    shown = browser(manager).get(reverse("layout-picture", args=[draft.number, drawing.pk, 1]))
    assert (shown["Content-Type"], shown["X-Content-Type-Options"]) == ("image/svg+xml", "nosniff")
    assert shown["Content-Security-Policy"] == (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
    )
    file = browser(manager).get(reverse("layout-drawing", args=[draft.number, drawing.pk]))
    assert file["Content-Disposition"] == 'attachment; filename="felt-1.svg"'
    assert (file["Content-Security-Policy"], file["X-Content-Type-Options"]) == (
        "default-src 'none'; sandbox", "nosniff",
    )  # fmt: skip
    assert b"".join(file) == bytes(drawing.stored.content)


def test_pages_of_a_pdf_are_pictures(manager: Person) -> None:
    filing = layout_row(filed_row(manager, "682a"), status=LayoutStatus.DRAFT)
    drawing = drawn_later(filing, "felt.pdf", "pdf")
    place = {"page": 2, "left": 0.1, "top": 0.1, "width": 0.1, "height": 0.1}
    found = report(element("ante", where=[place])) | {"pages": [[300, 200]] * 3, "source": "pdf"}
    previews = [StoredFile.keep(PNG + sign, "image/png").sha256 for sign in (b"1", b"2")]
    LayoutInspection.objects.create(drawing=drawing, report=found, previews=previews, made_at=timezone.now())
    picture = browser(manager).get(reverse("layout-picture", args=[filing.number, drawing.pk, 2]))
    assert (picture["Content-Type"], b"".join(picture)) == ("image/png", PNG + b"2")
    assert browser(manager).get(reverse("layout-picture", args=[filing.number, drawing.pk, 3])).status_code == 404
    page = browser(manager).get(reverse("layout", args=[filing.number]))
    assert "Page 1 of 3" in words(page)
    assert "This page shows the first 2 of 3 pages" in words(page)
    assert page.content.decode().count('class="place"') == 1


def test_incomplete_filing_asks_for_a_note(manager: Person, rules: Submission) -> None:
    filing = layouts.start_layout_filing(manager, rules, 0, ["layout"])
    missing = element("ante", "missing", times=0) | {"element": "A separate betting area for the Ante Wager"}
    drawing_row(filing, rules.revisions.get(), report(missing))
    answer = sent(manager, "layout-file", filing, {"version": "1", "note": " "})
    assert (answer.status_code, LayoutFiling.objects.get().status) == (400, "draft")
    assert 'name="note" aria-describedby="note-hint note-error" aria-invalid="true" rows="3"' in answer.content.decode()
    assert "A separate betting area for the Ante Wager" in words(answer)
    assert sent(manager, "layout-file", filing, {"version": "1", "note": "As it is printed."}).status_code == 302
    assert LayoutFiling.objects.get().revisions.get().note == "As it is printed."


def test_note_stays_until_the_filing_is_confirmed(manager: Person, draft: LayoutFiling) -> None:
    address = reverse("layout-file", args=[draft.number])
    answer = browser(manager, confirmed=False).post(address, {"version": "1", "note": "The rack stands left."})
    assert answer.status_code == 403
    assert "The rack stands left.</textarea>" in answer.content.decode()
    assert 'id="confirm-error"' in answer.content.decode()


def test_reason_of_a_withdrawal_is_asked_for(manager: Person) -> None:
    filing = layout_row(filed_row(manager, "682a"))
    answer = sent(manager, "layout-withdraw", filing, {"version": "1", "reason": ""})
    assert (answer.status_code, "Enter a reason in a sentence or two." in words(answer)) == (400, True)
    sent(manager, "layout-withdraw", filing, {"version": "1", "reason": "Another felt."})
    assert LayoutFiling.objects.get().status == LayoutStatus.WITHDRAWN


def test_notice_names_its_elements_to_the_licensee(manager: Person, analyst: Person) -> None:
    filing = layout_row(filed_row(manager, "682a"), status=LayoutStatus.DEFICIENT)
    named = [{"key": "rack", "element": "The rack", "citation": "§ 682a.2(b)(1)", "text": "Show it."}]
    LayoutDecision.objects.create(
        layout_revision=filing.revisions.get(), kind="notice", elements=named, reason="Two things.", by=analyst,
        at=on("2026-11-04T12:00"),
    )  # fmt: skip
    page = browser(manager).get(reverse("layout", args=[filing.number]))
    assert "Deficiency notice by Analyst One, Nov 4, 2026, 12:00 p.m." in words(page)
    assert "Deficient under the notice: Show it." in words(page)
    assert re.search(r'The rack \(<a href="#element-2">2 in the list</a>\)\s*<br>Show it.', page.content.decode())


def test_report_to_the_director_is_within_the_board(manager: Person, analyst: Person) -> None:
    filing = layout_row(filed_row(manager, "682a"), status=LayoutStatus.RECOMMENDED)
    decided(filing, LayoutDecision.Kind.RECOMMEND, analyst, at="2026-11-04T12:00")
    address = reverse("layout", args=[filing.number])
    seen = {person.role: "by Analyst One" in words(browser(person).get(address)) for person in (manager, analyst)}
    assert seen == {manager.role: False, analyst.role: True}


def test_what_was_filed_is_not_changed_on_the_page(manager: Person, analyst: Person, draft: LayoutFiling) -> None:
    filed = layout_row(filed_row(manager, "682a"))
    own = browser(manager).get(reverse("layout", args=[draft.number])).content.decode()
    assert 'id="marking"' in own
    for person in (manager, analyst):
        page = browser(person).get(reverse("layout", args=[filed.number])).content.decode()
        assert not re.search(r'id="(marking|drawing-file|note)"', page)
        assert re.search(r'<img src="[^"]+/pages/1/"', page)
