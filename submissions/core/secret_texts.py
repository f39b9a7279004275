"""Secrets that are recognized by their form, wherever a caller puts them: they are removed before a text is stored.

Pure, and without Django: the log of every process uses it (`portal.logs`), and the security log. Not here: passphrases
and codes, which have no form to be recognized by; no field of a form is stored there.
"""

import re

_SECRETS = re.compile(
    r"""( rsp(?:_|%5f)(?:live|test)(?:_|%5f)[0-9a-f]{12}(?:_|%5f)   # an API key; its displayable part may stay
        | /invitations/ | /password/reset/key/
        ) [^/\s"'&<>?,;)\]}]+
        | (whsec_) [^\s"'&<>?,;)\]}]+                              # a webhook's: Base64, so it can contain slashes""",
    re.VERBOSE | re.IGNORECASE,
)
UNPRINTABLE = "\N{REPLACEMENT CHARACTER}"


def without_secrets(text: str) -> str:
    """Return the text, with “…” in the place of each secret."""
    return _SECRETS.sub(r"\1\2…", text)


def storable_text(text: str, longest: int) -> str:
    """Return one printable line without secrets, as PostgreSQL stores it, of at most `longest` characters."""
    line = "".join(character if character.isprintable() else UNPRINTABLE for character in text)
    return without_secrets(line)[:longest]
