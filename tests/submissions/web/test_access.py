"""Every address, for everybody: who gets the page, who is sent to the sign-in, for whom there is nothing there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.urls import URLResolver, get_resolver, reverse

from submissions.filings import filing, table_groups
from submissions.filings.table_groups import GroupDescription
from submissions.jobs.export_files import ExportRequest, request_export
from submissions.layouts import layout_filings
from submissions.models import Organization, Person, Remark, Submission
from submissions.review import decisions
from submissions.rulemakings import drafting
from submissions.search.exports import KIND
from submissions.web.exports import CSV
from submissions.web.urls import ADDRESSES
from tests.cast import PASSWORD
from tests.submissions.bulk.batches import send
from tests.submissions.layout_rows import layout_row
from tests.submissions.orders.orders import waiver
from tests.submissions.table_list.lists import enter
from tests.submissions.web.clients import browser, complete
from tests.submissions.web.outside_addresses import EVERYBODY, OUTSIDE

CAST = ("nobody", "reader", "preparer", "manager", "stranger", "analyst", "director")

# address, method, its arguments ({draft} and {filed} are submissions of Casino East), then a status for each of CAST
WALK = (
    ("home", "get", "", EVERYBODY),
    ("register", "get", "", EVERYBODY),
    ("in-force", "get", "", EVERYBODY),
    ("in-force-game", "get", "east 686a", EVERYBODY),
    ("in-force-game", "get", "nowhere 686a", (404,) * 7),
    ("in-force-table", "get", "east 686a 12", EVERYBODY),
    ("in-force-table", "get", "board 686a 12", (404,) * 7),
    ("in-force-tables", "get", "east", EVERYBODY),
    ("in-force-tables", "get", "board", (404,) * 7),
    ("in-force-any-table", "get", "east 12", EVERYBODY),
    ("in-force-any-table", "get", "east 999", EVERYBODY),
    ("in-force-any-table", "get", "board 12", (404,) * 7),
    ("orders", "get", "", (302, 200, 200, 200, 200, 200, 200)),
    ("order-new", "get", "", (302, 403, 403, 403, 403, 403, 200)),
    ("order-new", "post", "", (401, 403, 403, 403, 403, 403, 400)),
    ("temporary-chapters", "get", "", (302, 200, 200, 200, 200, 200, 200)),
    ("chapter-decision", "get", "581", (302, 403, 403, 403, 403, 403, 200)),
    ("chapter-decision", "get", "686a", (302, 403, 403, 403, 403, 403, 404)),  # not temporary
    ("chapter-decision", "post", "581", (401, 403, 403, 403, 403, 403, 400)),
    ("order", "get", "{order}", (302, 200, 200, 200, 404, 200, 200)),
    ("order", "get", "BO-2026-99999", (302, 404, 404, 404, 404, 404, 404)),
    ("order-document", "get", "{order}", (302, 404, 404, 404, 404, 404, 404)),  # it has none
    ("order-replace", "get", "{order}", (302, 403, 403, 403, 403, 403, 200)),
    ("order-replace", "post", "{order}", (401, 403, 403, 403, 403, 403, 400)),
    ("order-end", "get", "{order}", (302, 403, 403, 403, 403, 403, 200)),
    ("order-end", "post", "{order}", (401, 403, 403, 403, 403, 403, 400)),
    ("tables", "get", "", (302, 302, 302, 302, 302, 200, 200)),  # a licensee goes on to its own
    ("tables-of", "get", "east", (302, 200, 200, 200, 404, 200, 200)),
    ("table", "get", "east 12", (302, 200, 200, 200, 404, 200, 200)),
    ("table", "get", "east 999", (302, 404, 404, 404, 404, 404, 404)),  # it was never listed
    ("tables-download", "get", "east csv", (302, 200, 200, 200, 404, 200, 200)),
    ("tables-download", "get", "east pdf", (302, 404, 404, 404, 404, 404, 404)),
    ("tables-qr", "get", "east", (302, 200, 200, 200, 404, 200, 200)),
    ("tables-qr", "get", "west", (302, 404, 404, 404, 404, 404, 404)),  # it has no list
    ("table-change", "get", "", (302, 403, 200, 200, 200, 403, 403)),
    ("table-change", "post", "", (401, 403, 400, 400, 400, 403, 403)),  # without a day
    ("tables-upload", "get", "", (302, 403, 200, 200, 200, 403, 403)),
    ("tables-upload", "post", "", (401, 403, 400, 400, 400, 403, 403)),  # without a file
    ("changed-rules", "get", "", (302, 200, 200, 200, 200, 200, 200)),
    ("changes", "get", "{draft}", (302, 200, 200, 200, 404, 404, 404)),
    ("changes", "get", "{filed}", (302, 200, 200, 200, 404, 200, 200)),
    ("amend", "get", "{filed}", (302, 405, 405, 405, 405, 405, 405)),
    ("amend", "post", "{filed}", (401, 403, 403, 403, 404, 403, 403)),
    ("copy", "get", "{draft}", (302, 200, 200, 200, 404, 404, 404)),
    ("copy", "get", "{filed}", (302, 200, 200, 200, 404, 200, 200)),
    ("copy", "post", "{filed}", (401, 400, 400, 400, 404, 400, 400)),  # without another property
    ("discontinue", "get", "{filed}", (302, 200, 200, 200, 404, 200, 200)),
    ("discontinue", "post", "{filed}", (401, 400, 400, 400, 404, 400, 400)),
    ("chapters", "get", "", EVERYBODY),
    ("chapter", "get", "686a", EVERYBODY),
    ("errata", "get", "", EVERYBODY),
    ("errata-chapter", "get", "683a", EVERYBODY),
    ("errata-chapter", "get", "600a", (404,) * 7),
    ("errata-json", "get", "", EVERYBODY),
    ("errata-csv", "get", "", EVERYBODY),
    ("section", "get", "686a.6(f)", EVERYBODY),
    ("signed-in", "get", "", (302, 200, 200, 200, 200, 200, 200)),
    ("start", "post", "686a", (401, 403, 409, 409, 302, 403, 403)),  # the casino has a draft of the game
    ("start-from", "get", "686a", (302, 200, 200, 200, 200, 200, 200)),
    ("start-from", "get", "999z", (302, 404, 404, 404, 404, 404, 404)),
    ("start-from", "post", "686a", (401, 400, 400, 400, 400, 400, 400)),  # without a source
    ("submission", "get", "{draft}", (302, 200, 200, 200, 404, 404, 404)),
    ("submission", "get", "{filed}", (302, 200, 200, 200, 404, 200, 200)),
    ("checklist", "get", "{draft}", (302, 200, 200, 200, 404, 404, 404)),
    ("checklist", "post", "{draft}", (401, 403, 302, 302, 404, 404, 404)),
    ("checklist", "post", "{filed}", (401, 403, 403, 403, 404, 403, 403)),
    ("figures", "get", "{draft} discard_rack_equal", (302, 404, 404, 404, 404, 404, 404)),
    ("figures", "get", "{returned} trips_paytable", (302, 200, 200, 200, 404, 404, 404)),
    ("planned-day", "get", "{draft}", (302, 405, 405, 405, 405, 405, 405)),
    ("planned-day", "post", "{draft}", (401, 403, 302, 302, 404, 404, 404)),
    ("planned-day", "post", "{filed}", (401, 403, 403, 403, 404, 403, 403)),
    ("groups", "get", "{draft}", (302, 200, 200, 200, 404, 404, 404)),
    ("groups", "post", "{draft}", (401, 403, 400, 400, 404, 404, 404)),
    ("groups", "post", "{filed}", (401, 403, 403, 403, 404, 403, 403)),
    ("group", "get", "{draft} 1", (302, 200, 200, 200, 404, 404, 404)),
    ("group", "get", "{draft} 2", (302, 404, 404, 404, 404, 404, 404)),
    ("group", "post", "{draft} 1", (401, 403, 400, 400, 404, 404, 404)),
    ("group-remove", "post", "{draft} 2", (401, 403, 409, 409, 404, 404, 404)),
    ("file", "get", "{draft}", (302, 200, 200, 200, 404, 404, 404)),
    ("file", "post", "{draft}", (401, 409, 409, 409, 404, 404, 404)),
    ("receipt", "get", "{filed}", (302, 200, 200, 200, 404, 200, 200)),
    ("progress", "get", "{filed}", (302, 200, 200, 200, 404, 200, 200)),
    ("round", "get", "{draft}", (302, 404, 404, 404, 404, 404, 404)),
    ("round", "get", "{filed}", (302, 400, 400, 400, 404, 400, 400)),  # not simulated yet
    ("document", "get", "{filed}", (302, 404, 404, 404, 404, 404, 404)),
    ("attachment", "get", "{filed} " + "0" * 64, (302, 404, 404, 404, 404, 404, 404)),
    ("draft", "get", "{filed}", (302, 404, 404, 404, 404, 404, 404)),
    ("draft", "get", "{returned}", (302, 202, 202, 202, 404, 404, 404)),
    ("draft-of-revision", "get", "{filed} 1", (302, 202, 202, 202, 404, 202, 202)),
    ("draft-of-revision", "get", "{filed} 2", (302, 404, 404, 404, 404, 404, 404)),
    ("draft-of-revision", "get", "{draft} 1", (302, 404, 404, 404, 404, 404, 404)),
    ("paper-draft", "get", "{filed} 0 layout svg", (302, 200, 200, 200, 404, 200, 200)),
    ("paper-draft", "get", "{filed} 7 layout svg", (302, 404, 404, 404, 404, 404, 404)),
    ("paper-draft", "get", "{filed} 0 layout png", (302, 404, 404, 404, 404, 404, 404)),
    ("paper-draft", "get", "{filed} 0 sign pdf", (302, 202, 202, 202, 404, 202, 202)),
    ("paper-draft", "get", "{filed} 0 felt pdf", (302, 404, 404, 404, 404, 404, 404)),
    ("paper-draft", "get", "{draft} 0 layout svg", (302, 200, 200, 200, 404, 404, 404)),
    ("checklist", "get", "{returned}", (302, 200, 200, 200, 404, 302, 302)),
    ("file", "get", "{returned}", (302, 200, 200, 200, 404, 302, 302)),
    ("send-to-manager", "get", "{draft}", (302, 405, 405, 405, 405, 405, 405)),
    ("send-to-manager", "post", "{draft}", (401, 409, 409, 409, 404, 404, 404)),  # without the version that was seen
    ("send-to-manager", "post", "{returned}", (401, 409, 409, 409, 404, 409, 409)),
    ("send-back", "get", "{draft}", (302, 405, 405, 405, 405, 405, 405)),
    ("send-back", "post", "{draft}", (401, 409, 409, 409, 404, 404, 404)),
    ("delete-draft", "get", "{draft}", (302, 200, 200, 200, 404, 404, 404)),
    ("delete-draft", "get", "{filed}", (302, 200, 200, 200, 404, 200, 200)),  # with the reason why not
    ("delete-draft", "post", "{draft}", (401, 409, 409, 409, 404, 404, 404)),
    ("decide", "get", "{filed} recommend", (302, 405, 405, 405, 405, 405, 405)),
    ("decide", "post", "{filed} recommend", (401, 409, 409, 409, 404, 409, 409)),
    ("decide", "post", "{filed} return", (401, 409, 409, 409, 404, 409, 409)),
    ("decide", "post", "{filed} approve", (401, 409, 409, 409, 404, 409, 409)),
    ("decide", "post", "{filed} reject", (401, 409, 409, 409, 404, 409, 409)),
    ("decide", "post", "{filed} withdraw", (401, 409, 409, 409, 404, 409, 409)),
    ("assign", "get", "{filed}", (302, 405, 405, 405, 405, 405, 405)),
    ("assign", "post", "{draft}", (401, 403, 403, 403, 404, 404, 404)),
    ("assign", "post", "{filed}", (401, 403, 403, 403, 404, 400, 400)),  # without a person
    ("layout-assign", "get", "{laid}", (302, 405, 405, 405, 405, 405, 405)),
    ("layout-assign", "post", "{laid}", (401, 403, 403, 403, 404, 404, 404)),  # a draft
    ("remark", "get", "{filed}", (302, 405, 405, 405, 405, 405, 405)),
    ("remark", "post", "{draft}", (401, 403, 403, 403, 404, 404, 404)),
    ("remark", "post", "{filed}", (401, 403, 403, 403, 404, 409, 409)),  # without the revision that was seen
    ("remark-follow", "get", "{filed} 1", (302, 405, 405, 405, 405, 405, 405)),
    ("remark-follow", "post", "{filed} 1", (401, 404, 404, 404, 404, 404, 404)),
    ("remark-follow", "post", "{returned} {question}", (401, 404, 404, 404, 404, 404, 404)),  # without saying what
    ("layout-start", "get", "{draft} 0", (302, 200, 200, 200, 404, 404, 404)),
    ("layout-start", "get", "{filed} 0", (302, 200, 200, 200, 404, 200, 200)),
    ("layout-start", "get", "{filed} 7", (302, 404, 404, 404, 404, 404, 404)),
    ("layout-start", "post", "{filed} 0", (401, 403, 400, 400, 404, 403, 403)),  # without a part
    ("layout", "get", "{laid}", (302, 200, 200, 200, 404, 404, 404)),
    ("layout-progress", "get", "{laid}", (302, 286, 286, 286, 404, 404, 404)),
    ("layout-upload", "get", "{laid}", (302, 405, 405, 405, 405, 405, 405)),
    ("layout-upload", "post", "{laid}", (401, 400, 400, 400, 404, 404, 404)),  # without a file
    ("layout-positions", "post", "{laid}", (401, 400, 400, 400, 404, 404, 404)),
    ("layout-inspect", "post", "{laid}", (401, 403, 400, 400, 404, 404, 404)),
    ("layout-mark", "post", "{laid}", (401, 404, 404, 404, 404, 404, 404)),
    ("layout-unmark", "post", "{laid} 1", (401, 404, 404, 404, 404, 404, 404)),
    ("layout-file", "post", "{laid}", (401, 409, 409, 409, 404, 404, 404)),
    ("layout-withdraw", "post", "{laid}", (401, 409, 409, 409, 404, 404, 404)),
    ("layout-judge", "get", "{shown}", (302, 405, 405, 405, 405, 405, 405)),
    ("layout-judge", "post", "{laid}", (401, 409, 409, 409, 404, 404, 404)),
    ("layout-judge", "post", "{shown}", (401, 409, 409, 409, 404, 409, 409)),  # without the version that was seen
    ("layout-decide", "post", "{laid} notify", (401, 409, 409, 409, 404, 404, 404)),
    ("layout-decide", "post", "{shown} notify", (401, 409, 409, 409, 404, 409, 409)),
    ("layout-decide", "post", "{shown} recommend", (401, 409, 409, 409, 404, 409, 409)),
    ("layout-decide", "post", "{shown} approve", (401, 409, 409, 409, 404, 409, 409)),
    ("layout-decide", "post", "{shown} reject", (401, 409, 409, 409, 404, 409, 409)),
    ("layout-compare", "get", "{laid}", (302, 200, 200, 200, 404, 404, 404)),
    ("layout-compare", "get", "{shown}", (302, 200, 200, 200, 404, 200, 200)),
    ("layout", "get", "{shown}", (302, 200, 200, 200, 404, 200, 200)),
    ("layout-drawing", "get", "{laid} 1", (302, 404, 404, 404, 404, 404, 404)),
    ("layout-picture", "get", "{laid} 1 1", (302, 404, 404, 404, 404, 404, 404)),
    ("rulemakings", "get", "", EVERYBODY),
    ("rulemaking-start", "get", "", (302, 405, 405, 405, 405, 405, 405)),
    ("rulemaking-start", "post", "", (401, 403, 403, 403, 403, 400, 400)),  # without a title
    ("rulemaking", "get", "{rulemaking}", (404, 404, 404, 404, 404, 200, 200)),
    ("rulemaking-change", "get", "{rulemaking}", (302, 404, 404, 404, 404, 200, 200)),
    ("rulemaking-change", "post", "{rulemaking}", (401, 404, 404, 404, 404, 409, 409)),  # without its version
    ("rulemaking-change-remove", "post", "{rulemaking}", (401, 404, 404, 404, 404, 404, 404)),  # it has no change
    ("rulemaking-form", "get", "{rulemaking}", (302, 404, 404, 404, 404, 200, 200)),
    ("rulemaking-form", "post", "{rulemaking}", (401, 404, 404, 404, 404, 400, 400)),  # nothing is chosen
    ("rulemaking-trial", "get", "{rulemaking}", (302, 404, 404, 404, 404, 200, 200)),
    ("rulemaking-trial", "post", "{rulemaking}", (401, 404, 404, 404, 404, 400, 400)),  # it changes nothing
    ("rulemaking-trial-csv", "get", "{rulemaking}", (302, 404, 404, 404, 404, 404, 404)),  # not tried
    ("rulemaking-trial-pdf", "get", "{rulemaking}", (302, 404, 404, 404, 404, 404, 404)),
    ("rulemaking-publish", "post", "{rulemaking}", (401, 404, 404, 404, 404, 409, 409)),  # without its version
    ("rulemaking-withdraw", "post", "{rulemaking}", (401, 404, 404, 404, 404, 409, 409)),
    ("equal-filings", "get", "recommend nothing", (302, 403, 403, 403, 403, 404, 404)),
    ("equal-filings", "post", "approve nothing", (401, 403, 403, 403, 403, 404, 404)),
    ("workload", "get", "", (302, 403, 403, 403, 403, 200, 200)),
    ("workload-csv", "get", "", (302, 403, 403, 403, 403, 200, 200)),
    ("calendar", "get", "", (302, 200, 200, 200, 200, 200, 200)),
    ("calendar-ics", "get", "", (302, 200, 200, 200, 200, 200, 200)),
    ("save-view", "post", "", (401, 403, 403, 403, 403, 400, 400)),  # nothing is filtered
    ("search", "get", "", (302, 200, 200, 200, 200, 200, 200)),
    ("export-csv", "get", "", (302, 200, 200, 200, 200, 200, 200)),
    ("export-zip", "get", "", (302, 400, 400, 400, 400, 400, 400)),  # nothing is signed yet
    ("export", "get", "{export}", (302, 404, 404, 200, 404, 404, 404)),  # who requested it
    ("export-file", "get", "{export}", (302, 404, 404, 404, 404, 404, 404)),  # not written yet
    ("keep-filter", "post", "", (401, 400, 400, 400, 400, 400, 400)),
    ("forget-filter", "post", "1", (401, 404, 404, 404, 404, 404, 404)),
    ("bulk", "get", "", (302, 200, 200, 200, 200, 200, 200)),
    ("bulk", "post", "", (401, 403, 400, 400, 400, 400, 400)),  # without a file
    ("bulk-workbook", "get", "", (302, 403, 200, 200, 200, 400, 400)),  # the Board has nothing to change
    ("batch", "get", "{batch}", (302, 200, 200, 200, 404, 404, 404)),
    ("batch-progress", "get", "{batch}", (302, 200, 200, 200, 404, 404, 404)),
    ("batch-result", "get", "{batch}", (302, 200, 200, 200, 404, 404, 404)),
    ("batch-result-workbook", "get", "{batch}", (302, 200, 200, 200, 404, 404, 404)),
    ("batch-confirm", "post", "{batch}", (401, 409, 409, 409, 404, 404, 404)),  # before it was checked
    ("batch-discard", "post", "{batch}", (401, 403, 409, 409, 404, 404, 404)),
    ("notices", "get", "", (302, 200, 200, 200, 200, 200, 200)),
    ("notices", "post", "", (401, 400, 400, 400, 400, 400, 400)),  # without a choice
    ("people", "get", "", (302, 200, 200, 200, 200, 200, 200)),
    ("people", "post", "", (401, 403, 403, 403, 403, 403, 403)),
    ("stand-ins", "get", "", (302, 200, 200, 200, 200, 200, 200)),
    ("stand-ins", "post", "", (401, 403, 403, 400, 400, 403, 403)),  # without a person
    ("stand-in-end", "get", "1", (302, 405, 405, 405, 405, 405, 405)),
    ("stand-in-end", "post", "1", (401, 404, 404, 404, 404, 404, 404)),
    ("person", "get", "{colleague}", (302, 403, 403, 403, 404, 404, 404)),
    ("person", "post", "{colleague}", (401, 403, 403, 403, 404, 404, 404)),
    ("person-action", "post", "{colleague} deactivate", (401, 403, 403, 403, 404, 404, 404)),
    ("invitation", "post", "1 withdraw", (401, 403, 403, 403, 403, 403, 403)),
    ("credentials", "get", "", (302, 403, 403, 403, 403, 403, 403)),  # none of them administers anything
    ("credentials", "post", "", (401, 403, 403, 403, 403, 403, 403)),
    ("credential", "get", "1", (302, 403, 403, 403, 403, 403, 403)),
    ("credential-action", "post", "1 revoke", (401, 403, 403, 403, 403, 403, 403)),
    ("security-log", "get", "", (302, 403, 403, 403, 403, 403, 403)),
    ("security-log-export", "get", "", (302, 403, 403, 403, 403, 403, 403)),
    ("operations", "get", "", (302, 403, 403, 403, 403, 403, 403)),
    ("job-run-again", "get", "1", (302, 403, 403, 403, 403, 403, 403)),
    ("job-run-again", "post", "1", (401, 403, 403, 403, 403, 403, 403)),
    ("webhooks", "get", "", (302, 403, 403, 403, 403, 403, 403)),
    ("webhooks", "post", "", (401, 403, 403, 403, 403, 403, 403)),
    ("webhook", "get", "1", (302, 403, 403, 403, 403, 403, 403)),
    ("webhook-action", "post", "1 end", (401, 403, 403, 403, 403, 403, 403)),
    ("webhook-replay", "post", "1 unknown", (401, 403, 403, 403, 403, 403, 403)),
    ("help", "get", "", EVERYBODY),
    ("help", "post", "", (405,) * 7),
    ("help-glossary", "get", "", EVERYBODY),
    ("help-role", "get", "analyst", EVERYBODY),
    ("help-role", "get", "unknown", (404,) * 7),
    ("close-tour", "get", "", (302,) + (405,) * 6),
    ("close-tour", "post", "", (401,) + (302,) * 6),
    ("api-explorer", "get", "", EVERYBODY),
    ("api-explorer", "post", "", (405,) * 7),
    ("catalogue", "get", "", EVERYBODY),
    ("account_reauthenticate", "get", "", (302,) * 7),  # on to where one came from: each has just confirmed
    ("account_reauthenticate", "post", "", (401,) + (302,) * 6),
    ("agency-sign-in", "get", "", (404,) * 7),  # not configured
    ("agency-signed-out", "get", "", (404,) * 7),
    ("passkey-options", "get", "", (302,) + (200,) * 6),
    ("passkey-options", "post", "", (401,) + (405,) * 6),
    ("end-session", "post", "0", (401, 404, 404, 404, 404, 404, 404)),
    ("property-switch", "get", "", (302, 405, 405, 405, 405, 405, 405)),
    ("property-switch", "post", "", (401, 404, 404, 404, 404, 404, 404)),  # without a property
    ("join", "get", "unknown", (404,) * 7),
)


@pytest.fixture
def cast(
    reader: Person, preparer: Person, manager: Person, stranger: Person, analyst: Person, director: Person
) -> dict[str, Person | None]:
    people = (None, reader, preparer, manager, stranger, analyst, director)
    return dict(zip(CAST, people, strict=True))


@pytest.fixture
def returned(manager: Person, analyst: Person) -> Submission:
    submission = complete(manager, "687a")
    filing.file_submission(manager, submission, version=submission.version, attested=True)
    submission.refresh_from_db()
    decisions.return_to_licensee(analyst, submission, version=submission.version, reason="Which shuffler?")
    return submission


def test_addresses_for_everybody(
    cast: dict[str, Person | None], preparer: Person, draft: Submission, filed: Submission, returned: Submission
) -> None:
    numbers = {
        "draft": draft.number,
        "filed": filed.number,
        "returned": returned.number,
        "colleague": cast["preparer"].pk,
        "rulemaking": drafting.start_rulemaking(cast["analyst"], title="Trips", source="57 Pa.B. 1001").number,
        "question": Remark.objects.get().pk,
        "laid": layout_filings.start_layout_filing(preparer, filed, 0, ["layout"]).number,
        "batch": send(preparer, {"action": "create", "chapter": "686a"}, needs_confirmation=True).number,
        "shown": layout_row(returned.revisions.get()).number,
        "order": waiver(cast["director"]).number,
        "export": request_export(cast["manager"], ExportRequest(KIND, "all.csv", CSV, 1, "", {"keys": [1]})).pk,
    }
    table_groups.add_group(preparer, draft, GroupDescription("High limit", "3"))
    enter(preparer, ("12", "686a"))
    clients = {who: browser(person) for who, person in cast.items()}
    found, expected = {}, {}
    for name, method, arguments, statuses in WALK + OUTSIDE:
        address = reverse(name, args=arguments.format(**numbers).split())
        for who, status in zip(CAST, statuses, strict=True):
            found[name, method, arguments, who] = getattr(clients[who], method)(address).status_code
            expected[name, method, arguments, who] = status
    assert found == expected


def test_walk_leaves_out_no_address() -> None:
    assert {address.name for address in ADDRESSES} == {name for name, *_ in WALK}


def test_every_address_of_the_project_is_walked() -> None:
    walked = {name for name, *_ in WALK + OUTSIDE}
    assert set(names(get_resolver())) == walked


def names(patterns: URLResolver) -> Iterator[str | None]:
    """Those of the API are walked in `tests/submissions/api/test_access.py`."""
    for one in patterns.url_patterns:
        if isinstance(one, URLResolver) and one.namespace == "api":
            continue
        yield from names(one) if isinstance(one, URLResolver) else [one.name]


def test_nobody_signs_up(board: Organization) -> None:
    form = {"email": "new@board.example.test", "password1": PASSWORD, "password2": PASSWORD}
    assert "By invitation only" in browser().post(reverse("account_signup"), form).content.decode()
    assert not Person.objects.exists()


def test_sign_in_leads_back_to_the_page(draft: Submission) -> None:
    address = reverse("checklist", args=[draft.number])
    assert browser().get(address)["Location"] == f"/accounts/login/?next={address}"


def test_step_with_the_right_version_is_refused_by_role(preparer: Person, filed: Submission) -> None:
    address = reverse("decide", args=[filed.number, "recommend"])
    answer = browser(preparer).post(address, {"version": filed.version})
    assert answer.status_code == 403
    assert "Analyst or a Director may do this." in answer.content.decode()
