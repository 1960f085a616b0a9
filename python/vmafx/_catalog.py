"""What this build can do."""

from __future__ import annotations

from dataclasses import dataclass

from . import _vmafx


@dataclass(frozen=True)
class Option:
    """An option of a feature. Values are texts, as on the command line."""

    name: str
    alias: str  # may be empty
    help: str
    default: str
    range: str
    in_key: bool  # a value other than the default is part of the result's keys


@dataclass(frozen=True)
class Feature:
    """A feature that can be asked for by name."""

    name: str
    summary: str
    options: tuple[Option, ...]
    keys: tuple[str, ...]  # with default options
    smallest: str  # picture that it can measure: "17x17"


def features() -> list[Feature]:
    """All features with their options and keys."""
    return [
        Feature(name, summary, tuple(Option(*option) for option in options), tuple(keys), smallest)
        for name, summary, options, keys, smallest in _vmafx.features()
    ]


def models() -> list[str]:
    """Names of the built-in models."""
    return _vmafx.models()


def can_open_containers() -> bool:
    """Whether MP4, Matroska and the like can be read; y4m and raw video always can."""
    return _vmafx.can_open_containers()
