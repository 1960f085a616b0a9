"""What is to be scored: models and features, as the caller names them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from . import _vmafx
from ._errors import usage

OptionValue: TypeAlias = "bool | int | float | str | os.PathLike[str]"
FeatureRequest: TypeAlias = "str | tuple[str, Mapping[str, OptionValue]]"


class Model:
    """A model that is loaded once and may be used by any number of sessions.

    Args:
        version: name of a built-in model (see ``vmafx.models()``).
        path: of a model file in libvmaf's JSON form, in place of ``version``.
        name: key of its scores in the result.
        disable_clip: scores may leave the model's range.
        transform: apply the model's own transform always or never; None leaves it to the model.
        overloads: options of its features: ``{"adm": {"adm_enhn_gain_limit": 1.0}}``.
    """

    def __init__(
        self,
        version: str = "",
        *,
        path: str | os.PathLike[str] = "",
        name: str = "vmaf",
        disable_clip: bool = False,
        transform: bool | None = None,
        overloads: Mapping[str, Mapping[str, OptionValue]] | None = None,
    ) -> None:
        flat = [
            (metric, option, option_text(value))
            for metric, options in (overloads or {}).items()
            for option, value in options.items()
        ]
        self._model = _vmafx.Model(version, os.fsencode(path), name, disable_clip, transform, flat)

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def version(self) -> str:
        """Built-in name, or path."""
        return self._model.version

    @property
    def digest(self) -> str:
        """SHA-256 of the model file, in hex."""
        return self._model.digest

    @property
    def keys(self) -> list[str]:
        """Keys of its scores in a result: one, or those of a bootstrap set."""
        return self._model.keys

    @property
    def features(self) -> list[tuple[str, dict[str, str]]]:
        """Features that it asks for, with the options that are not at their default."""
        return self._model.features

    def __repr__(self) -> str:
        return f"vmafx.Model({self.version!r}, name={self.name!r})"


ModelRequest: TypeAlias = "str | os.PathLike[str] | Model"


def option_text(value: object) -> str:
    """An option's value as the library reads it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float, str)):
        return str(value)
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    raise TypeError(f"an option takes a bool, a number or a str, not {type(value).__name__}")


def models_of(request: ModelRequest | Iterable[ModelRequest] | None) -> list[Model]:
    """Loads the models. Several without a name of their own are named by their version."""
    if request is None:
        return []
    if isinstance(request, (str, os.PathLike, Model)):
        request = [request]
    models: list[Model] = []
    for item in request:
        taken = {model.name for model in models}
        models.append(item if isinstance(item, Model) else _load(item, "vmaf" in taken))
    return models


def _load(request: str | os.PathLike[str], named_by_version: bool) -> Model:
    if not isinstance(request, (str, os.PathLike)):
        raise TypeError(f"a model is a name, a path or a vmafx.Model, not {request!r}")
    text = os.fspath(request)
    if isinstance(request, os.PathLike) or "/" in text or text.endswith(".json"):
        return Model(path=text)
    return Model(text, name=text) if named_by_version and text else Model(text)


def features_of(requests: Sequence[FeatureRequest]) -> list[tuple[str, dict[str, str]]]:
    """Names with options as texts."""
    if isinstance(requests, str):
        raise TypeError(f"features is a sequence: features=[{requests!r}]")
    return [_feature(request) for request in requests]


def _feature(request: FeatureRequest) -> tuple[str, dict[str, str]]:
    if isinstance(request, str):
        return request, {}
    try:
        name, options = request
        items = options.items()
    except (TypeError, ValueError, AttributeError):
        raise TypeError(
            f"a feature is a name or (name, {{option: value}}), not {request!r}"
        ) from None
    return name, {option: option_text(value) for option, value in items}


def whole(name: str, value: int, least: int, most: int = 2**31 - 1) -> int:
    """Checks an argument that counts something."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is a whole number, not {value!r}")
    value = value.__index__()
    if not least <= value <= most:
        raise usage(f"{name} is {value}, but it takes {least} to {most}")
    return value
