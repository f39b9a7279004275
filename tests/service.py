"""Which tests are run again on PostgreSQL and Redis: those that a database or a broker can change.

`make test-service` does so.

A test is chosen when it uses the database (the marker `django_db`, or a fixture that leads to it), unless its module is
named in `PAGES_ONLY`. What depends on the engine is always run: locks, transactions, migrations, triggers, constraints,
queries into JSON, jobs, idempotency, bulk updates, filters and lists, kills of processes, brokers, daily duties.
On the embedded defaults all are run, these modules too.
"""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
DATABASE = {"db", "transactional_db", "django_db_reset_sequences", "live_server"}

# Module or folder → why its rows could lie in any database.
PAGES_ONLY = {
    "browser/test_chapters.py": "pages of the rules, drawn from files",
    "browser/test_checklist.py": "what the browser does with a form; submissions/web saves the same forms",
    "browser/test_credentials.py": "forms and downloads in the browser; submissions/web issues the same keys",
    "browser/test_evidence.py": "charts and replays as the browser shows them",
    "browser/test_groups.py": "forms in the browser; submissions/filings keeps the same groups",
    "browser/test_headers.py": "what the browser makes of headers",
    "browser/test_keyboard.py": "order of focus",
    "browser/test_layout_review.py": "marks on a drawing in the browser; submissions/layouts reviews the same filings",
    "browser/test_layouts.py": "previews in the browser",
    "browser/test_narrow.py": "widths of pages",
    "browser/test_notices.py": "how notices look; submissions/notifications makes them",
    "browser/test_people.py": "forms in the browser; submissions/accounts adds the same people",
    "browser/test_refusals.py": "how errors look",
    "browser/test_sign_in.py": "forms of django-allauth in the browser",
    "browser/test_versions.py": "how versions look; submissions/filings makes them",
    "portal/test_web_response.py": "the head that gunicorn writes",
    "submissions/api/test_generated_clients.py": "the examples of two more pages, as below",
    "submissions/api/test_guide.py": "the examples of docs/api.md; submissions/api makes each call by itself",
    "submissions/bulk/test_export_workbook.py": "cells of a workbook; submissions/bulk reads and writes the same rows",
    "submissions/one_truth/test_one_truth.py": "what each place says; the tests of the places make the same rows",
    "submissions/test_safety_headers.py": "headers of answers",
    "submissions/test_safety_words.py": "escaping in pages, documents and mail",
    "submissions/web": "views, which call the actions and lists of the other packages; test_budgets draws every page",
}

# Modules of these folders that are run again all the same, and why.
ON_BOTH = {
    "submissions/web/test_attempts.py": "counters that many processes raise at once",
    "submissions/web/test_search.py": "lists that are sorted and cut by the database",
    "submissions/web/test_security_records.py": "rows that are written beside a request's own transaction",
    "submissions/web/test_worklist.py": "lists that are sorted and cut by the database",
}


def depends_on_services(item: pytest.Item) -> bool:
    """Whether another database or broker could make this test fail."""
    fixtures = getattr(item, "fixturenames", ())
    uses_database = item.get_closest_marker("django_db") is not None or not DATABASE.isdisjoint(fixtures)
    module = item.path.relative_to(TESTS)
    pages_only = not PAGES_ONLY.keys().isdisjoint(path.as_posix() for path in (module, *module.parents))
    return uses_database and (not pages_only or module.as_posix() in ON_BOTH)
