"""The file that gives actions of the review screen other keys (``ASSAY_KEYS``)."""

from __future__ import annotations

from pathlib import Path

from audit_app.domain.key_map import KeyOverrides, key_map, read_key_file
from audit_app.errors import InputError
from audit_app.services.resources import bundled_taxonomy


def read_keys(path: Path | None) -> KeyOverrides | None:
    """The keys of the file, None without one.

    Raises:
        InputError: The file cannot be read, or names something that is no key.
    """
    if path is None:
        return None
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text in UTF-8"
        raise InputError(f"the key file {path} cannot be read: {reason}") from error
    return read_key_file(text, str(path))


def refuse_bad_keys(path: Path | None) -> None:
    """Refuse a key file that does not hold, before the app starts.

    Raises:
        InputError: As `read_keys`; or an action is unknown, or one key would do two things.
    """
    key_map(bundled_taxonomy(), read_keys(path))
