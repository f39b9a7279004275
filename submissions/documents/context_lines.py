"""One line of the checklist as the paper prints it: the form's own words, what is corrected, whose line it is."""

from submissions.documents.document_record import Fields

SEPARATE, PORTAL = "†", "‡"  # a line of the form's "separate document", one that this portal asks


def line_context(snapshot: Fields, line: Fields) -> Fields:
    """The section without the chapter's number, as on the official form; an empty answer as text."""
    printed, cited = line.get("as_printed", ""), line.get("cited_as_printed", "")
    section, corrected = _short(snapshot, cited or line["citation"]), _short(snapshot, line["citation"])
    return {
        **line,
        "section": section,
        "read_section": corrected if cited else "",
        "description": printed or line["question"],
        "read_as": line["question"] if printed else "",
        "mark": _mark(snapshot, line),
        "answer": line["answer"] or "Not answered",
    }


def _short(snapshot: Fields, citation: str) -> str:
    return str(citation).removeprefix(f"§ {snapshot['chapter']['number']}")


def has_form(snapshot: Fields) -> bool:
    """Whether the chapter has an official form: some line is of it."""
    return any(line["basis"] == "form" for row in snapshot["configurations"] for line in row["lines"])


def lists_tables(line: Fields) -> bool:
    """Whether the line names tables; filings of before this was frozen are recognized by the line's key."""
    return bool(line.get("lists_tables", str(line["key"]).endswith("_tables")))


def _mark(snapshot: Fields, line: Fields) -> str:
    """Whose the line is, where the chapter has an official form: "" = of the form, else its sign in the legend."""
    if not has_form(snapshot):
        return ""
    if line["basis"] != "form":
        return PORTAL
    return SEPARATE if lists_tables(line) else ""
