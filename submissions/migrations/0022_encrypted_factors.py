"""The secrets of second factors, which were stored in clear, are encrypted."""

from functools import partial

from django.conf import settings
from django.db import migrations

from submissions.accounts.factor_secrets import PURPOSE, convert_secrets, is_encrypted
from submissions.core.encryption import decrypt, encrypt


def encrypt_factors(apps, schema_editor):
    _convert(apps, lambda text: text if is_encrypted(text) else encrypt(text, PURPOSE))


def decrypt_factors(apps, schema_editor):
    _convert(apps, partial(decrypt, purpose=PURPOSE))


def _convert(apps, convert):
    for authenticator in apps.get_model("mfa", "Authenticator").objects.exclude(type="webauthn"):
        authenticator.data = convert_secrets(authenticator.data, convert)
        authenticator.save(update_fields=["data"])


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0021_verification_queue"),
        ("mfa", "0003_authenticator_type_uniq"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]
    operations = [migrations.RunPython(encrypt_factors, decrypt_factors)]
