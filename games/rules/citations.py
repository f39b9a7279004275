"""How sections are named: short in the data (`.12(d)`), in full everywhere else (`§ 687a.12(d)`)."""


def cite(short: str, number: str) -> str:
    """The full citation: `.12(d)` of 687a → `§ 687a.12(d)`; `601a.2` → `§ 601a.2`; a full one stays."""
    if short.startswith("."):
        return f"§ {number}{short}"
    return short if short.startswith("§") else f"§ {short}"
