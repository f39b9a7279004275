"""The sign-in: allauth's, which also reads for each request as which rows the account may act."""

from allauth.account.auth_backends import AuthenticationBackend

from submissions.models import Person
from submissions.permissions import acting_rows


class AccountBackend(AuthenticationBackend):  # type: ignore[misc]  # allauth has no types
    """Signs people in as allauth does."""

    def get_user(self, user_id: int) -> Person | None:
        """Return the account of a session, its `acting_rows` in the same query; None if it may no longer sign in."""
        rows = acting_rows(user_id)
        if not rows:
            return None
        rows[0].acting_rows = tuple(rows)
        return rows[0]
