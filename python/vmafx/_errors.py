"""The exceptions. Each carries the library's one clear line as its message."""

from __future__ import annotations


class Error(Exception):
    """Base of every error that the library reports.

    ``code`` names the kind: "usage", "bad_input", "mismatch", "not_applicable", "no_frames", "io",
    "unavailable", "out_of_memory", "interrupted" or "internal". ``hint`` says what to do about it
    and may be empty.
    """

    code: str = "internal"
    hint: str = ""


class UsageError(Error, ValueError):
    """An argument, option or name that does not exist or is out of range."""


class InputError(Error, ValueError):
    """Frames or files that cannot be scored: broken, empty, of two formats, or not applicable."""


class FileError(Error, OSError):
    """Opening, reading or writing failed."""


class UnavailableError(Error):
    """Something that this build or this machine does not have."""


class OutOfMemoryError(Error, MemoryError):
    """There was not enough memory."""


_CLASSES: dict[str, type[Error]] = {
    "usage": UsageError,
    "bad_input": InputError,
    "mismatch": InputError,
    "not_applicable": InputError,
    "no_frames": InputError,
    "io": FileError,
    "unavailable": UnavailableError,
    "out_of_memory": OutOfMemoryError,
}


def error_of(code: str, message: str, hint: str = "") -> Error:
    """The exception for one of the library's errors."""
    error = _CLASSES.get(code, Error)(message)
    error.code = code
    error.hint = hint
    if hint and hasattr(error, "add_note"):  # Python 3.11
        error.add_note(f"hint: {hint}")
    return error


def usage(message: str, hint: str = "") -> Error:
    """The exception for a wrong argument."""
    return error_of("usage", message, hint)
