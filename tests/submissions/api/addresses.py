"""Every address of the API that reads, with the parts of the address in a world that has something of each kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.test import Client
from django.urls import reverse

from submissions.api.framework.views import BaseView
from submissions.api.urls import urlpatterns

# (route, view, name) of every address
ADDRESSES: list[tuple[str, BaseView, str]] = [
    (str(each.pattern), each.callback.cls(**each.callback.initkwargs), each.name)
    for each in urlpatterns
    if issubclass(each.callback.cls, BaseView)
]
WRITES: dict[str, BaseView] = {name: view for _, view, name in ADDRESSES if hasattr(view, "write")}
ARGUMENTS: dict[str, str] = {
    "chapter-schema": "687a", "data-dictionary": "",
    "root": "", "me": "", "status": "",
    "errors": "", "error": "not-found", "chapters": "", "chapter": "687a", "judge": "585", "submissions": "",
    "submission": "{number}", "revisions": "{number}", "revision": "{number} 1", "configurations": "{number}",
    "findings": "{number}", "simulations": "{number}", "remarks": "{number}", "layouts-of": "{number}",
    "documents": "{number}", "attachments": "{number}", "attachment": "{number} {attachment}", "events": "{number}",
    "feed": "", "layouts": "", "layout": "{layout}", "drawings": "{layout}", "drawing": "{layout} {drawing}",
    "papers": "{layout}", "inspection": "{layout}", "marks": "{layout}", "tables-csv": "{licensee}",
    "tables-xlsx": "{licensee}", "document": "{approved} {signed}", "document-file": "{approved} {signed}",
    "paper": "{layout} {paper}", "paper-file": "{layout} {paper}",
    "assignment": "{number}", "layout-assignment": "{layout}", "orders": "", "tables": "",
    "register": "", "in-force": "", "in-force-game": "{licensee} 687a", "batches": "", "batch": "{batch}",
    "batch-items": "{batch}", "batch-result": "{batch}", "batch-result-workbook": "{batch}",
    "webhooks": "", "webhook": "{webhook}",
    "webhook-deliveries": "{webhook}",
}  # fmt: skip
PUBLIC = (
    "root", "status", "errors", "error", "chapters", "chapter", "chapter-schema", "data-dictionary", "register",
    "in-force", "in-force-game",
)  # fmt: skip


def asked(client: Client, name: str, arguments: Mapping[str, object], parts: str | None = None) -> Any:
    """The answer at this address; `arguments` stand for its parts."""
    given = (ARGUMENTS[name] if parts is None else parts).format(**arguments)
    address = reverse(f"api:{name}", args=given.split())
    if name == "judge":
        return client.post(address, {"answers": {}}, content_type="application/json")
    return client.get(address)


def content_at(client: Client, name: str, arguments: Mapping[str, object], parts: str | None = None) -> Any:
    """What is read there; a file as its bytes."""
    answer = asked(client, name, arguments, parts)
    return answer.json() if answer["Content-Type"] == "application/json" else answer.getvalue().decode("latin-1")
