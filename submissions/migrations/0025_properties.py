"""A person acts for several licensees of one company: the company of an organization, the account of a membership."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("submissions", "0024_orders")]
    operations = [
        migrations.AddField("organization", "company", models.CharField(blank=True, default="", max_length=120)),
        migrations.AddField(
            "person",
            "account",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="memberships",
                to="submissions.person",
            ),
        ),
        migrations.AddConstraint(
            "person",
            models.UniqueConstraint(
                condition=models.Q(("account__isnull", False)),
                fields=("account", "organization"),
                name="one_membership_per_property",
            ),
        ),
    ]
