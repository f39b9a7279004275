"""Whole runs: the same for every number of workers, refused where they do not fit together."""

from __future__ import annotations

import json

import pytest

from games.maths.export import to_json
from games.rules.wagers_in_play import NoPaytable, in_play, paytables_in_play
from games.runs.dealing import deal_block
from games.runs.engine import ENGINE, analyze, block_plan, deal_blocks, simulate, summarize
from games.streams import GENERATOR
from tests.games.lazy import lazy_chapter

OVER_UNDER, DJ_WILD = lazy_chapter("686a"), lazy_chapter("687a")
BONUS = {"bonus_wager": True}
ROUNDS = 10_012_345  # two blocks of 686a and a part of one


def test_block_plan_ends_with_what_is_left():
    assert block_plan(25, 10) == [10, 10, 5]
    assert block_plan(20, 10) == [10, 10]
    assert block_plan(3, 10) == [3]


def test_result_is_the_same_with_one_worker_or_four():
    assert simulate(OVER_UNDER, BONUS, ROUNDS, 11) == simulate(OVER_UNDER, BONUS, ROUNDS, 11, workers=4)


def test_another_seed_and_another_block_deal_other_rounds():
    blocks = [deal_block(OVER_UNDER, BONUS, seed, block, 1_000) for seed in (1, 2) for block in (0, 1)]
    assert len({json.dumps(block) for block in blocks}) == 4


def test_progress_is_reported_for_every_block():
    reported = []
    simulate(OVER_UNDER, BONUS, ROUNDS, 1, progress=reported.append)
    assert reported == [5_000_000, 10_000_000, ROUNDS]


def test_tallies_of_another_run_are_refused():
    analysis = analyze(OVER_UNDER, BONUS)
    tallies = [tally for _, tally in deal_blocks(OVER_UNDER, BONUS, 1_000, 1)]
    assert summarize(OVER_UNDER, BONUS, analysis, tallies, 1, 1_000).rounds == 1_000
    with pytest.raises(ValueError, match="the blocks hold 1000 rounds, the run has 2000"):
        summarize(OVER_UNDER, BONUS, analysis, tallies, 1, 2_000)
    with pytest.raises(ValueError, match="bonus: the blocks hold 0 rounds"):
        summarize(OVER_UNDER, BONUS, analysis, [{"ante": tallies[0]["ante"]}], 1, 1_000)


@pytest.mark.parametrize(("seed", "rounds"), [(-1, 10), (2**63, 10), (1, 0)])
def test_seed_and_rounds_out_of_range_are_refused(seed, rounds):
    with pytest.raises(ValueError, match="allowed are"):
        simulate(OVER_UNDER, BONUS, rounds, seed)


def test_paytables_left_open_are_all_analysed_and_none_is_dealt():
    answers = {"bad_beat_wager": True}
    assert in_play(DJ_WILD, answers) == (("ante", ""), ("bad_beat", "DJWBB-03"), ("bad_beat", "DJWBB-04"))
    with pytest.raises(NoPaytable, match=r"`bad_beat_paytable` is None; answer it with one of DJWBB-03, DJWBB-04"):
        paytables_in_play(DJ_WILD, answers)


def test_paytable_that_the_chapter_does_not_have_is_refused():
    with pytest.raises(NoPaytable, match="DJWT-99"):
        in_play(DJ_WILD, {"trips_bonus_wager": True, "trips_paytable": "DJWT-99"})


def test_json_has_the_promised_keys_and_only_finite_numbers():
    analysis = json.loads(json.dumps(to_json(analyze(OVER_UNDER)), allow_nan=False))
    assert analysis.keys() >= {"chapter", "rules_digest", "engine", "wagers"}
    assert analysis["engine"] == ENGINE
    ante, bonus = analysis["wagers"]
    promised = {"wager", "paytable", "method", "hold_pct", "hold_fraction", "standard_error_pct", "hit_frequency_pct"}
    assert bonus.keys() >= promised | {"standard_deviation", "largest_win", "published"}
    assert ante["loss_per_total_wagered_pct"] == ante["hold_pct"] == 1.049843218
    assert ante["loss_per_ante_pct"] == 2.099686435
    assert ante["average_wagered"] == 2
    assert ante["published"][0].keys() == {"figure", "ours", "reproduced", "note", "verdict"}
    assert "/" in bonus["hold_fraction"]
    result = json.loads(json.dumps(to_json(simulate(OVER_UNDER, BONUS, 1_000, 1)), allow_nan=False))
    assert result["generator"] == GENERATOR
    assert [row["wager"] for row in result["wagers"]] == ["ante", "bonus"]
