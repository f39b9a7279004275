"""The changes of a draft: pasted or uploaded as TOML, or written by the form, which makes the same TOML.

Nothing is stored before it was shown as TOML. After a refusal the text stays on the page.
"""

from datetime import date
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from games import registry
from submissions.core.errors import Forbidden, Refusal
from submissions.models import Rulemaking
from submissions.permissions import may_write
from submissions.rulemakings import change_form, drafting
from submissions.rulemakings.change_text import LONGEST
from submissions.rules import effective_rules
from submissions.rules.effective_rules import chapter_on
from submissions.web.access_gate import person_of
from submissions.web.error_summary import ANY_ENTRY
from submissions.web.responses import render_page, whole_number
from submissions.web.rulemakings.pages import rulemaking_of

EXAMPLE = """\
[guide.object]                 # each key replaces the whole of the guide's
words = "Have two hands that are higher than those of the dealer."
at = [".11(f)"]

[labels.odds]                  # odds that the layout shows, and their section
pai_gow = ["Winning Face Up Pai Gow Poker Wager", "1 to 1", ".12(a)"]

[[house_way]]                  # how the dealer sets a hand: one that exists, by its key
key = "traditional"
name = "Traditional way"
"""
"""What the form does not write, as the page shows it. A test reads it."""
METHODS = ("GET", "HEAD", "POST")


@require_http_methods(METHODS)
def change(request: HttpRequest, number: str) -> HttpResponse:
    """GET: the TOML of a change, `?chapter=…&effective=…`, or an empty one. POST: store it."""
    row = _writable(request, number)
    day = _day(request.GET.get("effective"))
    text = _stored_text(row, request.GET.get("chapter", ""), day) if day else ""
    if request.method != "POST":
        return _text_page(request, row, text)
    text, version = _sent_text(request), whole_number(request.POST.get("version", ""))
    try:
        written = drafting.write_change(person_of(request), row, text, version=version)
    except Refusal as refusal:
        return _text_page(request, row, text, refusal)
    messages.success(request, f"The change of chapter {written.chapter} is stored. Try the rulemaking again.")
    return redirect("rulemaking", number)


@require_POST
def remove(request: HttpRequest, number: str) -> HttpResponse:
    """Take a change out of the draft."""
    row = _writable(request, number)
    chapter, effective = request.POST.get("chapter", ""), _day(request.POST.get("effective"))
    if effective is None:
        raise Http404("This change does not exist.")
    version = whole_number(request.POST.get("version", ""))
    drafting.remove_change(person_of(request), row, chapter, effective, version=version)
    messages.success(request, f"The change of chapter {chapter} is removed.")
    return redirect("rulemaking", number)


@require_http_methods(METHODS)
def form(request: HttpRequest, number: str) -> HttpResponse:
    """GET: choose chapter, day, kind and record; then the record's values. POST: the TOML of what was entered."""
    row, sent = _writable(request, number), request.POST if request.method == "POST" else request.GET
    chosen = {name: sent.get(name, "") for name in ("chapter", "effective", "kind", "name")}
    try:
        context = _form_context(row, chosen)
        if request.method == "POST":
            if "day" not in context:
                raise Refusal("rule-change-unfit/form")
            return _text_page(request, row, _form_text(request, row, context), from_form=True)
    except Refusal as refusal:
        context = {"entered": request.POST.dict(), **_safe_context(row, chosen)}
        return _form_page(request, row, {**context, "chosen": chosen}, refusal)
    return _form_page(request, row, {**context, "chosen": chosen})


def _writable(request: HttpRequest, number: str) -> Rulemaking:
    """The draft, for the Board's staff who may write it."""
    row = rulemaking_of(request, number)
    verdict = may_write(request.user)
    if not verdict:
        raise Forbidden(verdict.code, verdict.reason)
    return row


def _text_page(
    request: HttpRequest, row: Rulemaking, text: str, refusal: Refusal | None = None, *, from_form: bool = False
) -> HttpResponse:
    context = {
        "rulemaking": row,
        "text": text or f'number = ""\neffective = \ntitle = "{row.title}"\nsource = "{row.source}"\n',
        "from_form": from_form,
        "example": EXAMPLE,
        "error_fields": {"file": "file", ANY_ENTRY: "text"},
        "here": "rulemakings",
    }
    return render_page(request, "pages/rulemaking_change.html", context, refusal)


