"""Who may do what without a filing, with a filing and with a layout, and the reason where they may not."""

from __future__ import annotations

import pytest
from allauth.mfa.models import Authenticator
from django.conf import LazySettings

from submissions import permissions
from submissions.core.errors import Forbidden
from submissions.models import (
    Decision,
    LayoutDecision,
    LayoutFiling,
    LayoutStatus,
    Person,
    Revision,
    Role,
    Simulation,
    Status,
    Submission,
)
from submissions.permissions import may
from tests import cast
from tests.submissions import filing_rows, layout_rows
from tests.submissions.permissions.actors import Actors
from tests.submissions.properties import membership

FILERS = {
    "preparer",
    "another preparer",
    "stand-in",
    "manager",
    "manager of the test casino",
    "program",
    "test program",
}
REVIEWERS = {"analyst", "director", "director of the test Board", "program of the Board"}
ADMINISTRATORS = {
    "administrator", "administrator of the Board", "administrator of the test Board", "program of the Board",
}  # fmt: skip
AT_BOARD = REVIEWERS | ADMINISTRATORS - {"administrator"} | {"manager at the Board"}
PROGRAMS = {"program", "test program", "program of the Board"}
WITHOUT_FILING = {
    "start": FILERS | {"stranger"},
    "edit-tables": FILERS | {"stranger"},
    "bulk": FILERS | REVIEWERS | {"stranger"},
    "administer": ADMINISTRATORS,
    "connect": ADMINISTRATORS | PROGRAMS,
    "operate": {"administrator of the Board"},
    "place-legal-hold": ADMINISTRATORS - {"administrator"},
    "sign-bulk": {
        "manager", "stand-in", "stranger", "analyst", "director", "director of the test Board",
        "manager of the test casino", "test program",
    },
    "enter-order": {"director"},
    "name-stand-in": {"manager", "stranger", "administrator", "manager of the test casino"},
    "oversee": AT_BOARD,
}  # fmt: skip
BY_ADMINISTRATOR = "Only an administrator of the organization may do this."
BY_BOARD_ADMINISTRATOR = "Only an administrator of the Board may do this."
NAMED = "A named person must confirm each step of a filing. An API key cannot."
FACTOR = "Set up a second factor first, under “Account settings”."
FILES = "Only a Preparer or a Table Games Manager may do this."
REASONS = [
    ("visitor", "start", "Sign in first."),
    ("former director", "operate", "Sign in first."),
    ("without an organization", "administer", "Sign in first."),
    ("reader", "start", FILES),
    ("analyst", "edit-tables", FILES),
    ("manager at the Board", "start", FILES),
    ("reader", "bulk", "Only a Preparer or a Table Games Manager or an Analyst or a Director may do this."),
    ("manager", "administer", BY_ADMINISTRATOR),
    ("reader", "connect", BY_ADMINISTRATOR),
    ("director", "operate", BY_BOARD_ADMINISTRATOR),
    ("program of the Board", "operate", NAMED),
    ("administrator", "place-legal-hold", BY_BOARD_ADMINISTRATOR),
    ("preparer", "sign-bulk", "Only a Table Games Manager or an Analyst or a Director may do this."),
    ("program", "sign-bulk", NAMED),
    ("director of the test Board", "enter-order", "A sandbox has no orders of the Board."),
    ("analyst", "enter-order", "Only a Director may do this."),
    ("director at the casino", "enter-order", "Only a Director may do this."),
    (
        "stand-in", "name-stand-in",
        "Only a Table Games Manager or an administrator of the licensee names a stand-in.",
    ),
    ("manager", "oversee", "Only the Board may do this."),
]  # fmt: skip


@pytest.fixture
def revision(who: Actors) -> Revision:
    """A filing of the manager, of a draft that the preparer started."""
    return filing_rows.filing(who["manager"], submission=filing_rows.draft(who["preparer"]))


def at(revision: Revision, status: Status) -> Submission:
    Submission.objects.filter(pk=revision.submission_id).update(status=status)
    return Submission.objects.get(pk=revision.submission_id)


def layout_at(revision: Revision, status: LayoutStatus) -> LayoutFiling:
    return layout_rows.layout_row(revision, status=status, parts=("sign",))


def allowed(who: Actors, verb: str, filing: Submission | LayoutFiling | None = None) -> set[str]:
    return {name for name, person in who.items() if may(person, verb, filing)}


def simulated(revision: Revision, *passed: bool | None) -> None:
    Simulation.objects.all().delete()
    for seed, each in enumerate(passed):
        Simulation.objects.create(
            revision=revision, configuration=seed, seed=seed, rounds=1, block_rounds=1, passed=each
        )


@pytest.mark.parametrize("verb", WITHOUT_FILING)
def test_who_may_without_a_filing(who: Actors, verb: str) -> None:
    assert allowed(who, verb) == WITHOUT_FILING[verb]


@pytest.mark.parametrize(("name", "verb", "reason"), REASONS)
def test_reason_of_a_refusal(who: Actors, name: str, verb: str, reason: str) -> None:
    verdict = may(who[name], verb)
    code = "person-needed" if reason == NAMED else "not-allowed"
    assert (verdict.allowed, verdict.reason, verdict.code, verdict.fix) == (False, reason, code, "")


