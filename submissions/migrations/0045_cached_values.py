"""The shared cache as rows of numbers, in the place of the table of pickles that `createcachetable` made."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0044_remark_state_index"),
    ]

    operations = [
        migrations.CreateModel(
            name="CachedValue",
            fields=[
                ("key", models.CharField(max_length=255, primary_key=True, serialize=False)),
                ("value", models.TextField()),
                ("expires_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.RunSQL("DROP TABLE IF EXISTS portal_cache", migrations.RunSQL.noop),
    ]
