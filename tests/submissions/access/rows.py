"""Who sees which row: kind of row → row → who sees it. Written by hand: nothing here asks the portal.

A row is named by its casino and status, or by its text. Anyone who is not named does not see it. Groups: `readers`.
"""

from __future__ import annotations

from tests.submissions.access.readers import (
    ADMINISTRATOR,
    BOARD_ADMINISTRATOR,
    BOARD_PROGRAM,
    BOARD_TEST,
    EAST_PROGRAM,
    EAST_TEST,
    EVERYONE,
    WEST_MANAGER,
    WEST_PROGRAM,
)
from tests.submissions.access.readers import BOARD as BOARD_PEOPLE
from tests.submissions.access.readers import EAST as EAST_PEOPLE
from tests.submissions.access.readers import WEST as WEST_PEOPLE

EAST, WEST, BOARD = EAST_PEOPLE | EAST_PROGRAM, WEST_PEOPLE | WEST_PROGRAM, BOARD_PEOPLE | BOARD_PROGRAM
NOBODY: set[str] = set()
OF_CASINOS = {"east": EAST, "west": WEST, "east-sandbox": EAST_TEST}  # each its own, and the Board nothing
AND_BOARD = {"east": EAST | BOARD, "west": WEST | BOARD, "east-sandbox": EAST_TEST | BOARD_TEST}
OF_ADMINISTRATORS = {"east": ADMINISTRATOR, "west": WEST_MANAGER, "board": BOARD_ADMINISTRATOR}

SEEN = {
    "submission": {
        "east draft": EAST,
        "east withdrawn draft": EAST,
        "east deleted": EAST,
        "east draft, with comments": EAST,
        "east filed": EAST | BOARD,
        "east filed, with comments": EAST | BOARD,
        "east returned": EAST | BOARD,
        "east recommended": EAST | BOARD,
        "east approved": EAST | BOARD,
        "east rejected": EAST | BOARD,
        "east withdrawn": EAST | BOARD,
        "west draft": WEST,
        "west withdrawn draft": WEST,
        "west deleted": WEST,
        "west filed": WEST | BOARD,
        "west recommended": WEST | BOARD,
        "west approved": WEST | BOARD,
        "west rejected": WEST | BOARD,
        "west withdrawn": WEST | BOARD,
        "east-sandbox draft": EAST_TEST,
        "east-sandbox withdrawn draft": EAST_TEST,
        "east-sandbox deleted": EAST_TEST,
        "east-sandbox filed": EAST_TEST | BOARD_TEST,
        "east-sandbox recommended": EAST_TEST | BOARD_TEST,
        "east-sandbox rejected": EAST_TEST | BOARD_TEST,
        "east-sandbox withdrawn": EAST_TEST | BOARD_TEST,
    },
    "event": {
        "east returned: started": EAST | BOARD,
        "east returned: saved": EAST | BOARD,
        "east returned: attached": EAST | BOARD,
        "east returned: filed": EAST | BOARD,
        "east returned: remarked": BOARD,
        "east returned: remarked again": BOARD,
        "east returned: returned": EAST | BOARD,
        "east returned: attached again": EAST,
        "east returned: answered": EAST,
        "east returned: commented": EAST,
        "east filed, with comments: started": EAST | BOARD,
        "east filed, with comments: saved": EAST | BOARD,
        "east filed, with comments: filed": EAST | BOARD,
        "east filed, with comments: remarked": BOARD,
        "east filed, with comments: remarked again": BOARD,
        "east filed, with comments: resolved": BOARD,
        "east filed, with comments: layout-started": EAST,
        "east draft, with comments: started": EAST,
        "east draft, with comments: commented": EAST,
        "east draft, with comments: grouped": EAST,
        "east filed: filed": EAST | BOARD,
        "west filed: filed": WEST | BOARD,
        "east-sandbox filed: filed": EAST_TEST | BOARD_TEST,
    },
    "remark": {
        "internal": BOARD,
        "not disclosed yet": BOARD,
        "internal, returned": BOARD,
        "question": EAST | BOARD,
    },
    "reply": {"resolved before any decision": BOARD, "answer, not filed yet": EAST},
    "comment within the licensee": {"on the draft": EAST, "on the returned filing": EAST},
    "attachment": {"house rules.pdf": EAST | BOARD, "never filed.pdf": EAST},
    "layout": {
        "east draft": EAST,
        "east filed": EAST | BOARD,
        "east filed, with drawings": EAST | BOARD,
        "west filed": WEST | BOARD,
        "east-sandbox filed": EAST_TEST | BOARD_TEST,
    },
    "drawing": {
        "east draft: felt-1.svg": EAST,
        "east filed: felt-1.svg": EAST | BOARD,
        "east filed, with drawings: felt-1.svg": EAST | BOARD,
        "east filed, with drawings: felt-2.svg": EAST,
        "west filed: felt-1.svg": WEST | BOARD,
        "east-sandbox filed: felt-1.svg": EAST_TEST | BOARD_TEST,
    },
    "signed layout, sign or guide": {"east filed, with drawings": EVERYONE},
    "version": {"east": EAST | BOARD, "west": WEST | BOARD},
    "licensee": AND_BOARD,
    "order": {
        "for all": EAST | WEST | BOARD | EAST_TEST | BOARD_TEST,
        "for East": EAST | BOARD,
    },
    "table": AND_BOARD,
    "published table": {"east": EVERYONE, "west": EVERYONE, "east-sandbox": NOBODY},
    "saved filter": {"manager": {"manager"}, "analyst": {"analyst"}},
    "notice": {"reader": {"reader"}, "analyst": {"analyst"}, "west reader": NOBODY, "of a draft": NOBODY},
    "notice in reach": {
        "reader": EAST | BOARD, "analyst": EAST | BOARD, "west reader": EAST | BOARD, "of a draft": EAST,
    },
    "export": {"manager.csv": {"manager"}, "analyst.csv": {"analyst"}},
    "person": {
        "Preparer East": EAST, "Former Manager": EAST, "Manager West": WEST, "Analyst One": BOARD,
        "Former Director": BOARD, "Nightly": NOBODY, "Sandbox signer": NOBODY, "Manager Nowhere": NOBODY,
    },
    "invitation": OF_ADMINISTRATORS,
    "event about people": OF_ADMINISTRATORS,
    "stand-in": {"east": EAST, "west": WEST},
    "credential": OF_ADMINISTRATORS,
    "event about credentials": OF_ADMINISTRATORS,
    "bulk update": OF_CASINOS,
    "webhook": {
        "east": ADMINISTRATOR | EAST_PROGRAM,
        "west": WEST_MANAGER | WEST_PROGRAM,
        "board": BOARD_ADMINISTRATOR | BOARD_PROGRAM,
        "east-sandbox": ADMINISTRATOR | EAST_TEST,
    },
    "event about webhooks": OF_ADMINISTRATORS | {"east-sandbox": ADMINISTRATOR},
    "rulemaking": {"draft": BOARD, "published": EVERYONE, "withdrawn": BOARD},
    "security log": {
        "": BOARD_ADMINISTRATOR,
        "east": ADMINISTRATOR | BOARD_ADMINISTRATOR,
        "west": WEST_MANAGER | BOARD_ADMINISTRATOR,
        "board": BOARD_ADMINISTRATOR,
        "east-sandbox": ADMINISTRATOR | BOARD_ADMINISTRATOR,
    },
}  # fmt: skip
