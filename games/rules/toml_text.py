"""Tables of a change as TOML: what `tomllib` reads back equal. For the form that writes changes; files are by hand.

Not here: what the tables mean (`changes`).
"""

import json
import re
from collections.abc import Mapping
from datetime import date
from typing import Any

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPED = {ord("\\"): "\\\\", ord('"'): '\\"'}
_LINES = re.compile(r"[^\x00-\x09\x0b-\x1f\x7f]*")  # text that may be written over several lines


def toml_text(tables: Mapping[str, Any]) -> str:
    """A whole file: single values first, then tables, then lists of tables."""
    single = [f"{_key(key)} = {toml_value(value)}" for key, value in tables.items() if not _is_tables(value)]
    parts = ["\n".join(single)]
    for key, value in tables.items():
        if isinstance(value, dict):
            parts += _table(_key(key), value)
        elif _is_tables(value):
            parts += [f"[[{_key(key)}]]\n{_rows(row)}" for row in value]
    return "\n\n".join(part for part in parts if part) + "\n"


def toml_value(value: Any) -> str:
    """One value, as it stands behind `=`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, list):
        return f"[{', '.join(map(toml_value, value))}]"
    if isinstance(value, dict):
        return (
            f"{{ {', '.join(f'{_key(key)} = {toml_value(inner)}' for key, inner in value.items())} }}"
            if value
            else "{}"
        )
    return repr(value)


def _table(name: str, table: Mapping[str, Any]) -> list[str]:
    """The table, and each of its tables under its own heading."""
    single = {key: value for key, value in table.items() if not isinstance(value, dict)}
    inner = [
        part for key, value in table.items() if isinstance(value, dict) for part in _table(f"{name}.{_key(key)}", value)
    ]
    return [f"[{name}]\n{_rows(single)}".rstrip(), *inner] if single or not inner else inner


def _rows(table: Mapping[str, Any]) -> str:
    return "\n".join(f"{_key(key)} = {toml_value(value)}" for key, value in table.items())


def _is_tables(value: Any) -> bool:
    """Whether the value has headings of its own."""
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)
    )


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _one_line(key)


def _string(text: str) -> str:
    if "\n" in text and _LINES.fullmatch(text):
        return f'"""\n{text.translate(_ESCAPED)}"""'
    return _one_line(text)


def _one_line(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
