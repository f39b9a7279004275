"""A filing of realistic size, written out: chapter 687a with every optional wager, two table groups, attachments.

The figures of its evidence are made up; what is tested with them is the document, not the mathematics.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from submissions.core.digests import digest
from submissions.documents.document_record import compose_record

LINES = [
    ["shuffler", "§ 687a.3(b)", "Cards and shuffling", "Do you use an automated card shuffling device?", "Yes"],
    ["preinspected", "§ 687a.4(e)", "Cards and shuffling", "Are the playing cards preinspected and preshuffled?", "No"],
    [
        "counts_cards",
        "§ 687a.5(b)",
        "Cards and shuffling",
        "If an automated card shuffling device is used, does it count the number of cards in the deck after the "
        "completion of each shuffle and indicate whether 53 cards are present?",
        "Yes",
    ],
    ["shoe", "§ 687a.8(a)", "Dealing", "Are cards dealt from a manual dealing shoe?", "No"],
    [
        "hand",
        "§ 687a.9(a)",
        "Dealing",
        "Are cards dealt from the dealer's hand (an automated shuffling device must be utilized)?",
        "Yes",
    ],
    ["automated_shoe", "§ 687a.10(a)", "Dealing", "Are cards dealt from an automated dealing shoe?", "No"],
    [
        "abandoned",
        "§ 687a.7(b)",
        "Wagers",
        "If a player leaves the table during a round of play, do you consider any wagers made by the player abandoned "
        "and treat them as losing wagers?",
        "Yes",
    ],
    [
        "adjacent",
        "§ 687a.7(e)",
        "Wagers",
        "Do you allow players to wager on more than one adjacent box?",
        "Yes",
    ],
    [
        "boxes",
        "§ 687a.7(e)",
        "Wagers",
        "What is the total number of boxes on which a player may place a wager in one round of play?",
        "2",
    ],
    ["progressive_bonus_wager", "§ 687a.7(d)(2)", "Wagers", "Do you offer a Progressive Bonus Wager?", "Yes"],
    [
        "progressive_bet",
        "§ 687a.11(b)(3)",
        "Wagers",
        "What is the required bet for a Progressive Bonus Wager?",
        "$5",
    ],
    [
        "folded_hands_qualify",
        "§ 687a.11(b)(3)",
        "Wagers",
        "Do you allow folded hands to qualify for the Progressive Bonus Wager?",
        "No",
    ],
    ["trips_bonus_wager", "§ 687a.7(d)(3)", "Wagers", "Do you offer a Trips Bonus Wager?", "Yes"],
    [
        "trips_paytable",
        "§ 687a.12(d)",
        "Wagers",
        "Which paytable do you use to pay a winning Trips Bonus Wager?",
        "Paytable DJWT-04",
    ],
    ["bad_beat_wager", "§ 687a.7(d)(4)", "Wagers", "Do you offer a Two-Way Bad Beat Bonus Wager?", "Yes"],
    [
        "bad_beat_paytable",
        "§ 687a.12(e)",
        "Wagers",
        "Which paytable do you use to pay a winning Two-Way Bad Beat Bonus Wager?",
        "Paytable DJWBB-03",
    ],
]

PAYTABLES = [
    {
        "wager": "blind",
        "wager_name": "Blind Wager",
        "name": "Paytable",
        "citation": "§ 687a.12(b)",
        "columns": [],
        "rows": [
            ["Five Wilds", "1000 to 1"],
            ["Royal Flush", "50 to 1"],
            ["Five-of-a-Kind", "10 to 1"],
            ["Straight Flush", "9 to 1"],
            ["Four-of-a-Kind", "4 to 1"],
            ["Full House", "3 to 1"],
            ["Flush", "2 to 1"],
            ["Straight", "1 to 1"],
            ["Three-of-a-Kind or less", "Push"],
        ],
        "envy": [""] * 9,
        "facts": [],
    },
    {
        "wager": "progressive",
        "wager_name": "Progressive Bonus Wager",
        "name": "Progressive Paytable 2",
        "citation": "§ 687a.12(c)",
        "columns": [],
        "rows": [
            ["Royal Flush", "100% of meter"],
            ["Straight Flush", "10% of meter"],
            ["Four-of-a-Kind", "300 to 1"],
            ["Full House", "50 to 1"],
            ["Flush", "40 to 1"],
            ["Straight", "30 to 1"],
            ["Three-of-a-Kind", "9 to 1"],
        ],
        "envy": ["$5,000", "$1,500", "", "", "", "", ""],
        "facts": [["Wager", "$5"], ["Meter seed", "$10,000"], ["Meter re-seed", "$10,000"]],
    },
    {
        "wager": "trips",
        "wager_name": "Trips Bonus Wager",
        "name": "DJWT-04",
        "citation": "§ 687a.12(d)",
        "columns": ["Natural", "With Wild"],
        "rows": [
            ["Five Wilds", "n/a", "2000 to 1"],
            ["Royal Flush", "1000 to 1", "90 to 1"],
            ["Five-of-a-Kind", "n/a", "70 to 1"],
            ["Straight Flush", "200 to 1", "25 to 1"],
            ["Four-of-a-Kind", "60 to 1", "6 to 1"],
            ["Full House", "30 to 1", "5 to 1"],
            ["Flush", "25 to 1", "4 to 1"],
            ["Straight", "20 to 1", "3 to 1"],
            ["Three-of-a-Kind", "6 to 1", "1 to 1"],
        ],
        "envy": [""] * 9,
        "facts": [],
    },
    {
        "wager": "bad_beat",
        "wager_name": "Two-Way Bad Beat Bonus Wager",
        "name": "DJWBB-03",
        "citation": "§ 687a.12(e)",
        "columns": [],
        "rows": [
            ["Royal Flush", "500 to 1"],
            ["Five-of-a-Kind", "500 to 1"],
            ["Straight Flush", "500 to 1"],
            ["Four-of-a-Kind", "300 to 1"],
            ["Full House", "200 to 1"],
            ["Flush", "100 to 1"],
            ["Straight", "50 to 1"],
            ["Three-of-a-Kind", "15 to 1"],
        ],
        "envy": [""] * 8,
        "facts": [],
    },
]

WAGERS = [
    ["ante", "Ante, Blind and Raise", "§ 687a.7(d)(1)", True],
    ["trips", "Trips Bonus Wager", "§ 687a.7(d)(3)", False],
    ["bad_beat", "Two-Way Bad Beat Bonus Wager", "§ 687a.7(d)(4)", False],
    ["progressive", "Progressive Bonus Wager", "§ 687a.7(d)(2)", False],
]

OFFERED = [key for key, *_ in WAGERS]

READINGS = [
    {
        "id": "687a-form-preshuffled",
        "citation": "§ 687a.4(e)",
        "printed": "Are the playing cards preinspected and reshuffled?",
        "reading": "preinspected and preshuffled",
        "evidence": "§ 687a.4(e) speaks of preshuffled cards; the form's word is a slip.",
    },
    {
        "id": "687a-five-of-a-kind",
        "citation": "§ 687a.6(c)",
        "printed": "the list of hand ranks has no five-of-a-kind",
        "reading": "Five-of-a-kind ranks below a royal flush and above a straight flush.",
        "evidence": "The payout tables of § 687a.12(b), (d) and (e) list it there, in the order of the pay.",
    },
]


def configuration(name: str = "All tables", tables: str = "") -> dict[str, Any]:
    return {
        "name": name,
        "tables": tables,
        "answers": {"trips_paytable": "DJWT-04", "hand": True},
        "lines": [
            {"key": key, "citation": cite, "group": group, "question": question, "basis": "form", "answer": answer}
            for key, cite, group, question, answer in LINES
        ],
        "findings": [
            {
                "rule": "687a.boxes-note",
                "severity": "note",
                "options": ["boxes"],
                "message": "A player may wager on two adjacent boxes.",
                "fix": "",
                "citation": "§ 687a.7(e)",
            }
        ],
        "offered": [*OFFERED],
        "wagers": [
            {"key": key, "name": name, "citation": citation, "size": "", "required": required}
            for key, name, citation, required in WAGERS
        ],
        "paytables": PAYTABLES,
        "layout": [
            {
                "key": f"area{number}",
                "citation": f"§ 687a.2(b)({number})",
                "element": element,
                "kind": "area",
                "wording": "",
            }
            for number, element in enumerate(
                [
                    "The name or logo of the certificate holder offering the game",
                    "A separate betting area for each player, designated for the placement of the Ante Wager",
                    "A separate betting area for the Blind Wager and the Raise Wager",
                    "A separate betting area for the Trips Bonus Wager",
                ],
                1,
            )
        ],
        "readings": READINGS,
        "house_way": None,
    }


def short_configuration(name: str = "All tables", tables: str = "") -> dict[str, Any]:
    """One answer and one wager, for tests of how a document is made: its pages cost most of their time."""
    whole = configuration(name, tables)
    nothing: dict[str, Any] = {key: [] for key in ("findings", "paytables", "layout", "readings")}
    return {**whole, **nothing, **{key: whole[key][:1] for key in ("lines", "offered", "wagers")}}


def snapshot(configurations: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {
        "format": 1,
        "receipt": "RS-2026-00001-R1",
        "submission": "RS-2026-00001",
        "revision": 1,
        "licensee": {"name": "Casino East", "slug": "east"},
        "chapter": {
            "number": "687a",
            "title": "DJ Wild Stud Poker",
            "status": "proposed",
            "source": "Proposed rulemaking No. 125-224, 49 Pa.B. 3437 (2019)",
        },
        "rules_digest": "5f" * 32,
        "engine": "games 1",
        "filed": {"at": "2026-11-18T14:02:00-05:00", "by": {"name": "Manager East", "role": "Table Games Manager"}},
        "attestation": "I reviewed this Rules Submission and approve it on behalf of the licensee.",
        "configurations": configurations or [configuration()],
        "attachments": [
            {
                "option": "layout",
                "name": "layout-dj-wild.pdf",
                "sha256": "ab" * 32,
                "size": 182_344,
                "media_type": "application/pdf",
            }
        ],
    }


def analysis(offered: Collection[str] = OFFERED) -> dict[str, Any]:
    rows = [
        ("ante", "", "1.024000000", "128/12500", "0.987654321"),
        ("trips", "DJWT-04", "6.157000000", "6157/100000", "0"),
        ("bad_beat", "DJWBB-03", "13.993000000", "13993/100000", "0"),
        ("progressive", "Progressive Paytable 2", "22.812000000", "22812/100000", "0"),
    ]
    wagers: list[dict[str, Any]] = [
        {
            "wager": wager,
            "paytable": paytable,
            "method": "exact",
            "hold_pct": float(percent),
            "hold_fraction": fraction,
            "standard_error_pct": None,
            "hit_frequency_pct": 15.25,
            "standard_deviation": 4.41,
            "largest_win": "2000",
            "published": [],
        }
        for wager, paytable, percent, fraction, _ in rows
    ]
    wagers[0] |= {
        "loss_per_ante_pct": 3.467376,
        "loss_per_total_wagered_pct": 1.024,
        "average_wagered": 3.386,
        "strategy": [
            {
                "decision": "Raise (2 × Ante)",
                "when": "a pair of 4s or better, or any wild card",
                "frequency_pct": 69.31,
            },
            {"decision": "Fold", "when": "anything less", "frequency_pct": 30.69},
        ],
        "published": [
            {
                "figure": "98.99% payback",
                "ours": "98.976 %",
                "reproduced": False,
                "note": "Under optimal play 98.976 % of all money wagered comes back; the second decimal differs.",
            }
        ],
    }
    wagers[1]["published"] = [
        {
            "figure": "98.843% payback",
            "ours": "93.843 %",
            "reproduced": False,
            "note": "The printed 98.843 is 93.843 with one digit wrong: every other table of the kind agrees.",
        }
    ]
    wagers = [row for row in wagers if row["wager"] in offered]
    return {"chapter": "687a", "rules_digest": "5f" * 32, "engine": "games 1", "wagers": wagers}


def result(offered: Collection[str] = OFFERED) -> dict[str, Any]:
    rounds = 20_000_000
    wagers = []
    convergence: dict[str, list[list[float]]] = {}
    for number, row in enumerate(analysis(offered)["wagers"]):
        exact, deviation = row["hold_pct"] / 100, row["standard_deviation"]
        error = deviation / rounds**0.5
        hold = exact + error * (0.4 - 0.3 * number)
        wagers.append(
            {
                "wager": row["wager"],
                "paytable": row["paytable"],
                "rounds": rounds,
                "hold": hold,
                "standard_error": error,
                "low": hold - 1.96 * error,
                "high": hold + 1.96 * error,
                "exact_hold": exact,
                "z": 0.4 - 0.3 * number,
                "chi_square": 8.21 + number,
                "degrees": 9,
                "p_value": 0.513 - number / 10,
                "passed": True,
                "observed": {"win": 1, "lose": 2},
                "least_p": 0.513 - number / 10,
                "disagrees": [],
                "pays_differ": [],
                "settled": True,
                "finds": 3.75 * error,
                "rounds_for_a_hundredth": rounds * (3.75 * error / (0.01 * exact)) ** 2,
            }
        )
        convergence[row["wager"]] = [
            [count, exact + deviation / count**0.5 * (1.4 * (-1) ** step * 0.7**step + 0.3), deviation / count**0.5]
            for step, count in enumerate(int(1e5 * 1.32**step) for step in range(20))
        ]
    return {
        "chapter": "687a",
        "rules_digest": "5f" * 32,
        "engine": "games 1",
        "generator": "philox4x32-10 1",
        "seed": 4_611_686_018_427,
        "rounds": rounds,
        "wagers": wagers,
        "passed": True,
        "convergence": convergence,
        "first": None,
    }


def deed(name: str, role: str, at: str) -> dict[str, Any]:
    return {"at": at, "by": {"name": name, "role": role}}


def record(configurations: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """The record of an approved filing, as it comes from the database, without one."""
    content = snapshot(configurations)
    approved = deed("Director One", "Director", "2026-11-20T09:14:00-05:00")
    recommended = deed("Analyst One", "Analyst", "2026-11-19T10:15:00-05:00")
    return compose_record(
        content,
        digest(content),
        simulations=[
            {
                "configuration": position,
                "seed": 4_611_686_018_427 + position,
                "rounds": 20_000_000,
                "block_rounds": 1_000_000,
                "retest_rounds": None,
                "blocks": 20,
                "passed": True,
                "finished_at": "2026-11-18T14:05:00-05:00",
                "analysis": analysis(configuration["offered"]),
                "result": result(configuration["offered"]),
            }
            for position, configuration in enumerate(content["configurations"])
        ],
        decisions=[
            {"kind": "recommend", "label": "Recommended for approval", "reason": "", **recommended},
            {"kind": "approve", "label": "Approved", "reason": "", **approved},
        ],
        approved=approved,
    )
