"""The components of pages: each is a tag of the templates, its HTML in `templates/components`.

A component is rendered with its arguments only, and nothing is left around it, so that a comma may follow a section.
Parts of pages that share the page's context are included from `templates/parts` instead. The table of contents of a
long page is made of the headings that the page has, without script: a heading with an id is an entry, `data-contents`
gives a long heading a short entry, and leaves it out if it is empty.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from functools import lru_cache
from typing import Any

from django.forms.utils import flatatt
from django.template.loader import render_to_string
from django.utils.html import escape, format_html, format_html_join, strip_tags
from django.utils.safestring import SafeString, mark_safe

from games.registry import general_notes
from games.rules.differences import TextPart
from games.rules.model import Finding, Reading
from submissions.core.errors import Refusal
from submissions.models import Batch
from submissions.web import formatting, forms
from submissions.web.help.pages import terms

FEWEST = 3  # entries; with fewer there is nothing to choose from
_HEADING = re.compile(r"<h([23])\b([^>]*)>(.*?)</h\1>", re.DOTALL)
_ID = re.compile(r'\bid="([^"]+)"')
_ENTRY = re.compile(r'\bdata-contents="([^"]*)"')


@dataclass(frozen=True, slots=True)
class ContentsEntry:
    """A heading: its id and its text (already escaped, as in the page)."""

    target: str
    text: SafeString


def entries_of(html: str, deepest: int = 2) -> list[ContentsEntry]:
    """Return the entries of a part of a page; `deepest` is the lowest level of headings, 2 or 3. Too few are none."""
    entries = list(_entries(html, deepest))
    return entries if len(entries) >= FEWEST else []


def _entries(html: str, deepest: int) -> Iterator[ContentsEntry]:
    for level, attributes, content in _HEADING.findall(html):
        target, entry = _ID.search(attributes), _ENTRY.search(attributes)
        text = entry[1] if entry else " ".join(strip_tags(content).split())
        if target and text and int(level) <= deepest:
            yield ContentsEntry(target[1], mark_safe(text))


Context = Mapping[str, Any]  # of the page
REMEMBERED = 5_000  # links to sections, and of everything else that a page repeats
REMEMBERED_LISTS = 100  # of options: their counts change
LINKED_TERMS = "portal.linked_terms"  # key of a WSGI environment: the terms that the page leads to so far
_MARKS = {
    "deleted": ("del", "deleted: ", " end of deletion "),
    "inserted": ("ins", "inserted: ", " end of insertion "),
}


def _component(template_name: str, /, **context: object) -> SafeString:
    return mark_safe(render_to_string(f"components/{template_name}.html", context).strip())


def section(context: Context, citation: str) -> SafeString:
    """Return a citation, linked to its section's text where the portal has it: of the day `rules_on` of the page."""
    return _section(citation, formatting.section_address(citation, context.get("rules_on")))


@lru_cache(maxsize=REMEMBERED)
def _section(citation: str, address: str) -> SafeString:
    words = formatting.keep_section_signs(citation)
    if not address:
        return format_html('<span class="section">{}</span>', words)
    link = '<a class="section" href="{0}" hx-get="{0}" hx-target="#section-body" data-section>{1}</a>'
    return format_html(link, address, words)  # many a page has a hundred: a template for each would be half its cost


def finding(context: Context, finding: Finding) -> SafeString:
    """Return a finding: severity, what it says, what to do, and its section on the day `rules_on` of the page."""
    return _component("finding", finding=finding, rules_on=context.get("rules_on"))


def marked_words(words: Iterable[TextPart]) -> SafeString:
    """Return two versions of a text in one: deleted and inserted words are marked, also for a screen reader."""
    return format_html_join("", "{}", ((_marked(part),) for part in words))


def _marked(part: TextPart) -> SafeString:
    words = mark_safe(str(escape(part.words)).replace("\n\n", "<br>").replace("\n", "<br>"))
    if part.change == "same":
        return words
    tag, begins, ends = _MARKS[part.change]
    return format_html(
        '<{0}><span class="usa-sr-only">{1}</span>{2}<span class="usa-sr-only">{3}</span></{0}>',
        tag,
        begins,
        words,
        ends,
    )


def reading(context: Context, reading: Reading | Mapping[str, str]) -> SafeString:
    """Return what is printed, how it is read and why: of the rules, or as a filing has it."""
    said = reading if isinstance(reading, Mapping) else asdict(reading)
    return _reading(said["printed"], said["reading"], said["evidence"], section(context, said["citation"]))


@lru_cache(maxsize=REMEMBERED)
def _reading(printed: str, reading: str, evidence: str, section: SafeString) -> SafeString:
    return _component("reading", printed=printed, reading=reading, evidence=evidence, section=section)


def folded_reading(context: Context, filed: Mapping[str, str]) -> SafeString:
    """Return the reading as a filing has it, under a summary."""
    return _folded_reading(filed["citation"], filed["reading"], reading(context, filed))


