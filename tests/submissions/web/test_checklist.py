"""The checklist with htmx and as a plain form: nothing typed is lost, and nothing of others overwritten."""

from __future__ import annotations

import json
import re
from contextlib import ExitStack

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils.html import escape

from games.registry import chapter
from submissions.core import uploads
from submissions.core.errors import Refusal
from submissions.filings import attachments, drafts, filing
from submissions.filings.evidence import computations
from submissions.models import Job, Person, Submission
from tests.games.chapters.examples import example
from tests.submissions.web.clients import HTMX, browser, complete, pdf


def address(draft: Submission, button: str = "checklist", *key: str) -> str:
    return reverse(button, args=[draft.number, *key])


def stored(draft: Submission) -> dict[str, object]:
    return draft.configurations.get().answers


def test_change_is_saved_and_brings_up_what_follows(preparer: Person, draft: Submission) -> None:
    form = {"answer-adjacent_boxes_allowed": "yes", "seen-adjacent_boxes_allowed": "null"}
    parts = browser(preparer).post(address(draft), form, headers=HTMX).content.decode()
    assert stored(draft) == {"adjacent_boxes_allowed": True}
    assert 'id="line-adjacent_boxes" hx-swap-oob="true">' in parts
    assert 'id="seen-adjacent_boxes_allowed" name="seen-adjacent_boxes_allowed" value="true"' in parts
    assert 'id="line-odds_posted"' not in parts


def test_each_part_that_comes_back_has_its_place_on_the_page(preparer: Person, draft: Submission) -> None:
    client = browser(preparer)
    page = client.get(address(draft)).content.decode()
    form = {"answer-adjacent_boxes_allowed": "yes", "seen-adjacent_boxes_allowed": "null"}
    parts = client.post(address(draft), form, headers=HTMX).content.decode()
    swapped = re.findall(r'<[a-z]+[^>]* id="([^"]+)"[^>]* hx-swap-oob="true"', parts)
    assert len(swapped) > 3
    assert [name for name in swapped if f'id="{name}"' not in page] == []


def test_seven_boxes_are_kept_and_told_under_their_line(preparer: Person, draft: Submission) -> None:
    drafts.save_answers(preparer, draft, {"adjacent_boxes_allowed": True}, seen={})
    form = {"answer-adjacent_boxes": "7", "seen-adjacent_boxes": "null", "seen-adjacent_boxes_allowed": "true"}
    parts = browser(preparer).post(address(draft), form, headers=HTMX).content.decode()
    findings = parts.split('id="findings-adjacent_boxes"')[1].split("</div>")[0]
    assert stored(draft)["adjacent_boxes"] == 7
    assert "Must be resolved:" in findings
    assert "§\N{NO-BREAK SPACE}686a.2(a)" in findings  # never broken between two lines


def test_finding_is_in_full_once_and_its_other_lines_point_to_it(preparer: Person) -> None:
    draft = drafts.start_submission(preparer, "655a")
    answers = dict(example("655a")) | {"payout_limit_established": True, "payout_limit": "50000.01"}
    answers |= {"minimum_wager": "10.00"}
    drafts.save_answers(preparer, draft, answers, seen={})
    page = browser(preparer).get(address(draft)).content.decode()
    assert page.count('class="finding finding--blocking"') == 1
    first, second = (_under(page, key) for key in ("payout_limit", "minimum_wager"))
    assert ("finding--blocking" in first, "finding--blocking" in second) == (True, False)
    question = chapter("655a").option("payout_limit").question.replace("§ ", "§\N{NO-BREAK SPACE}")
    assert f'See the finding at <a href="#line-payout_limit">{escape(question)}</a>' in second
    assert "finding-pointer" not in first
    for key in ("payout_limit", "minimum_wager"):
        assert f'aria-describedby="help-{key} findings-{key}"' in page
    assert "<strong>1 to resolve</strong>" in page
    assert 'id="input-minimum_wager"' in page
    assert page.count('aria-invalid="true"') == 1


def test_pointer_goes_when_its_finding_is_resolved_on_the_other_line(preparer: Person) -> None:
    draft = drafts.start_submission(preparer, "655a")
    answers = dict(example("655a")) | {"payout_limit_established": True, "payout_limit": "50000.01"}
    drafts.save_answers(preparer, draft, answers | {"minimum_wager": "10.00"}, seen={})
    form = {"answer-payout_limit": "50000.00", "seen-payout_limit": '"50000.01"'}
    parts = browser(preparer).post(address(draft), form, headers=HTMX).content.decode()
    assert [_under(parts, key).count("finding") for key in ("payout_limit", "minimum_wager")] == [0, 0]


