"""The status of each page for each reader: address, method, parts of the address, status → who. Written by hand.

Anyone who is not named gets 404, and a visitor the sign-in. Parts such as {draft} are of Casino East (`world`). A form
is sent with everything that it needs: 403 is a refusal of the person, 400 and 409 one of what was sent.
"""

from __future__ import annotations

from tests.submissions.access.readers import (
    ADMINISTRATOR,
    BOARD,
    BOARD_ADMINISTRATOR,
    DIRECTOR,
    MANAGER,
    PREPARERS,
    REVIEWERS,
    VISITOR,
)
from tests.submissions.access.readers import WEST_MANAGER as WEST

READING = ADMINISTRATOR  # at Casino East: the administrator's role is that of a reader
EAST = READING | PREPARERS
MEMBERS = EAST | WEST | BOARD
ALL = MEMBERS | VISITOR
LICENSEES = EAST | WEST
ADMINISTRATORS = ADMINISTRATOR | WEST | BOARD_ADMINISTRATOR
Page = tuple[str, str, str, dict[int, set[str]]]

PUBLIC: tuple[Page, ...] = (
    ("home", "get", "", {200: ALL}),
    ("register", "get", "", {200: ALL}),
    ("in-force", "get", "", {200: ALL}),
    ("in-force-game", "get", "east 686a", {200: ALL}),
    ("in-force-game", "get", "nowhere 686a", {404: ALL}),
    ("in-force-game", "get", "east-sandbox 686a", {404: ALL}),
    ("in-force-table", "get", "east 686a 12", {200: ALL}),
    ("in-force-table", "get", "board 686a 12", {404: ALL}),
    ("in-force-tables", "get", "east", {200: ALL}),
    ("in-force-tables", "get", "board", {404: ALL}),
    ("in-force-tables", "get", "east-sandbox", {404: ALL}),
    ("in-force-any-table", "get", "east 12", {200: ALL}),
    ("in-force-any-table", "get", "east 999", {200: ALL}),
    ("in-force-any-table", "get", "board 12", {404: ALL}),
    ("chapters", "get", "", {200: ALL}),
    ("chapter", "get", "686a", {200: ALL}),
    ("errata", "get", "", {200: ALL}),
    ("errata-chapter", "get", "683a", {200: ALL}),
    ("errata-chapter", "get", "600a", {404: ALL}),
    ("errata-json", "get", "", {200: ALL}),
    ("errata-csv", "get", "", {200: ALL}),
    ("section", "get", "686a.6(f)", {200: ALL}),
    ("rulemakings", "get", "", {200: ALL}),
    ("rulemaking", "get", "{published}", {200: ALL}),
    ("rulemaking", "get", "{rulemaking}", {200: BOARD, 404: LICENSEES | VISITOR}),
    ("help", "get", "", {200: ALL}),
    ("help", "post", "", {405: ALL}),
    ("help-glossary", "get", "", {200: ALL}),
    ("help-role", "get", "analyst", {200: ALL}),
    ("help-role", "get", "unknown", {404: ALL}),
    ("api-explorer", "get", "", {200: ALL}),
    ("api-explorer", "post", "", {405: ALL}),
    ("catalogue", "get", "", {200: ALL}),
    ("agency-sign-in", "get", "", {404: ALL}),  # not configured
    ("agency-signed-out", "get", "", {404: ALL}),
    ("join", "get", "unknown", {404: ALL}),
)
SIGNED_IN: tuple[Page, ...] = (
    ("orders", "get", "", {200: MEMBERS}),
    ("order-new", "get", "", {200: DIRECTOR, 403: MEMBERS - DIRECTOR}),
    ("order-new", "post", "", {400: DIRECTOR, 403: MEMBERS - DIRECTOR}),
    ("temporary-chapters", "get", "", {200: MEMBERS}),
    ("chapter-decision", "get", "581", {200: DIRECTOR, 403: MEMBERS - DIRECTOR}),
    ("chapter-decision", "get", "686a", {403: MEMBERS - DIRECTOR}),  # not temporary
    ("chapter-decision", "post", "581", {400: DIRECTOR, 403: MEMBERS - DIRECTOR}),
    ("tables", "get", "", {200: BOARD, 302: LICENSEES}),  # a licensee goes on to its own
    ("table-change", "get", "", {200: PREPARERS | WEST, 403: READING | BOARD}),
    ("table-change", "post", "", {409: PREPARERS | WEST, 403: READING | BOARD}),  # without the list that was seen
    ("tables-upload", "get", "", {200: PREPARERS | WEST, 403: READING | BOARD}),
    ("tables-upload", "post", "", {400: PREPARERS | WEST, 403: READING | BOARD}),
    ("changed-rules", "get", "", {200: MEMBERS}),
    ("signed-in", "get", "", {200: MEMBERS}),
    ("start", "post", "677a", {302: PREPARERS | WEST, 403: READING | BOARD}),
    ("start-from", "get", "686a", {200: MEMBERS}),
    ("start-from", "get", "999z", {}),
    ("start-from", "post", "686a", {400: MEMBERS}),  # without a source
    ("equal-filings", "get", "recommend nothing", {403: LICENSEES}),
    ("equal-filings", "post", "approve nothing", {403: LICENSEES}),
    ("workload", "get", "", {200: BOARD, 403: LICENSEES}),
    ("workload-csv", "get", "", {200: BOARD, 403: LICENSEES}),
    ("calendar", "get", "", {200: MEMBERS}),
    ("calendar-ics", "get", "", {200: MEMBERS}),
    ("save-view", "post", "", {400: BOARD, 403: LICENSEES}),  # nothing is filtered
    ("search", "get", "", {200: MEMBERS}),
    ("export-csv", "get", "", {200: MEMBERS}),
    ("export-zip", "get", "", {200: EAST | BOARD, 400: WEST}),  # nothing of theirs is signed
    ("keep-filter", "post", "", {400: MEMBERS}),
    ("bulk", "get", "", {200: MEMBERS}),
    ("bulk", "post", "", {400: PREPARERS | WEST | REVIEWERS, 403: READING | BOARD_ADMINISTRATOR}),  # without a file
    ("bulk-workbook", "get", "", {200: PREPARERS | WEST, 400: REVIEWERS, 403: READING | BOARD_ADMINISTRATOR}),
    ("notices", "get", "", {200: MEMBERS}),
    ("notices", "post", "", {400: MEMBERS}),  # without a choice
    ("people", "get", "", {200: MEMBERS}),
    ("people", "post", "", {400: ADMINISTRATORS, 403: MEMBERS - ADMINISTRATORS}),
    ("stand-ins", "get", "", {200: MEMBERS}),
    ("stand-ins", "post", "", {400: MANAGER | ADMINISTRATOR | WEST, 403: BOARD | {"preparer"}}),
    ("credentials", "get", "", {200: ADMINISTRATORS, 403: MEMBERS - ADMINISTRATORS}),
    ("credentials", "post", "", {400: ADMINISTRATORS, 403: MEMBERS - ADMINISTRATORS}),
    ("security-log", "get", "", {200: ADMINISTRATORS, 403: MEMBERS - ADMINISTRATORS}),
    ("security-log-export", "get", "", {200: ADMINISTRATORS, 403: MEMBERS - ADMINISTRATORS}),
    ("operations", "get", "", {200: BOARD_ADMINISTRATOR, 403: MEMBERS - BOARD_ADMINISTRATOR}),
    ("webhooks", "get", "", {200: ADMINISTRATORS, 403: MEMBERS - ADMINISTRATORS}),
    ("webhooks", "post", "", {400: ADMINISTRATORS, 403: MEMBERS - ADMINISTRATORS}),
    ("rulemaking-start", "get", "", {405: MEMBERS}),
    ("rulemaking-start", "post", "", {400: REVIEWERS, 403: LICENSEES | BOARD_ADMINISTRATOR}),  # without a title
    ("close-tour", "get", "", {405: MEMBERS}),
    ("close-tour", "post", "", {302: MEMBERS}),
    ("account_reauthenticate", "get", "", {302: MEMBERS}),  # on to where one came from: each has just confirmed
    ("account_reauthenticate", "post", "", {302: MEMBERS}),
    ("passkey-options", "get", "", {200: MEMBERS}),
    ("passkey-options", "post", "", {405: MEMBERS}),
    ("property-switch", "get", "", {405: MEMBERS}),
    ("property-switch", "post", "", {}),  # without a property
)
BOARDS: tuple[Page, ...] = (  # what the Board has
    ("order", "get", "{order}", {200: EAST | BOARD}),
    ("order", "get", "BO-2026-99999", {}),
    ("order-document", "get", "{order}", {}),  # it has none
    ("order-replace", "get", "{order}", {200: DIRECTOR, 403: MEMBERS - DIRECTOR}),
    ("order-replace", "post", "{order}", {400: DIRECTOR, 403: MEMBERS - DIRECTOR}),
    ("order-end", "get", "{order}", {200: DIRECTOR, 403: MEMBERS - DIRECTOR}),
    ("order-end", "post", "{order}", {302: DIRECTOR, 403: MEMBERS - DIRECTOR}),
    ("rulemaking-change", "get", "{rulemaking}", {200: REVIEWERS, 403: BOARD_ADMINISTRATOR}),
    ("rulemaking-change", "post", "{rulemaking}", {400: REVIEWERS, 403: BOARD_ADMINISTRATOR}),
    ("rulemaking-change-remove", "post", "{rulemaking}", {403: BOARD_ADMINISTRATOR}),  # no change is named
    ("rulemaking-form", "get", "{rulemaking}", {200: REVIEWERS, 403: BOARD_ADMINISTRATOR}),
    ("rulemaking-form", "post", "{rulemaking}", {400: REVIEWERS, 403: BOARD_ADMINISTRATOR}),  # nothing is chosen
    ("rulemaking-trial", "get", "{rulemaking}", {200: BOARD}),
    ("rulemaking-trial", "post", "{rulemaking}", {302: REVIEWERS, 403: BOARD_ADMINISTRATOR}),
    ("rulemaking-trial-csv", "get", "{rulemaking}", {}),  # not tried
    ("rulemaking-trial-pdf", "get", "{rulemaking}", {}),
    ("rulemaking-publish", "post", "{rulemaking}", {400: DIRECTOR, 403: BOARD - DIRECTOR}),  # it was not tried
    ("rulemaking-withdraw", "post", "{rulemaking}", {302: REVIEWERS, 403: BOARD_ADMINISTRATOR}),
    ("job-run-again", "get", "{job}", {403: MEMBERS - BOARD_ADMINISTRATOR}),  # it did not fail
    ("job-run-again", "post", "{job}", {403: MEMBERS - BOARD_ADMINISTRATOR}),
)
OWN: tuple[Page, ...] = (  # what Casino East, one of its people or its programs has
    ("tables-of", "get", "east", {200: EAST | BOARD}),
    ("table", "get", "east 12", {200: EAST | BOARD}),
    ("table", "get", "east 999", {}),  # it was never listed
    ("tables-download", "get", "east csv", {200: EAST | BOARD}),
    ("tables-download", "get", "east xlsx", {200: EAST | BOARD}),
    ("tables-download", "get", "east pdf", {}),
    ("tables-qr", "get", "east", {200: EAST | BOARD}),
    ("export", "get", "{manager_export}", {200: MANAGER}),  # who requested it
    ("export", "get", "{analyst_export}", {200: {"analyst"}}),
    ("export-file", "get", "{manager_export}", {}),  # not written yet
    ("forget-filter", "post", "{manager_filter}", {302: MANAGER}),
    ("batch", "get", "{batch}", {200: EAST}),
    ("batch-progress", "get", "{batch}", {200: EAST}),
    ("batch-result", "get", "{batch}", {200: EAST}),
    ("batch-result-workbook", "get", "{batch}", {200: EAST}),
    ("batch-confirm", "post", "{batch}", {409: EAST}),  # before it was checked
    ("batch-discard", "post", "{batch}", {409: PREPARERS, 403: READING}),
    ("stand-in-end", "get", "{stand_in}", {405: MEMBERS}),
    ("stand-in-end", "post", "{stand_in}", {302: MANAGER | ADMINISTRATOR, 403: {"preparer"}}),
    ("person", "get", "{colleague}", {200: ADMINISTRATOR, 403: EAST - ADMINISTRATOR}),
    ("person", "post", "{colleague}", {302: ADMINISTRATOR, 403: EAST - ADMINISTRATOR}),
    ("person-action", "post", "{colleague} deactivate", {302: ADMINISTRATOR, 403: EAST - ADMINISTRATOR}),
    ("invitation", "post", "{invitation} withdraw", {302: ADMINISTRATOR, 403: MEMBERS - ADMINISTRATORS}),
    ("credential", "get", "{credential}", {200: ADMINISTRATOR, 403: MEMBERS - ADMINISTRATORS}),
    ("credential-action", "post", "{credential} rotate", {400: ADMINISTRATOR, 403: MEMBERS - ADMINISTRATORS}),
    ("credential-action", "post", "{credential} revoke", {302: ADMINISTRATOR, 403: MEMBERS - ADMINISTRATORS}),
    ("webhook", "get", "{webhook}", {200: ADMINISTRATOR, 403: MEMBERS - ADMINISTRATORS}),
    ("webhook-action", "post", "{webhook} test", {302: ADMINISTRATOR, 403: MEMBERS - ADMINISTRATORS}),
    ("webhook-action", "post", "{webhook} end", {302: ADMINISTRATOR, 403: MEMBERS - ADMINISTRATORS}),
    ("webhook-replay", "post", "{webhook} {delivery}", {302: ADMINISTRATOR, 403: MEMBERS - ADMINISTRATORS}),
    ("end-session", "post", "{session}", {302: MANAGER}),
)
SUBMISSION: tuple[Page, ...] = (
    ("submission", "get", "{draft}", {200: EAST}),
    ("submission", "get", "{filed}", {200: EAST | BOARD}),
    ("submission", "get", "{returned}", {200: EAST | BOARD}),
    ("checklist", "get", "{draft}", {200: EAST}),
    ("checklist", "get", "{returned}", {200: EAST, 302: BOARD}),  # the Board reads what was filed
    ("checklist", "post", "{draft}", {302: PREPARERS, 403: READING}),
    ("checklist", "post", "{filed}", {403: EAST | BOARD}),
    ("save-and-review", "get", "{draft}", {405: MEMBERS}),
    ("save-and-review", "post", "{draft}", {302: PREPARERS, 403: READING}),
    ("save-and-review", "post", "{filed}", {403: EAST | BOARD}),
    ("resolve-clash", "post", "{draft} trips_paytable", {302: PREPARERS, 403: READING}),
    ("resolve-clash", "post", "{filed} discard_rack_equal", {403: EAST | BOARD}),
    ("clear-answer", "post", "{draft} trips_paytable", {302: PREPARERS, 403: READING}),
    ("clear-answer", "post", "{filed} discard_rack_equal", {403: EAST | BOARD}),
    ("clear-answers", "post", "{draft}", {302: PREPARERS, 403: READING}),
    ("clear-answers", "post", "{filed}", {403: EAST | BOARD}),
    ("reset-line", "post", "{draft} trips_paytable", {302: PREPARERS, 403: READING}),
    ("reset-line", "post", "{filed} discard_rack_equal", {403: EAST | BOARD}),
    ("line-comment", "post", "{draft} trips_paytable", {400: PREPARERS, 403: READING}),  # without a text
    ("line-comment", "post", "{filed} discard_rack_equal", {403: EAST | BOARD}),
    ("answer-question", "post", "{draft} 1", {}),  # it has no question
    ("answer-question", "post", "{returned} {question}", {400: PREPARERS, 403: READING | BOARD}),  # no kind is chosen
    ("figures", "get", "{draft} trips_paytable", {200: EAST}),
    ("figures", "get", "{filed} discard_rack_equal", {}),  # it has no figures
    ("planned-day", "get", "{draft}", {405: MEMBERS}),
    ("planned-day", "post", "{draft}", {302: PREPARERS, 403: READING}),
    ("planned-day", "post", "{filed}", {403: EAST | BOARD}),
    ("groups", "get", "{draft}", {200: EAST}),
    ("groups", "post", "{draft}", {302: PREPARERS, 403: READING}),
    ("groups", "post", "{filed}", {403: EAST | BOARD}),
    ("group", "get", "{draft} 1", {200: EAST}),
    ("group", "get", "{draft} 2", {}),
    ("group", "post", "{draft} 1", {409: PREPARERS, 403: READING}),  # without what was seen
    ("group-remove", "post", "{draft} 1", {302: PREPARERS, 403: READING}),
    ("file", "get", "{draft}", {200: EAST}),
    ("file", "get", "{returned}", {200: EAST, 302: BOARD}),
    ("file", "post", "{draft}", {400: MANAGER, 403: EAST - MANAGER}),  # it is not complete
    ("receipt", "get", "{filed}", {200: EAST | BOARD}),
    ("progress", "get", "{filed}", {200: EAST | BOARD}),
    ("round", "get", "{draft}", {}),
    ("round", "get", "{filed}", {400: EAST | BOARD}),  # not simulated yet
    ("par", "get", "{filed}", {}),  # not simulated yet
    ("par-sheet", "get", "{filed}", {}),
    ("par-workbook", "get", "{filed}", {}),
    ("document", "get", "{filed}", {}),
    ("document", "get", "{approved}", {200: EAST | BOARD}),
    ("attachment", "get", "{returned} {attachment}", {200: EAST | BOARD}),
    ("attachment", "get", "{returned} {unfiled}", {200: EAST}),  # given after the return
    ("attachment", "get", "{filed} {attachment}", {}),  # it belongs to another submission
    ("draft", "get", "{filed}", {}),
    ("draft", "get", "{returned}", {202: EAST}),
    ("draft-of-revision", "get", "{filed} 1", {202: EAST | BOARD}),
    ("draft-of-revision", "get", "{filed} 2", {}),
    ("draft-of-revision", "get", "{draft} 1", {}),
    ("paper-draft", "get", "{filed} 0 layout svg", {200: EAST | BOARD}),
    ("paper-draft", "get", "{filed} 7 layout svg", {}),
    ("paper-draft", "get", "{filed} 0 layout png", {}),
    ("paper-draft", "get", "{filed} 0 sign pdf", {202: EAST | BOARD}),
    ("paper-draft", "get", "{filed} 0 felt pdf", {}),
    ("paper-draft", "get", "{draft} 0 layout svg", {200: EAST}),
    ("send-to-manager", "get", "{draft}", {405: MEMBERS}),
    ("send-to-manager", "post", "{draft}", {302: {"preparer"}, 403: EAST - {"preparer"}}),
    ("send-to-manager", "post", "{returned}", {302: {"preparer"}, 403: EAST | BOARD - {"preparer"}}),
    ("send-back", "get", "{draft}", {405: MEMBERS}),
    ("send-back", "post", "{draft}", {409: MANAGER, 403: EAST - MANAGER}),  # it was not sent
    ("delete-draft", "get", "{draft}", {200: EAST}),
    ("delete-draft", "get", "{filed}", {200: EAST | BOARD}),  # with the reason why not
    ("delete-draft", "post", "{draft}", {302: PREPARERS, 403: READING}),
    ("decide", "get", "{filed} recommend", {405: MEMBERS}),
    ("decide", "post", "{filed} recommend", {403: EAST | BOARD}),  # it is not simulated yet
    ("decide", "post", "{filed} return", {302: REVIEWERS, 403: EAST | BOARD_ADMINISTRATOR}),
    ("decide", "post", "{filed} approve", {409: EAST | BOARD}),  # nobody has recommended it
    ("decide", "post", "{filed} reject", {302: DIRECTOR, 403: EAST | BOARD - DIRECTOR}),
    ("decide", "post", "{filed} withdraw", {302: MANAGER, 403: EAST | BOARD - MANAGER}),
    ("assign", "get", "{filed}", {405: MEMBERS}),
    ("assign", "post", "{draft}", {403: EAST}),
    ("assign", "post", "{filed}", {400: REVIEWERS, 403: EAST | BOARD_ADMINISTRATOR}),  # without a person
    ("changes", "get", "{draft}", {200: EAST}),
    ("changes", "get", "{filed}", {200: EAST | BOARD}),
    ("amend", "get", "{filed}", {405: MEMBERS}),
    ("amend", "post", "{filed}", {403: EAST | BOARD}),
    ("copy", "get", "{draft}", {200: EAST}),
    ("copy", "get", "{filed}", {200: EAST | BOARD}),
    ("copy", "post", "{filed}", {400: EAST | BOARD}),  # without another property
    ("discontinue", "get", "{filed}", {200: EAST | BOARD}),
    ("discontinue", "post", "{filed}", {403: EAST | BOARD}),
    ("remark", "get", "{filed}", {405: MEMBERS}),
    ("remark", "post", "{draft}", {403: EAST}),
    ("remark", "post", "{filed}", {302: REVIEWERS, 403: EAST | BOARD_ADMINISTRATOR}),
    ("remark-follow", "get", "{filed} 1", {405: MEMBERS}),
    ("remark-follow", "post", "{filed} {remark}", {400: BOARD}),  # what a licensee does with a question
    ("remark-follow", "post", "{returned} {question}", {302: PREPARERS, 403: READING | BOARD}),
    ("layout-start", "get", "{draft} 0", {200: EAST}),
    ("layout-start", "get", "{filed} 0", {200: EAST | BOARD}),
    ("layout-start", "get", "{filed} 7", {}),
    ("layout-start", "post", "{filed} 0", {400: PREPARERS, 403: READING | BOARD}),  # without a part
)
LAYOUT: tuple[Page, ...] = (
    ("layout", "get", "{laid}", {200: EAST}),
    ("layout", "get", "{shown}", {200: EAST | BOARD}),
    ("layout-progress", "get", "{laid}", {286: EAST}),
    ("layout-upload", "get", "{laid}", {405: MEMBERS}),
    ("layout-upload", "post", "{laid}", {400: EAST}),  # without a file
    ("layout-positions", "post", "{laid}", {400: EAST}),
    ("layout-inspect", "post", "{laid}", {302: PREPARERS, 403: READING}),
    ("layout-mark", "post", "{laid}", {}),  # on no drawing
    ("layout-unmark", "post", "{laid} 1", {}),
    ("layout-file", "post", "{laid}", {400: MANAGER, 403: EAST - MANAGER}),
    ("layout-withdraw", "post", "{laid}", {302: MANAGER, 403: EAST - MANAGER}),
    ("layout-judge", "get", "{shown}", {405: MEMBERS}),
    ("layout-judge", "post", "{laid}", {409: EAST}),
    ("layout-judge", "post", "{shown}", {400: REVIEWERS, 403: EAST | BOARD_ADMINISTRATOR}),  # without an element
    ("layout-decide", "post", "{laid} notify", {409: EAST}),
    ("layout-decide", "post", "{shown} notify", {302: REVIEWERS, 403: EAST | BOARD_ADMINISTRATOR}),
    ("layout-decide", "post", "{shown} recommend", {400: REVIEWERS, 403: EAST | BOARD_ADMINISTRATOR}),
    ("layout-decide", "post", "{shown} approve", {409: EAST | BOARD}),
    ("layout-decide", "post", "{shown} reject", {302: DIRECTOR, 403: EAST | BOARD - DIRECTOR}),
    ("layout-compare", "get", "{laid}", {200: EAST}),
    ("layout-compare", "get", "{shown}", {200: EAST | BOARD}),
    ("layout-assign", "get", "{laid}", {405: MEMBERS}),
    ("layout-assign", "post", "{laid}", {403: EAST}),
    ("layout-assign", "post", "{shown}", {400: REVIEWERS, 403: EAST | BOARD_ADMINISTRATOR}),
    ("layout-drawing", "get", "{laid} {never_filed}", {200: EAST}),
    ("layout-drawing", "get", "{shown} {drawing}", {200: EAST | BOARD}),
    ("layout-drawing", "get", "{shown} {unfiled_drawing}", {200: EAST}),
    ("layout-picture", "get", "{laid} {never_filed} 1", {200: EAST}),
    ("layout-picture", "get", "{shown} {drawing} 1", {200: EAST | BOARD}),
    ("layout-picture", "get", "{shown} {unfiled_drawing} 1", {200: EAST}),
)
OF_ROWS = BOARDS + OWN + SUBMISSION + LAYOUT
PAGES = PUBLIC + SIGNED_IN + OF_ROWS