def _form_page(
    request: HttpRequest, row: Rulemaking, context: dict[str, Any], refusal: Refusal | None = None
) -> HttpResponse:
    everything = {
        "rulemaking": row,
        "chapters": [(number, registry.title_of(number)) for number in registry.folders()],
        "kinds": change_form.KINDS.items(),
        "not_added": change_form.NOT_ADDED,
        "not_removed": (change_form.THE_CHAPTER, change_form.LABEL),
        "here": "rulemakings",
        **context,
        "inputs": (inputs := _inputs(context)),
    }
    first = next((name for name, _, _ in inputs), "body" if context.get("is_new") else "chapter")
    everything["error_fields"] = {"effective": "effective", ANY_ENTRY: first}
    return render_page(request, "pages/rulemaking_form.html", everything, refusal)


def _inputs(context: dict[str, Any]) -> list[tuple[str, Any, str]]:
    """(name of the input, the field, what it shows): after a refusal what was entered."""
    entered = context.get("entered", {})
    names = [(f"field-{place}", field) for place, field in enumerate(context.get("fields", ()))]
    return [(name, field, entered.get(name, field.present)) for name, field in names]


def _form_context(row: Rulemaking, chosen: dict[str, str]) -> dict[str, Any]:
    """What can be chosen next, as far as the choices are made: the records, then the values of one."""
    number, kind, day = chosen["chapter"], chosen["kind"], _day(chosen["effective"])
    if not number:
        return {}
    if number not in registry.folders() or kind not in change_form.KINDS:
        raise Refusal("rule-change-unknown-chapter", chapter=number, known=", ".join(registry.folders()))
    if day is None:
        raise Refusal("rule-change-unfit/day", option="effective", value=chosen["effective"][:40])
    data = registry.chapter_data(number, day, effective_rules.published_changes(number))
    sections = chapter_on(number, day).sections
    context: dict[str, Any] = {"records": change_form.record_choices(data, sections, kind), "day": day}
    if chosen["name"] and chosen["name"] != change_form.NEW:
        context["fields"] = change_form.record_fields(data, sections, kind, chosen["name"])
    return context | {"is_new": chosen["name"] == change_form.NEW}


def _safe_context(row: Rulemaking, chosen: dict[str, str]) -> dict[str, Any]:
    """The same after a refusal; nothing where the choices themselves were refused."""
    try:
        return _form_context(row, chosen)
    except Refusal:
        return {}


def _form_text(request: HttpRequest, row: Rulemaking, context: dict[str, Any]) -> str:
    """The TOML of the change with what was entered."""
    sent = request.POST
    number, kind, name, day = sent.get("chapter", ""), sent.get("kind", ""), sent.get("name", ""), context["day"]
    text = _stored_text(row, number, day)
    head = {"number": number, "effective": day, "title": row.title, "source": row.source}
    if name == change_form.NEW:
        return change_form.with_new_row(text, head, kind, sent.get("body", ""))
    if sent.get("removed") == "yes":
        return change_form.with_row(text, head, kind, name, {"removed": True})
    entered = {field.key: sent.get(f"field-{place}", "") for place, field in enumerate(context["fields"])}
    return change_form.with_row(text, head, kind, name, change_form.changed_row(context["fields"], entered))


def _stored_text(row: Rulemaking, chapter: str, day: date) -> str:
    """The TOML that the draft has for the chapter from that day on; "" for none."""
    stored = row.changes.filter(chapter=chapter, effective=day).first()
    return stored.text if stored else ""


def _sent_text(request: HttpRequest) -> str:
    """The file if one was sent, else the text."""
    file = request.FILES.get("file")
    if file is None:
        return str(request.POST.get("text", ""))
    try:
        return bytes(file.read(4 * LONGEST)).decode()
    except UnicodeDecodeError:
        raise Refusal("rule-change-unfit/file", option="file", name=str(file.name)[:80]) from None


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat((text or "").strip())
    except ValueError:
        return None
