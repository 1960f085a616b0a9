"""What a run gives."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from . import _vmafx
from ._requests import whole


@dataclass(frozen=True)
class Pooled:
    """Statistics of a key over the frames that have a value.

    The harmonic mean is n / sum(1 / (x + 1)) - 1, stddev that of the population; percentiles (1, 5,
    10, 25, 50, 75, 90, 95) are interpolated linearly.
    """

    min: float
    max: float
    mean: float
    harmonic_mean: float
    stddev: float
    percentiles: dict[int, float]


@dataclass(frozen=True)
class Skipped:
    """A feature or model that does not apply to the input."""

    name: str
    reason: str


@dataclass(frozen=True)
class UsedModel:
    """A model that was scored."""

    name: str  # its key
    version: str  # built-in name, or path
    digest: str  # SHA-256 of the model file
    reason: str  # why it was chosen; empty if it was named


class Result(Mapping[str, "npt.NDArray[np.float64]"]):
    """Scores by key, a value for each of ``frames``; NaN where there is none.

    Iterating gives the keys, as with a dict.
    """

    def __init__(self, report: _vmafx.Report) -> None:
        self._report = report
        self._columns: dict[str, npt.NDArray[np.float64]] = {}

    def __getitem__(self, key: str) -> npt.NDArray[np.float64]:
        if key not in self._columns:
            if key not in self._keys:
                raise KeyError(key)
            self._columns[key] = self._report.column(key)
        return self._columns[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    @cached_property
    def _keys(self) -> dict[str, None]:
        return dict.fromkeys(self._report.keys)

    @cached_property
    def frames(self) -> npt.NDArray[np.int64]:
        """Numbers of the frames that are reported, counted from 0."""
        return self._report.frames

    @cached_property
    def identical(self) -> npt.NDArray[np.bool_]:
        """For each frame, whether reference and distorted have the same samples."""
        return self._report.identical

    @cached_property
    def pooled(self) -> dict[str, Pooled]:
        """Statistics of every key that has a value."""
        pools = ((key, self._report.pooled(key)) for key in self)
        return {key: Pooled(*pool) for key, pool in pools if pool is not None}

    @cached_property
    def aggregates(self) -> dict[str, float]:
        """Values of the whole run, which some features have beside those of frames."""
        return self._report.aggregates

    @cached_property
    def skipped(self) -> list[Skipped]:
        """What was asked for and does not apply to this input."""
        return [Skipped(*skipped) for skipped in self._report.skipped]

    @cached_property
    def models(self) -> list[UsedModel]:
        """The models that were scored."""
        return [UsedModel(*model) for model in self._report.models]

    @cached_property
    def warnings(self) -> list[str]:
        """What makes the scores doubtful, a line each."""
        return self._report.warnings

    @property
    def width(self) -> int:
        return self._report.width

    @property
    def height(self) -> int:
        return self._report.height

    @property
    def seconds(self) -> float:
        """Wall clock of the scoring."""
        return self._report.seconds

    @property
    def partial(self) -> bool:
        """Whether the run was not finished: these are the frames so far."""
        return self._report.partial

    def to_dict(self) -> dict[str, Any]:
        """The JSON report: only dicts, lists, strings, numbers, booleans and None."""
        document: dict[str, Any] = json.loads(self._report.text("json", 17))
        return document

    def write(
        self,
        path: str | os.PathLike[str],
        format: Literal["json", "xml", "csv", "sub"] | None = None,
        *,
        precision: int | Literal["max", "legacy"] = "max",
    ) -> None:
        """Writes a report file as ``vmafx score --output`` does, never a half of one.

        Args:
            path: where to.
            format: default is the ending of the path, else "json".
            precision: significant digits 1 to 17, "max", or "legacy", which is libvmaf's %.6f.
        """
        name = os.fsencode(path)
        if format is None:
            ending = os.path.splitext(name)[1][1:].decode("ascii", "replace")
            chosen = ending if ending in ("json", "xml", "csv", "sub") else "json"
        else:
            chosen = format
        self._report.write(name, chosen, _digits(precision))

    def __repr__(self) -> str:
        means = "".join(
            f", {model.name} {self.pooled[model.name].mean:.2f}"
            for model in self.models
            if model.name in self.pooled
        )
        return f"<vmafx.Result of {len(self.frames)} frames{means}>"


def _digits(precision: int | str) -> int | None:
    if precision == "legacy":
        return None
    if isinstance(precision, str):
        precision = 17 if precision == "max" else int(precision)
    return whole("precision", precision, 1, 17)
