"""Sign-in: people are invited, nobody signs up; a change of the second factor is recorded in the history."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_added, authenticator_removed
from django.dispatch import receiver
from django.http import Http404, HttpRequest, HttpResponse

from submissions.accounts import members
from submissions.models import Person


class AccountAdapter(DefaultAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False


def no_such_page(request: HttpRequest) -> HttpResponse:
    raise Http404("The portal has no such page.")


@receiver(authenticator_added)
def _added(request: HttpRequest, user: Person, authenticator: Authenticator, **_: Any) -> None:
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        members.record_second_factor_set_up(user, here=request.session.session_key or "")


@receiver(authenticator_removed)
def _removed(user: Person, authenticator: Authenticator, **_: Any) -> None:
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        members.record_second_factor_given_up(user)
