"""What a backup or a restore refuses. The commands print the message."""


class BackupRefused(Exception):
    """Nothing was changed. The message says what was met, and the next step."""


class BackupDamaged(BackupRefused):
    """The file is not what was written: it was cut off, changed, or is not a backup."""