@lru_cache(maxsize=REMEMBERED)
def _folded_reading(citation: str, words: str, content: SafeString) -> SafeString:
    return _component("folded_reading", citation=citation, words=words, content=content)


def general_note(note_id: str, about: str) -> SafeString:
    """Return a note on the general provisions, folded under what it is `about`; `KeyError` for an unknown id."""
    return _component("general_note", reading=general_notes()[note_id], about=about)


def term(context: Context, key: str, label: str) -> SafeString:
    """Return a word that leads to its meaning in the glossary, and shows it where it comes first on the page.

    Elsewhere the word alone. `KeyError` if the glossary has no such term.
    """
    meaning = {row["key"]: row["meaning"] for row in terms()}[key]
    linked = _linked_terms(context)
    if key in linked:
        return SafeString(escape(label))
    linked.add(key)
    return _component("term", key=key, label=label, meaning=meaning)


def terms_in(context: Context, text: str) -> SafeString:
    """Return the words in a chapter's text that the glossary explains, each where it comes first; "" for none."""
    named = [row for row in terms() if row.get("in_texts") and row["word"].lower() in text.lower()]
    first = [row for row in named if row["key"] not in _linked_terms(context)]
    if not first:
        return SafeString()
    links = format_html_join(", ", "{}", ((term(context, row["key"], row["word"].lower()),) for row in first))
    return format_html('<p class="usa-hint">Glossary: {}</p>', links)


def _linked_terms(context: Context) -> set[str]:
    """Return the terms that the page leads to so far; a part without a request is a page of its own."""
    request = context.get("request")
    linked: set[str] = set() if request is None else request.META.setdefault(LINKED_TERMS, set())
    return linked


def batch_sender(batch: Batch) -> SafeString:
    """Return who sent a bulk update: a person, or an API key with its visible part."""
    return _component("batch_sender", batch=batch)


def status_badge(of: Any) -> SafeString:
    """Return the status of a submission or of a layout filing, or any other member of an enumeration with labels."""
    kind: Any = type(of)
    return _badge(kind, of if isinstance(of, Enum) else of.status)


@lru_cache(maxsize=REMEMBERED)
def _badge(kind: Any, status: str) -> SafeString:
    """Return the badge; `kind`: the model or the enumeration, two of which may share a value under other labels."""
    label = kind(status).label if issubclass(kind, Enum) else kind(status=status).get_status_display()
    return format_html('<span class="state state--{}">{}</span>', status, label)


def alert(
    context: Context, content: SafeString, kind: str = "info", heading: str = "", *, is_summary: bool = False
) -> SafeString:
    """Return a message above a page; errors and warnings are announced at once. It may be a refusal's summary."""
    is_summary = is_summary or (kind == "error" and forms.shows_refusal(context))
    links = forms.error_links(context) if is_summary else []
    return _component("alert", content=content, kind=kind, heading=heading, is_summary=is_summary, links=links)


def refusal_alert(context: Context, heading: str = "There is a problem", further: str = "") -> SafeString:
    """Return the message that the page's `refusal` is, with a `further` sentence; "" without a refusal."""
    refusal = context.get("refusal")
    if not refusal:
        return SafeString()
    words = " ".join(filter(None, (refusal.message, refusal.fix, further)))
    content = SafeString(escape(formatting.keep_section_signs(words)))
    return alert(context, content, "error", formatting.refusal_heading(refusal.status, heading, heading))


def column_headings(*names: str) -> SafeString:
    """Return the head of a table: a row of column headings; with "#" before its name, that of a column of numbers."""
    cells = format_html_join("", '<th scope="col"{}>{}</th>', map(_heading, names))
    return format_html("<thead><tr>{}</tr></thead>", cells)


def _heading(name: str) -> tuple[SafeString, str]:
    words = type(name)(name.removeprefix("#"))  # of the same type: what needs no escape stays so
    return SafeString(' class="number"' if words != name else ""), words


def data_table(
    content: SafeString,
    *columns: str,
    label: str = "",
    about: str = "",
    labeled_by: str = "",
    caption: str = "",
    look: str = "",
    borderless: bool = True,
    scrolls: bool = True,
) -> SafeString:
    """Return a table in a region that scrolls, named by a `label` (and what it is `about`) or by the id `labeled_by`.

    With `columns`, the content is the rows below their headings; without, it is all that the table has. A table that
    needs no region has the name itself.
    """
    said = ": ".join(filter(None, (label, about)))
    name = flatatt({"aria-labelledby": labeled_by or None, "aria-label": said or None})
    classes = " ".join(filter(None, ("usa-table", "usa-table--borderless" if borderless else "", look)))
    titled = format_html("<caption>{}</caption>", caption) if caption else ""
    inside = format_html("{}<tbody>{}</tbody>", column_headings(*columns), content) if columns else content
    named = SafeString() if scrolls else name
    table = format_html('<table class="{}"{}>{}{}</table>', classes, named, titled, inside)
    return format_html('<div class="scroll" tabindex="0" role="region"{}>{}</div>', name, table) if scrolls else table


