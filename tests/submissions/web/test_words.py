"""How pages say things, and how a form's text becomes an answer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from django.http import QueryDict
from django.utils import timezone

from games.maths.results import WagerAnalysis
from games.registry import chapter, folders
from games.rules.evaluate import judge
from games.rules.model import Chapter, Option
from games.runs.engine import analyze
from games.runs.used_figures import FigureTable, in_use
from submissions.filings import answer_values
from submissions.filings.answer_values import deserialize_answer, parse_answer
from submissions.filings.pages.checklist_lines import ChecklistLine, build_checklist
from submissions.filings.pages.paytables import house_way_choices, side_by_side
from submissions.jobs.progress import Progress
from submissions.models import Job
from submissions.web import formatting
from submissions.web.formatting import percent

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
NONE: FigureTable = {}
COMPUTING = None


@pytest.mark.parametrize(
    ("option", "text", "answer"),
    [
        ("bonus_wager", "yes", True),
        ("bonus_wager", "perhaps", "perhaps"),
        ("bonus_wager", "", None),
        ("adjacent_boxes", " 4 ", 4),
        ("adjacent_boxes", "four", "four"),
        ("adjacent_boxes", "1e3", "1e3"),
        ("automated_shuffler_tables", "12,\r\n14", "12,\n14"),
    ],
)
def test_text_becomes_the_answer_of_its_kind_or_stays_as_typed(option: str, text: str, answer: object) -> None:
    assert parse_answer(chapter("686a").option(option), text) == answer


def test_form_without_a_line_says_nothing_about_it() -> None:
    form = QueryDict("answer-bonus_wager=no&seen-bonus_wager=true&seen-adjacent_boxes=[broken&answer-elsewhere=1")
    assert answer_values.posted_answers(chapter("686a"), form) == {"bonus_wager": False}
    assert answer_values.seen_answers(chapter("686a"), form) == {"bonus_wager": True, "adjacent_boxes": None}


@pytest.mark.parametrize(("share", "words"), [(Fraction(1, 8), "12.500 %"), (-0.0025, "−0.250 %")])
def test_percentages_have_a_true_minus_and_their_unit(share: Fraction | float, words: str) -> None:
    assert formatting.percent(share).replace("\N{NO-BREAK SPACE}", " ") == words


@pytest.mark.parametrize(
    ("waited", "words"),
    [
        (timedelta(seconds=20), "just now"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(hours=47), "1 day"),
        (timedelta(days=12), "12 days"),
    ],
)
def test_age_of_what_waits(waited: timedelta, words: str) -> None:
    assert formatting.age(NOW - waited, NOW) == words


def test_section_sign_stays_with_its_number() -> None:
    assert (
        formatting.keep_section_signs("See § 1a.2 and § 3a.4(b).")
        == "See §\N{NO-BREAK SPACE}1a.2 and §\N{NO-BREAK SPACE}3a.4(b)."
    )


@pytest.mark.django_db
def test_section_is_found_in_its_chapter_and_in_the_general_provisions() -> None:
    today = timezone.localdate()
    assert formatting.section_text("§ 687a.7(d)(3)", today).lstrip().startswith("- (3)")
    assert formatting.section_text("§ 601a.2", today)
    assert formatting.section_address("§ 999z.1") == ""


def test_section_keeps_the_depth_of_its_paragraphs() -> None:
    found = formatting.paragraphs("## § 1a.2. Title.\n\n- (a) One\n\n  - (1) Two\n")
    assert [(one.words, one.level, one.heading) for one in found] == [
        ("§ 1a.2. Title.", 0, True),
        ("(a) One", 0, False),
        ("(1) Two", 1, False),
    ]


def test_paytables_side_by_side_leave_no_cell_out() -> None:
    tables = side_by_side(chapter("687a"), "progressive", COMPUTING)
    assert tables is not None
    assert [column.name for column in tables.columns] == ["Progressive Paytable 1", "Progressive Paytable 2"]
    assert dict(tables.rows)["Royal Flush"] == ("100% of meter", "$1,000", "100% of meter", "$5,000")
    assert {len(cells) for _, cells in tables.rows} == {4}
    assert dict(tables.facts)["Meter seed"] == ("$2,000", "$10,000")
    assert tables.computing


def test_spots_of_a_wager_have_a_row_each() -> None:
    game = chapter("593")
    (table,) = {table.name for table in game.tables_of("pip_street")}
    spots = [
        WagerAnalysis("pip_street", table, "exact", (), Fraction(place, 8), Fraction(1, 2), 1.0, Fraction(1), spot=spot)
        for place, spot in enumerate(("Two", "Six"), 1)
    ]
    tables = side_by_side(game, "pip_street", {(one.key, table): one for one in spots})
    assert tables is not None
    assert [(label, cells[0].replace("\N{NO-BREAK SPACE}", " ")) for label, cells in tables.figures] == [
        ("Hold on Two", "12.500 %, volatility 1.96"),
        ("Hold on Six", "25.000 %, volatility 1.96"),
    ]


def test_paytables_without_figures_do_not_claim_to_compute() -> None:
    tables = side_by_side(chapter("687a"), "trips", NONE)
    assert tables is not None
    assert not tables.computing
    assert tables.figures == ()


def test_each_choice_of_a_paytable_or_house_way_shows_the_hold_that_it_gives(subtests: pytest.Subtests) -> None:
    """It is the hold of the wager that it decides: the Bad Beat Bonus of § 682a.12(c) is a part of the Ante Wager."""
    for game in map(chapter, folders()):
        figures = {(row.key, row.paytable): row for row in analyze(game).wagers}
        for line in build_checklist(game, {}, judge(game, {}), figures, {}).lines.values():
            with subtests.test(chapter=game.number, line=line.option.key):
                for choice in _choices(line):
                    assert _holds_shown(line, choice) == _holds_given(game, line.option, choice, figures) != []


def _choices(line: ChecklistLine) -> list[str]:
    """The paytables or house ways that the line chooses among."""
    return [column.name for column in line.tables.columns] if line.tables else list(line.ways)


def _holds_shown(line: ChecklistLine, choice: str) -> list[str]:
    """Beside the choice."""
    if line.tables is None:
        return [line.ways[choice].hold.removeprefix("Hold: ").partition(" ")[0]]
    place = _choices(line).index(choice)
    cells = [cells[place] for label, cells in line.tables.figures if label.startswith("Hold")]
    return [cell.partition(",")[0] for cell in cells]


def _holds_given(game: Chapter, option: Option, choice: str, figures: FigureTable) -> list[str]:
    """Of the wager that the line is about, once the choice is the answer and every wager is offered."""
    answers = {**{wager.offered_by: True for wager in game.wagers if wager.offered_by}, option.key: choice}
    rows = in_use(game, judge(game, answers), answers, figures)
    if option.kind != "paytable":
        return [percent(row.hold, 2).partition(" ")[0] for row in rows if row.paytable == choice]
    wager = game.wager(option.wager)
    return [percent(row.hold) for row in rows if row.wager == (wager.part_of or wager.key)]


def test_house_ways_stand_with_their_estimate_and_its_error() -> None:
    game = chapter("688a")
    estimate = WagerAnalysis(
        "pai_gow", "simplified", "estimate", (), Fraction(18111, 1_000_000), Fraction(1, 3), 1.0, Fraction(1),
        standard_error=0.000507,
    )  # fmt: skip
    ways = house_way_choices(game, game.option("house_way"), {("pai_gow", "simplified"): estimate})
    assert ways["simplified"].hold.replace("\N{NO-BREAK SPACE}", " ").startswith("Hold: 1.81 % ± 0.05 %")
    assert ways["traditional"].hold == ""
    assert ways["traditional"].rules == game.house_ways[0].rules
    assert house_way_choices(game, game.option("house_way"), COMPUTING)["simplified"].computing
    assert not house_way_choices(game, game.options[0], NONE)


def test_wager_without_paytables_has_none() -> None:
    assert side_by_side(chapter("687a"), "ante", NONE) is None


def test_estimate_of_the_time_left_is_the_rate_so_far() -> None:
    started = timezone.now() - timedelta(seconds=30)
    job = Job(state=Job.State.RUNNING, done_units=25, total_units=100, started_at=started, message="Dealing")
    assert (Progress.of([job]).words, Progress.of([job]).left) == ("Dealing", "about 0:01:30 left")
    failed = Job(state=Job.State.ERRORED, message="ValueError: no")
    assert Progress.of([failed]).stopped
    assert "Nothing is lost" in Progress.of([failed]).words
    assert "ValueError" not in Progress.of([failed]).words


def test_field_nested_beyond_reason_counts_as_none() -> None:
    assert deserialize_answer("[" * 100_000) is None
    assert deserialize_answer('"DJWT-04"') == "DJWT-04"
