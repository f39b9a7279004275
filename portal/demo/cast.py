"""Who is there: a regulator, two casinos, and their people, named by what they do."""

import secrets

from django.conf import settings
from django.db import connection, transaction

from submissions.accounts.members import too_few_administrators
from submissions.audit.record import record_event
from submissions.models import Organization, Person, Role

LICENSEE, REGULATOR = Organization.Kind.LICENSEE, Organization.Kind.REGULATOR
ORGANIZATIONS = (
    (REGULATOR, "board", "Demo Gaming Control Board"),
    (LICENSEE, "east", "Demo Casino East"),
    (LICENSEE, "west", "Demo Casino West"),
)
PEOPLE = {
    LICENSEE: (
        ("preparer", "Preparer", Role.PREPARER),
        ("manager", "Manager", Role.MANAGER),
        ("reader", "Reader", Role.READER),
    ),
    REGULATOR: (
        ("analyst", "Analyst", Role.ANALYST),
        ("director", "Director", Role.DIRECTOR),
        ("second-director", "Second Director", Role.DIRECTOR),
    ),
}
COMPANY = "Demo Gaming Company"  # of both casinos
OF_BOTH = "compliance@east.example.test"  # signs in at East and acts for West as well
ADMINISTRATORS = ("manager", "preparer", "director", "second-director")  # two in each organization


def create() -> list[Person]:
    """The cast, made where it is missing: everyone signs in with the demo's passphrase, on every machine the same."""
    with transaction.atomic():
        for kind, slug, name in ORGANIZATIONS:
            organization, is_new = Organization.objects.get_or_create(slug=slug, defaults={"kind": kind, "name": name})
            people = [
                _person(f"{word}@{slug}.example.test", title, role, organization) for word, title, role in PEOPLE[kind]
            ]
            rows = [*([organization] if is_new else []), *filter(None, people)]
            if rows:
                after = {"organisation": organization.pk, "name": name, "kind": kind}
                record_event(None, None, "founded", after=after, seals=rows)
        _of_both()
    slugs = [slug for _, slug, _ in ORGANIZATIONS]
    return list(Person.objects.filter(account=None, is_system=False, organization__slug__in=slugs).order_by("pk"))


def _of_both() -> None:
    """Someone who acts for both casinos, where they belong to one company: files for East, prepares for West."""
    if Person.objects.filter(email=OF_BOTH).exists():
        return
    east, west = (Organization.objects.get(slug=slug) for slug in ("east", "west"))
    Organization.objects.filter(pk__in=(east.pk, west.pk)).update(company=COMPANY)
    create = Person.objects.create_user
    account = create(
        OF_BOTH, settings.DEMO_PASSPHRASE, name="Demo Compliance Officer", organization=east, role=Role.MANAGER
    )
    there = create(
        f"{secrets.token_hex(8)}@memberships.invalid",
        None,
        name=account.name,
        account=account,
        organization=west,
        role=Role.PREPARER,
    )
    after = {"name": account.name, "company": COMPANY}
    record_event(None, None, "founded", after=after, seals=(east, west, account, there))


def has_people() -> bool:
    """Whether the portal knows anyone; also in a database without tables."""
    return Person._meta.db_table in connection.introspection.table_names() and Person.objects.exists()


def person(word: str, slug: str) -> Person:
    return Person.objects.get(email=f"{word}@{slug}.example.test")


def _person(email: str, title: str, role: Role, organization: Organization) -> Person | None:
    """The person, if the row was created or changed."""
    administrator = email.split("@")[0] in ADMINISTRATORS
    person = Person.objects.filter(email=email).first()
    if person is None:
        place = "" if organization.kind == REGULATOR else f" {organization.name.split()[-1]}"
        name = f"Demo {title}{place}"  # beside the role: “Demo Manager East, Table Games Manager”
        place_there = {"organization": organization, "role": role, "administrator": administrator}
        return Person.objects.create_user(email, settings.DEMO_PASSPHRASE, name=name, **place_there)
    if administrator and not person.administrator and too_few_administrators(organization):  # an older demo
        person.administrator = True
        person.save(update_fields=["administrator"])
        return person
    return None