def fact(content: SafeString, name: str, look: str = "") -> SafeString:
    """Return a fact of a list of them: its name and its value."""
    given = flatatt({"class": look or None})
    return format_html("<div><dt>{}</dt><dd{}>{}</dd></div>", name, given, mark_safe(content.strip()))


def fact_row(content: SafeString, name: str, look: str = "") -> SafeString:
    """Return a fact of a document's table of them: its name and its value."""
    given = flatatt({"class": look or None})
    return format_html('<tr><th scope="row">{}</th><td{}>{}</td></tr>', name, given, mark_safe(content.strip()))


def choice(content: SafeString, kind: str, name: str, value: str = "", chosen: object = False) -> SafeString:
    """Return a checkbox or a radio button (`kind`) with the content as its label; without a value it says "yes"."""
    key = f"{name}-{value}" if value else name
    marked = flatatt({"type": kind, "id": key, "name": name, "value": value or "yes"}) + _flag("checked", chosen)
    html = """<div class="usa-{0}"><input class="usa-{0}__input"{1}>
<label class="usa-{0}__label" for="{2}">{3}</label></div>"""
    return format_html(html, kind, marked, key, mark_safe(content.strip()))


def _flag(attribute: str, holds: object) -> SafeString:
    return SafeString(f" {attribute}" if holds else "")


def page_contents(content: SafeString, deepest: int = 2) -> SafeString:
    """Return the links to the headings of a long page, and then the page."""
    return _component("page_contents", entries=entries_of(content, deepest)) + content


def form_group(content: SafeString, name: str, label: str, fault: Refusal | None = None) -> SafeString:
    """Return an input with its label and, where the value was refused, the reason."""
    return _component("form_group", content=content, name=name, label=label, fault=fault)


def text_field(
    name: str, label: str, value: str = "", fault: Refusal | None = None, **attributes: str | int
) -> SafeString:
    """Return a line of text to enter, with its label and, where the value was refused, the reason."""
    given = flatatt({"class": "usa-input", "id": name, "name": name, "value": value, **attributes})
    return form_group(format_html("<input{}{}>", given, error_attributes(name, fault)), name, label, fault)


def day_field(name: str, label: str, value: str, fault: Refusal | None = None) -> SafeString:
    """Return a day to enter; a refused one is shown as it was typed, which a browser's input of days cannot do."""
    return text_field(name, label, value, fault, type="text" if fault else "date")


def choice_field(
    name: str,
    label: str,
    choices: Iterable[tuple[str, str]],
    chosen: str,
    fault: Refusal | None = None,
    *,
    any: str = "Any",
) -> SafeString:
    """Return a list to choose from; its first entry leaves the choice open, unless `any` is empty."""
    listed = _options((("", any), *choices) if any else tuple(choices), str(chosen))
    select = '<select class="usa-select" id="{0}" name="{0}"{1}>{2}</select>'
    return form_group(format_html(select, name, error_attributes(name, fault), listed), name, label, fault)


@lru_cache(maxsize=REMEMBERED_LISTS)
def _options(choices: tuple[tuple[str, str], ...], chosen: str) -> SafeString:
    marked = ((value, _flag("selected", str(value) == chosen), words) for value, words in choices)
    return format_html_join("\n", '<option value="{}"{}>{}</option>', marked)


def error_attributes(name: str, fault: Refusal | None) -> SafeString:
    """Return the attributes of a refused input that point to the reason in its `form_group`, after a space."""
    if not fault:
        return SafeString()
    return format_html(' aria-invalid="true" aria-describedby="{}-fault"', name)


def pagination(
    context: dict[str, Any], parameter: str = "page", previous: str = "Newer", next: str = "Older"
) -> SafeString:
    """Return the links to the pages before and after `page`, where there are any; they keep `query`."""
    shown = {"page": context["page"], "query": context.get("query", "")}
    return _component("pagination", parameter=parameter, previous=previous, next=next, **shown)


def organization_pages(context: dict[str, Any], part: str) -> SafeString:
    """Return the links between an organization's pages, for its administrators; `part` is the one shown."""
    return _component("organization_pages", user=context["user"], part=part)


TAGS = (
    batch_sender, choice_field, column_headings, day_field, error_attributes, general_note, marked_words,
    status_badge, text_field,
)  # fmt: skip
TAGS_WITH_CONTEXT = (
    finding, folded_reading, organization_pages, pagination, reading, refusal_alert, section, term, terms_in,
)  # fmt: skip
BLOCK_TAGS = (choice, data_table, fact, fact_row, form_group, page_contents)
BLOCK_TAGS_WITH_CONTEXT = (alert,)