def _under(html: str, key: str) -> str:
    """The findings of a line."""
    return html.split(f'id="findings-{key}"')[1].split(">", 1)[1].split('class="reading"')[0].split('id="')[0]


def test_earlier_answer_comes_back_with_its_line(preparer: Person, draft: Submission) -> None:
    drafts.save_answers(preparer, draft, {"adjacent_boxes_allowed": False, "adjacent_boxes": 3}, seen={})
    form = {"answer-adjacent_boxes_allowed": "yes", "seen-adjacent_boxes_allowed": "false"}
    parts = browser(preparer).post(address(draft), form, headers=HTMX).content.decode()
    line = parts.split('id="line-adjacent_boxes"')[1].split("findings-")[0]
    assert "hidden" not in line.split(">")[0]
    assert 'value="3"' in line


def test_two_browsers_on_one_line_show_both_answers(preparer: Person, manager: Person, draft: Submission) -> None:
    drafts.save_answers(manager, draft, {"adjacent_boxes_allowed": True, "adjacent_boxes": 2}, seen={})
    form = {"answer-adjacent_boxes": "4", "seen-adjacent_boxes": "null", "answer-verbal_wagers": "no"}
    parts = browser(preparer).post(address(draft), form, headers=HTMX).content.decode()
    clash = parts.split('class="clash"')[1].split("</dl>")[0]
    assert "Manager East changed this line" in clash
    assert "<dt>Yours</dt><dd>4</dd>" in clash
    assert "<dt>Theirs</dt><dd>2</dd>" in clash
    assert stored(draft) == {"adjacent_boxes_allowed": True, "adjacent_boxes": 2, "verbal_wagers": False}


@pytest.mark.parametrize(("choice", "kept"), [("mine", 4), ("theirs", 2)])
def test_clash_is_settled_by_choice(
    preparer: Person, manager: Person, draft: Submission, choice: str, kept: int
) -> None:
    drafts.save_answers(manager, draft, {"adjacent_boxes": 2}, seen={})
    form = {"choice": choice, "mine-adjacent_boxes": "4", "theirs-adjacent_boxes": "2"}
    answer = browser(preparer).post(address(draft, "resolve-clash", "adjacent_boxes"), form)
    assert answer["Location"].endswith("#line-adjacent_boxes")
    assert stored(draft)["adjacent_boxes"] == kept


def test_change_of_somebody_else_arrives_with_the_next_save(
    preparer: Person, manager: Person, draft: Submission
) -> None:
    drafts.save_answers(manager, draft, {"bonus_wager": True}, seen={})
    form = {"seen-bonus_wager": "null", "answer-verbal_wagers": "no", "seen-verbal_wagers": "null"}
    parts = browser(preparer).post(address(draft), form, headers=HTMX).content.decode()
    line = parts.split('id="line-bonus_wager"')[1].split('id="findings-')[0]
    assert "Manager East changed this line just now." in line
    assert stored(draft) == {"bonus_wager": True, "verbal_wagers": False}


def test_control_characters_are_refused_on_their_line_and_the_rest_is_saved(
    preparer: Person, draft: Submission
) -> None:
    drafts.save_answers(preparer, draft, {"reshuffling_device": True}, seen={})
    form = {"answer-reshuffling_device_approval": "No. 4\x07", "answer-verbal_wagers": "yes"}
    answer = browser(preparer).post(address(draft), form)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert "U+0007" in page.split('id="findings-reshuffling_device_approval"')[1].split("</div>")[0]
    assert stored(draft) == {"reshuffling_device": True, "verbal_wagers": True}


def test_plain_form_saves_everything_and_goes_on_to_filing(preparer: Person, draft: Submission) -> None:
    form = {"answer-verbal_wagers": "yes", "answer-bonus_wager": "no"}
    answer = browser(preparer).post(address(draft, "save-and-review"), form)
    assert answer["Location"] == reverse("file", args=[draft.number])
    assert stored(draft) == {"verbal_wagers": True, "bonus_wager": False}


@pytest.mark.parametrize(
    "button",
    [
        ("checklist",), ("save-and-review",), ("clear-answers",), ("clear-answer", "two_decks"),
        ("line-comment", "two_decks"), ("reset-line", "two_decks"), ("resolve-clash", "two_decks"),
    ],
    ids="-".join,
)  # fmt: skip
def test_each_button_saves_the_answers_and_files_of_the_form(preparer: Person, button: tuple[str, ...]) -> None:
    draft = drafts.start_submission(preparer, "688a")
    form = {"answer-abandoned_wagers": "yes", "file-house_rules": SimpleUploadedFile("house rules.pdf", pdf())}
    browser(preparer).post(address(draft, *button), form)
    assert stored(draft)["abandoned_wagers"] is True
    assert stored(draft)["house_rules"] == attachments.attachment_answer(draft.attachments.get())