def test_require_raises_the_reason_with_the_next_step(who: Actors, revision: Revision) -> None:
    permissions.require(who["manager"], "start")
    permissions.require(who["manager"], "withdraw", revision.submission)
    with pytest.raises(Forbidden) as refused:
        permissions.require(who["program"], "sign-bulk")
    assert (refused.value.code, refused.value.message) == ("person-needed", NAMED)
    assert refused.value.fix == "Send it in a batch, which a person confirms."
    with pytest.raises(Forbidden) as refused:
        permissions.require(who["stranger"], "edit", revision.submission)
    assert (refused.value.message, refused.value.fix) == (
        "This submission belongs to another licensee.", "Choose one of your own.",
    )  # fmt: skip


@pytest.mark.parametrize("verb", WITHOUT_FILING)
def test_second_factor_of_what_is_signed(who: Actors, settings: LazySettings, verb: str) -> None:
    settings.SECOND_FACTOR = True
    signs = verb not in {"start", "edit-tables", "bulk", "oversee"}
    programs = {name for name in PROGRAMS if name in WITHOUT_FILING[verb]}
    assert allowed(who, verb) == (programs if signs else WITHOUT_FILING[verb])
    if signs:
        name = sorted(WITHOUT_FILING[verb] - PROGRAMS)[0]
        verdict = may(who[name], verb)
        assert (verdict.reason, verdict.code) == (FACTOR, "second-factor-missing")
        Authenticator.objects.create(user=who[name], type=Authenticator.Type.RECOVERY_CODES, data={})
        assert not may(who[name], verb)
        Authenticator.objects.create(user=who[name], type=Authenticator.Type.TOTP, data={})
        assert may(who[name], verb)


def test_second_factor_is_the_accounts(who: Actors) -> None:
    row = membership(cast.manager(), cast.other_casino())
    assert not permissions.has_second_factor(row)
    Authenticator.objects.create(user=cast.manager(), type=Authenticator.Type.TOTP, data={})
    assert permissions.has_second_factor(row)
    assert not permissions.has_second_factor(cast.stranger())


def test_who_takes_steps(who: Actors) -> None:
    people = {name for name, person in who.items() if isinstance(person, Person) and permissions.takes_steps(person)}
    assert people == {
        "manager", "stand-in", "stranger", "manager of the test casino", "program", "test program", *REVIEWERS,
        "former director", "former program",
    }  # fmt: skip


def test_filing_that_one_does_not_see(who: Actors, revision: Revision) -> None:
    others = {"stranger", "manager of the test casino", "test program", "director of the test Board"}
    submission, layout = at(revision, Status.FILED), layout_at(revision, LayoutStatus.FILED)
    for name in others:
        for row, verb, kind in ((submission, "withdraw", "submission"), (layout, "withdraw", "layout")):
            verdict = may(who[name], verb, row)
            expected = (f"This {kind} belongs to another licensee.", "Choose one of your own.", "not-allowed")
            assert (verdict.reason, verdict.fix, verdict.code) == expected
    assert may(who["manager"], "withdraw").reason == "This submission belongs to another licensee."
    draft = filing_rows.draft(who["preparer"])
    assert may(who["analyst"], "assign", draft).reason == "This submission belongs to another licensee."


def test_status_in_which_a_step_is_not_possible(who: Actors, revision: Revision) -> None:
    verdict = may(who["director"], "reject", at(revision, Status.APPROVED))
    assert (verdict.allowed, verdict.reason, verdict.fix, verdict.code) == (
        False,
        "This step is not possible while the submission is “Approved”.",
        "Read it again. The step is possible while the submission is “Filed” or “Recommended for approval”.",
        "not-allowed",
    )
    verdict = may(who["analyst"], "judge", layout_at(revision, LayoutStatus.RECOMMENDED))
    assert (verdict.reason, verdict.fix) == (
        "This step is not possible while the layout filing is “Reported to the Executive Director”.",
        "Read it again. The step is possible while the layout filing is “Filed”.",
    )
    verdict = may(who["manager"], "withdraw", layout_at(revision, LayoutStatus.APPROVED))
    assert verdict.allowed is False
    assert f"“{LayoutStatus.DEFICIENT.label}”" in verdict.fix


def test_who_may_with_a_filing(who: Actors, revision: Revision) -> None:
    ours = FILERS - {"manager of the test casino", "test program"}
    reviewers = REVIEWERS - {"director of the test Board"}
    assert allowed(who, "edit", at(revision, Status.RETURNED)) == ours
    assert allowed(who, "file", at(revision, Status.RETURNED)) == {"manager", "stand-in"}
    assert allowed(who, "discontinue", at(revision, Status.APPROVED)) == {"manager", "stand-in", "program"}
    assert allowed(who, "remark", at(revision, Status.FILED)) == reviewers
    assert allowed(who, "reject", at(revision, Status.FILED)) == {"director"}
    assert may(who["program"], "file", at(revision, Status.RETURNED)).reason == NAMED
    assert may(who["preparer"], "file", at(revision, Status.RETURNED)).reason == (
        "Only a Table Games Manager may do this."
    )
    layout = layout_at(revision, LayoutStatus.DEFICIENT)
    assert allowed(who, "draw", layout) == ours
    assert allowed(who, "assign", layout) == reviewers
    assert allowed(who, "file", layout) == {"manager", "stand-in"}


