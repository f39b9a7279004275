"""How the portal says no: a stable code, what happened, and what to do next. Both doors show the same words."""

from collections.abc import Sequence
from typing import Any

from games.rules.model import Finding
from submissions.core.error_catalog import Message, messages

SHOWN_REFUSAL = "portal.refusal"  # key of a WSGI environment: the code of the refusal that the response shows


class Refusal(Exception):
    """An action that was not carried out. Nothing was changed.

    `key`: the code, or `code/case` where a code has several texts in `messages.toml`; `values` fill in its names. Where
    the text is computed elsewhere, it is passed as `message`. `code` is stable (other programs rely on it); `message`
    says what and why; `fix` the next step; `option` the line concerned; `citation` the section, where there is one.
    `further`: what would have been refused next in the same form.
    """

    status = 400
    further: "tuple[Refusal, ...]" = ()

    def __init__(
        self,
        key: str,
        message: str = "",
        *,
        fix: str | None = None,
        option: str = "",
        citation: str = "",
        findings: Sequence[Finding] = (),
        **values: object,
    ) -> None:
        text = Message(message) if message else messages()[key]
        self.code, self.message = key.partition("/")[0], text.message if message else text.message.format(**values)
        self.fix = text.fix.format(**values) if fix is None else fix
        self.option, self.citation, self.findings = option, citation, tuple(findings)
        super().__init__(self.message)


class Forbidden(Refusal):
    """The person may see this but not do that."""

    status = 403


class NotFound(Refusal):
    """There is no such thing, or not for this person: nobody says which."""

    status = 404


class Conflict(Refusal):
    """Someone was faster: what is on the screen is no longer what is stored. `theirs` is what they stored."""

    status = 409

    def __init__(self, key: str, message: str = "", *, theirs: object = None, **values: Any) -> None:
        super().__init__(key, message, **values)
        self.theirs = theirs


class Busy(Refusal):
    """Too much of this is under way. The same request can be made again after `retry_after` seconds."""

    status = 503

    def __init__(self, key: str, *, retry_after: int, **values: Any) -> None:
        super().__init__(key, retry_after=retry_after, **values)
        self.retry_after = retry_after


class StorageFault(Busy):
    """A disk is full or read-only. Nothing was stored; the same request can be made again when there is room."""

    status = 507


class TooManyAtOnce(Busy):
    """This caller has too much under way; other callers are served."""

    status = 429