def test_what_is_saved_while_typing_stores_no_file(preparer: Person) -> None:
    """A chosen file is in what htmx sends, too: it would be stored again with every change."""
    draft = drafts.start_submission(preparer, "688a")
    form = {"answer-abandoned_wagers": "yes", "file-house_rules": SimpleUploadedFile("house rules.pdf", pdf())}
    browser(preparer).post(address(draft), form, headers=HTMX)
    assert (stored(draft), draft.attachments.count()) == ({"abandoned_wagers": True}, 0)


def test_expired_session_keeps_what_was_sent(preparer: Person, draft: Submission) -> None:
    assert browser().post(address(draft), {}, headers=HTMX).status_code == 401
    for button in ("checklist", "save-and-review"):
        page = browser().post(address(draft, button), {"answer-verbal_wagers": "yes"})
        assert page.status_code == 401
        assert '<input type="hidden" name="answer-verbal_wagers" value="yes">' in page.content.decode()
        assert f"?next={reverse('signed-in')}" in page.content.decode()


def test_form_older_than_the_sign_in_is_offered_again(preparer: Person, draft: Submission) -> None:
    client = browser(preparer, enforce_csrf_checks=True)
    form = {"answer-verbal_wagers": "yes", "csrfmiddlewaretoken": "x" * 64}
    ours = client.post(address(draft), form, headers={"Origin": "http://testserver"})
    theirs = client.post(address(draft), form, headers={"Origin": "http://elsewhere.test"})
    assert (ours.status_code, theirs.status_code) == (403, 403)
    assert "answer-verbal_wagers" in ours.content.decode()
    assert "answer-verbal_wagers" not in theirs.content.decode()


def test_large_file_is_refused_and_the_answers_are_kept(preparer: Person) -> None:
    draft = drafts.start_submission(preparer, "688a")
    large = SimpleUploadedFile("house-rules.pdf", b"%PDF-" + b"0" * 30_000_000)
    answer = browser(preparer).post(address(draft), {"answer-abandoned_wagers": "yes", "file-house_rules": large})
    findings = answer.content.decode().split('id="findings-house_rules"')[1].split("</div>")[0]
    assert answer.status_code == 400
    assert "“house-rules.pdf” has 30.0 MB. The limit is 20 MB." in findings
    assert stored(draft) == {"abandoned_wagers": True}


def test_file_that_finds_no_free_process_is_refused_for_now_and_the_answers_are_kept(preparer: Person) -> None:
    draft = drafts.start_submission(preparer, "688a")
    form = {"answer-abandoned_wagers": "yes", "file-house_rules": SimpleUploadedFile("house rules.pdf", pdf())}
    with ExitStack() as stack:
        for _ in range(uploads._scan_in_child.at_a_time):
            stack.enter_context(uploads._scan_in_child._slots)
        answer = browser(preparer).post(address(draft), form)
    findings = answer.content.decode().split('id="findings-house_rules"')[1].split("</div>")[0]
    assert (answer.status_code, int(answer["Retry-After"]) > 0) == (503, True)
    assert "The portal is busy reading other files. It did not read your file" in findings
    assert stored(draft) == {"abandoned_wagers": True}


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("rules.pdf", b"%PDF-1.7 nothing more", "cannot be read"),
        ("picture.png", b"GIF89a", "none of PDF, PNG, JPEG"),
        ("rules.exe", b"MZ", "is not a PDF, PNG or JPEG file"),
    ],
)
def test_file_that_is_not_what_it_says_is_refused(preparer: Person, name: str, content: bytes, says: str) -> None:
    draft = drafts.start_submission(preparer, "688a")
    answer = browser(preparer).post(address(draft), {"file-house_rules": SimpleUploadedFile(name, content)})
    findings = answer.content.decode().split('id="findings-house_rules"')[1].split("</div>")[0]
    assert says in findings
    assert stored(draft) == {}