def test_program_takes_steps_in_a_sandbox(who: Actors) -> None:
    draft = filing_rows.draft(who["manager of the test casino"])
    assert allowed(who, "file", draft) == {"manager of the test casino", "test program"}


def test_draft_is_deleted_by_who_started_it_or_the_manager(who: Actors, settings: LazySettings) -> None:
    settings.SECOND_FACTOR = True  # which deleting a draft does not need
    draft = filing_rows.draft(who["preparer"])
    assert allowed(who, "delete", draft) == {"preparer", "manager", "stand-in"}
    assert may(who["another preparer"], "delete", draft).reason == (
        "Only the person who started this draft or a Table Games Manager may delete it."
    )
    assert may(who["program"], "delete", draft).reason == NAMED


def test_second_factor_of_steps(who: Actors, revision: Revision, settings: LazySettings) -> None:
    settings.SECOND_FACTOR = True
    simulated(revision, True)
    steps = (
        ("manager", "withdraw", Status.FILED), ("analyst", "recommend", Status.FILED),
        ("director", "approve", Status.RECOMMENDED), ("manager", "discontinue", Status.APPROVED),
    )  # fmt: skip
    for name, verb, status in steps:
        assert may(who[name], verb, at(revision, status)).code == "second-factor-missing"
    assert may(who["preparer"], "amend", at(revision, Status.APPROVED))
    Authenticator.objects.create(user=who["manager"], type=Authenticator.Type.TOTP, data={})
    assert may(who["manager"], "withdraw", at(revision, Status.FILED))
    assert may(who["manager"], "discontinue", at(revision, Status.APPROVED))


@pytest.mark.parametrize(
    ("passed", "reason"),
    [
        ((), "This filing has no simulation. Return it, so that the licensee files it again."),
        ((True, None), "The simulation is still running."),
        ((None, False, True), "The simulation does not agree with the exact figures."),
        ((True, True), ""),
    ],
)
def test_evidence_of_a_recommendation(
    who: Actors, revision: Revision, passed: tuple[bool | None, ...], reason: str
) -> None:
    simulated(revision, *passed)
    verdict = may(who["analyst"], "recommend", at(revision, Status.FILED))
    assert (verdict.allowed, verdict.reason) == (not reason, reason)
    assert may(who["analyst"], "recommend", layout_at(revision, LayoutStatus.FILED))  # has no simulation
    assert may(who["director"], "reject", at(revision, Status.FILED))
    again = filing_rows.filing(who["manager"], submission=revision.submission)
    assert may(who["analyst"], "recommend", at(again, Status.FILED)).reason.startswith("This filing has no simulation")


def test_evidence_of_a_filing_that_is_not_there(who: Actors) -> None:
    draft = filing_rows.draft(who["manager"])
    assert may(who["manager"], "file", draft)
    Submission.objects.filter(pk=draft.pk).update(status=Status.FILED)
    assert not may(who["analyst"], "recommend", Submission.objects.get(pk=draft.pk))


def test_another_person_approves_what_one_recommended(who: Actors, revision: Revision) -> None:
    simulated(revision, True)
    second = cast.other_director()
    Decision.objects.create(
        revision=revision, kind=Decision.Kind.RECOMMEND, by=cast.director(), at=revision.filed_at
    )  # fmt: skip
    Decision.objects.create(revision=revision, kind=Decision.Kind.RETURN, by=second, at=revision.filed_at)
    submission = at(revision, Status.RECOMMENDED)
    verdict = may(who["director"], "approve", submission)
    assert (bool(verdict), verdict.reason) == (
        False, "You recommended this submission. Another person must approve it.",
    )  # fmt: skip
    assert may(second, "approve", submission)
    assert may(who["director"], "reject", submission)
    simulated(filing_rows.filing(who["manager"], submission=submission), True)
    assert may(who["director"], "approve", at(revision, Status.RECOMMENDED))


def test_another_person_decides_on_a_layout_that_one_reported(who: Actors, revision: Revision) -> None:
    layout = layout_at(revision, LayoutStatus.RECOMMENDED)
    layout_rows.decided(layout, LayoutDecision.Kind.RECOMMEND, cast.director(), at="2026-11-03T12:00")
    assert may(who["director"], "approve", layout).reason == (
        "You reported on this layout. Another person must decide."
    )
    assert may(cast.other_director(), "approve", layout)


def test_role_counts_on_its_own_side_only(who: Actors) -> None:
    for name in ("director at the casino", "manager at the Board", "without an organization"):
        assert not permissions.is_one_of(who[name], (Role.DIRECTOR, Role.MANAGER))
    assert permissions.is_one_of(who["stand-in"], (Role.MANAGER,))
    assert not permissions.is_one_of(who["stand-in"], (Role.DIRECTOR,))
