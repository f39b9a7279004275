"""How the portal says no: a stable code, what happened, and what to do next. Both doors show the same words."""

from __future__ import annotations

from collections.abc import Sequence

from games.rules.model import Finding


class Refusal(Exception):
    """An action that was not carried out. Nothing was changed.

    `code` is stable (other programs rely on it); `message` says what and why; `fix` the next step;
    `option` the line concerned; `citation` the section, where there is one.
    """

    status = 400

    def __init__(
        self,
        code: str,
        message: str,
        *,
        fix: str = "",
        option: str = "",
        citation: str = "",
        findings: Sequence[Finding] = (),
    ) -> None:
        super().__init__(message)
        self.code, self.message, self.fix = code, message, fix
        self.option, self.citation, self.findings = option, citation, tuple(findings)


class Forbidden(Refusal):
    """The person may see this but not do that."""

    status = 403


class NotThere(Refusal):
    """There is no such thing, or not for this person: nobody says which."""

    status = 404


class Conflict(Refusal):
    """Someone was faster: what is on the screen is no longer what is stored. `theirs` is what they stored."""

    status = 409

    def __init__(self, code: str, message: str, *, theirs: object = None, fix: str = "", option: str = "") -> None:
        super().__init__(code, message, fix=fix, option=option)
        self.theirs = theirs