def test_file_is_stored_shown_and_served_as_a_download(preparer: Person) -> None:
    draft = drafts.start_submission(preparer, "688a")
    client = browser(preparer)
    answer = client.post(
        address(draft), {"file-house_rules": SimpleUploadedFile("house rules.pdf", pdf())}, follow=True
    )
    attachment = draft.attachments.get()
    served = client.get(reverse("attachment", args=[draft.number, attachment.stored_id]))
    assert attachment.stored_id in answer.content.decode()
    assert b"".join(served.streaming_content) == bytes(attachment.stored.content)
    assert served["Content-Disposition"] == 'attachment; filename="house rules.pdf"'
    assert served["Content-Security-Policy"] == "default-src 'none'; sandbox"


def test_house_ways_are_written_out_and_their_hold_arrives(preparer: Person) -> None:
    draft, client = drafts.start_submission(preparer, "688a"), browser(preparer)
    line = client.get(address(draft)).content.decode().split('id="line-house_way"')[1].split('id="line-')[0]
    assert line.count("how the dealer sets the hand") == 2
    computations.compute_figures(chapter("688a"))
    arrived = client.get(reverse("figures", args=[draft.number, "house_way"]), headers=HTMX).content.decode()
    assert 'id="hold-traditional" hx-swap-oob="true">Hold: 1.94' in arrived
    assert "hx-get" not in arrived


def test_choices_whose_computation_stopped_say_so_and_are_not_asked_for_again(preparer: Person) -> None:
    pages = {}
    for number in ("682a", "688a"):
        draft = drafts.start_submission(preparer, number)
        computations.figures_of(chapter(number), {})
        Job.objects.update(state=Job.State.ERRORED)
        pages[number] = browser(preparer).get(address(draft)).content.decode().replace("&#x27;", "'")
    said = "omputation stopped. The portal's operator can run it again."
    assert pages["682a"].count(said) == 4  # the Bad Beat Bonus and three bonus wagers
    assert pages["688a"].count(said) == 5  # three bonus wagers and two house ways
    assert not [page for page in pages.values() if "not computed yet" in page or "/figures/" in page]


KEPT = {
    "trips_bonus_wager": False,
    "trips_paytable": "DJWT-04",
    "bad_beat_wager": False,
    "bad_beat_paytable": "DJWBB-02",
}


@pytest.fixture
def keeping(preparer: Person) -> Submission:
    """A draft with the paytables of two wagers that it does not offer."""
    draft = drafts.start_submission(preparer, "687a")
    drafts.save_answers(preparer, draft, KEPT, seen={})
    return draft


def test_answer_that_another_rules_out_is_shown_with_the_finding_and_a_way_to_clear_it(
    preparer: Person, keeping: Submission
) -> None:
    page = browser(preparer).get(address(keeping)).content.decode()
    line = page.split('id="line-trips_paytable"')[1].split('id="line-')[0]
    assert "hidden" not in line.split(">")[0]
    assert "DJWT-04" in line
    assert "Saved, but not filed" in line
    assert "is chosen for the Trips Bonus Wager, which is not offered" in line
    assert f'formaction="{address(keeping, "clear-answer", "trips_paytable")}"' in line
    assert "2 answers</strong> no longer apply." in page
    assert stored(keeping) == KEPT


@pytest.mark.parametrize(
    ("button", "left"), [(("clear-answer", "trips_paytable"), {"bad_beat_paytable"}), (("clear-answers",), set())]
)
def test_kept_answers_are_cleared_by_their_button(
    preparer: Person, keeping: Submission, button: tuple[str, ...], left: set[str]
) -> None:
    seen = {f"seen-{key}": json.dumps(answer) for key, answer in KEPT.items()}
    answer = browser(preparer).post(address(keeping, *button), seen)
    assert answer.status_code == 302
    paytables = {key for key in ("trips_paytable", "bad_beat_paytable") if stored(keeping)[key] is not None}
    assert paytables == left
    assert stored(keeping)["trips_bonus_wager"] is False


def test_button_clears_no_answer_that_is_asked(preparer: Person, keeping: Submission) -> None:
    seen = {f"seen-{key}": json.dumps(answer) for key, answer in KEPT.items()}
    browser(preparer).post(address(keeping, "clear-answer", "trips_bonus_wager"), seen)
    assert stored(keeping) == KEPT


def test_kept_answer_that_contradicts_cannot_be_filed(manager: Person, preparer: Person) -> None:
    draft = complete(preparer, "687a")
    drafts.save_answers(preparer, draft, {"trips_bonus_wager": False})
    draft.refresh_from_db()
    with pytest.raises(Refusal) as refused:
        filing.file_submission(manager, draft, version=draft.version, attested=True)
    assert [finding.rule for finding in refused.value.findings] == ["687a.paytable-without-wager"]
    assert draft.revisions.count() == 0
