"""Where frames come from."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from . import _vmafx
from ._errors import usage
from ._requests import whole


@runtime_checkable
class DLPackArray(Protocol):
    """Any array in the CPU's memory that can be exchanged through DLPack."""

    def __dlpack__(self, *, stream: Any = None) -> Any: ...


Plane: TypeAlias = "npt.NDArray[np.uint8] | npt.NDArray[np.uint16] | DLPackArray"
# One plane is luma alone; three are Y, Cb and Cr.
Frame: TypeAlias = "Plane | tuple[Plane] | tuple[Plane, Plane, Plane] | list[Plane]"


@dataclass(frozen=True)
class RawVideo:
    """A file of planar YUV without a header; made by ``vmafx.raw()``."""

    path: str | os.PathLike[str]
    width: int
    height: int
    chroma: str
    bit_depth: int


def raw(
    path: str | os.PathLike[str],
    *,
    width: int,
    height: int,
    chroma: str = "420",
    bit_depth: int = 8,
) -> RawVideo:
    """A file of planar YUV without a header.

    Each frame is its planes without padding; samples of more than 8 bits are 16-bit little-endian.
    """
    return RawVideo(path, width, height, chroma, bit_depth)


Source: TypeAlias = "str | os.PathLike[str] | RawVideo | Iterable[Frame]"
FrameRate: TypeAlias = "int | float | Fraction"


def is_file(source: object) -> bool:
    return isinstance(source, (str, bytes, os.PathLike, RawVideo))


def input_of(
    source: Source, name: str, bit_depth: int | None, frame_rate: tuple[int, int] | None
) -> _vmafx.FileInput | _vmafx.ArrayInput:
    """Checks a source by its kind; the frames themselves are looked at when they are taken."""
    if isinstance(source, RawVideo):
        size = (whole("width", source.width, 1), whole("height", source.height, 1))
        depth = whole("bit_depth", source.bit_depth, 8, 16)
        return _vmafx.FileInput(os.fsencode(source.path), (*size, str(source.chroma), depth))
    if isinstance(source, (str, bytes, os.PathLike)):
        return _vmafx.FileInput(os.fsencode(source), None)
    if not isinstance(source, Iterable) and not hasattr(source, "__getitem__"):
        raise TypeError(
            f"{name} is a path, vmafx.raw(...) or frames to iterate over, "
            f"not {type(source).__name__}"
        )
    if isinstance(source, tuple) and len(source) in (1, 3) and all(map(_is_plane, source)):
        raise TypeError(f"{name} is a tuple of planes, which is one frame: pass a list of frames")
    return _vmafx.ArrayInput(source, name, bit_depth, frame_rate)


def _is_plane(item: object) -> bool:
    return isinstance(item, DLPackArray) and getattr(item, "ndim", 2) == 2


def checked_depth(bit_depth: int | None) -> int | None:
    return None if bit_depth is None else whole("bit_depth", bit_depth, 8, 16)


def checked_rate(rate: FrameRate | None) -> tuple[int, int] | None:
    """As a fraction of small whole numbers: 29.97 becomes 2997/100."""
    if rate is None:
        return None
    try:
        fraction = Fraction(rate).limit_denominator(1_000_000)
    except (ValueError, OverflowError):
        raise usage(f"frame_rate is {rate}, which is no number of frames a second") from None
    if not 0 < fraction < 2**31:
        raise usage(f"frame_rate is {rate}, which is no number of frames a second")
    return fraction.numerator, fraction.denominator
