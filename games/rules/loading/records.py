"""Options, wagers, requirements, layout elements, readings and figures, each from its table.

Here one table becomes one record. Not here: whether the records agree with each other (`consistency`),
paytables (`paytables`).
"""

from typing import get_args

from games.rules.citations import cite
from games.rules.loading.conditions import read_condition
from games.rules.loading.fields import Fields
from games.rules.model import (
    Basis,
    Choice,
    HouseWay,
    Kind,
    LayoutElement,
    Limits,
    MissingText,
    Option,
    Published,
    Reading,
    Requirement,
    Severity,
    Wager,
)

LAYOUT_KINDS = ("area", "card_area", "inscription", "sign", "device", "box", "position")


def read_option(row: Fields) -> Option:
    kind = row.one_of("kind", get_args(Kind))
    return Option(
        key=row.text("key"),
        citation=row.citation(),
        question=row.text("question"),
        kind=kind,
        group=row.text("group"),
        basis=row.one_of("basis", get_args(Basis)),
        choices=_choices(row) if kind == "choice" else (),
        asked_if=read_condition(row, "asked_if"),
        consistent_if=read_condition(row, "consistent_if") if row.has("consistent_if") else None,
        limits=_limits(row),
        wager=row.text("wager") if kind == "paytable" else "",
        required=row.flag("required", True),
        help=row.text("help", ""),
        as_printed=row.text("as_printed", ""),
        changes_figures=row.flag("changes_figures", False),
        cited_as_printed=row.citation("cited_as_printed", ""),
        period=row.period(),
    )


def _choices(row: Fields) -> tuple[Choice, ...]:
    """`choices = [["layout", "On the layout"], …]`: the value stored and the words shown."""
    pairs = row.take("choices", list)
    for pair in pairs:
        if not (isinstance(pair, list) and len(pair) == 2 and all(type(part) is str and part for part in pair)):
            row.refuse(f"the choice {pair!r} has no value or no label; [value, label] is allowed here")
    values = [value for value, _ in pairs]
    if len(set(values)) < max(2, len(values)):
        row.refuse(f"`choices` offers {values!r}; two or more different values are allowed here")
    return tuple(Choice(value, label) for value, label in pairs)


def _limits(row: Fields) -> Limits:
    if not row.has("limits"):
        return Limits()
    table = Fields(row.file, f"{row.where}, `limits`", row.take("limits", dict), row.number, row.sections)
    limits = Limits(
        at_least=table.decimal("at_least"),
        at_most=table.decimal("at_most"),
        longest=table.number_of("longest", Limits().longest),
        format=table.one_of("format", ("tables",), ""),
        citation=table.citation(default=""),
        subject=table.text("subject", ""),
        because=table.text("because", ""),
    )
    table.refuse_unknown()
    if limits.at_least is not None and limits.at_most is not None and limits.at_least > limits.at_most:
        table.refuse(f"`at_least` is {limits.at_least}, above `at_most` {limits.at_most}")
    if limits.because and not limits.citation:
        table.refuse("`because` gives a reason without the section that says so; `citation` is missing")
    return limits


def read_wager(row: Fields) -> Wager:
    return Wager(
        key=row.text("key"),
        name=row.text("name"),
        citation=row.citation(),
        size=row.text("size"),
        offered_by=row.text("offered_by", ""),
        paytable_option=row.text("paytable_option", ""),
        progressive=row.flag("progressive"),
        settled=row.citation("settled"),
        part_of=row.text("part_of", ""),
        minimum=row.text("minimum", ""),
        period=row.period(),
    )


def read_requirement(row: Fields) -> Requirement:
    must = read_condition(row, "must") if row.has("must") else None
    check = row.text("check", "")
    if (must is None) == (not check):
        row.refuse("one of `must` (a condition) and `check` (the name of a function in checks) is allowed, not both")
    named = row.texts("options")
    return Requirement(
        id=f"{row.number}.{row.text('id')}",
        citation=row.citation(),
        message=row.text("message"),
        fix=row.text("fix"),
        options=named,
        when=read_condition(row, "when"),
        must=must,
        check=check,
        covers=row.texts("covers"),
        leaves_out=row.texts("leaves_out"),
        severity=row.one_of("severity", get_args(Severity), "blocking"),
        period=row.period(),
    )


def read_element(row: Fields) -> LayoutElement:
    return LayoutElement(
        key=row.text("key"),
        citation=row.citation(),
        element=row.text("element"),
        kind=row.one_of("kind", LAYOUT_KINDS),
        condition=read_condition(row, "condition"),
        wording=row.text("wording", ""),
        per_position=row.flag("per_position"),
        wager=row.text("wager", ""),
        devised=row.flag("devised"),
        period=row.period(),
    )


def read_reading(row: Fields) -> Reading:
    return Reading(
        id=f"{row.number}.{row.text('id')}",
        citation=row.citation(),
        printed=row.text("printed"),
        reading=row.text("reading"),
        evidence=row.text("evidence"),
        touches=row.texts("touches"),
        period=row.period(),
    )


def read_published(row: Fields) -> Published:
    figure = Published(
        id=f"{row.number}.{row.text('id')}",
        wager=row.text("wager"),
        paytable=row.text("paytable", ""),
        measure=row.one_of("measure", ("payback", "hold")),
        value=row.text("value"),
        source=row.text("source"),
        denominator=row.text("denominator", ""),
        note=row.text("note", ""),
        period=row.period(),
    )
    row.exact(figure.value, "`value`")
    row.take("changed_cells", list, [])  # read by nothing; four chapters keep it, so that their digests stay
    return figure


def read_house_way(row: Fields) -> HouseWay:
    rules = row.take("rules", list)
    if not rules or not all(isinstance(rule, dict) for rule in rules):
        row.refuse("`rules` is empty or not a list of tables; a house way says how every seven cards are set")
    pairs = []
    for count, rule in enumerate(rules, start=1):
        line = Fields(row.file, f"{row.where}, rule {count}", rule)
        pairs.append((line.text("when"), line.text("set")))
        line.refuse_unknown()
    return HouseWay(row.text("key"), row.text("name"), tuple(pairs), row.period())


def read_missing_text(row: Fields) -> MissingText:
    """A rulemaking may remove a section later: whether the text has it is for `games check-chapter`."""
    sections = tuple(cite(section, row.number) for section in row.texts("sections"))
    if not sections:
        row.refuse("`sections` is empty; the sections whose text is missing are named here")
    return MissingText(row.text("what"), row.text("lacks"), sections, read_condition(row, "when"))
