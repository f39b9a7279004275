"""Webhooks rest while nobody answers; deliveries can be given up, replayed, and made for a test."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0010_programs"),
    ]

    operations = [
        migrations.AddField(
            model_name="delivery",
            name="asked_at",
            field=models.DateTimeField(default=django.utils.timezone.now),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="delivery",
            name="given_up_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AlterField(
            model_name="delivery",
            name="event",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="submissions.event",
            ),
        ),
        migrations.AddIndex(
            model_name="delivery",
            index=models.Index(
                condition=models.Q(("delivered_at", None), ("given_up_at", None)),
                fields=["webhook", "attempts"],
                name="deliveries_waiting",
            ),
        ),
        migrations.AddField(
            model_name="webhook",
            name="failures",
            field=models.PositiveIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="webhook",
            name="rests_until",
            field=models.DateTimeField(null=True),
        ),
    ]
