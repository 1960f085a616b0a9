"""Perceptual video quality: VMAF and other metrics of files and arrays.

>>> import vmafx
>>> result = vmafx.score("reference.mp4", "encode.mp4")
>>> result.pooled["vmaf"].mean
"""

from ._catalog import Feature, Option, can_open_containers, features, models
from ._errors import (
    Error,
    FileError,
    InputError,
    OutOfMemoryError,
    UnavailableError,
    UsageError,
)
from ._inputs import RawVideo, raw
from ._requests import Model
from ._result import Pooled, Result, Skipped, UsedModel
from ._scoring import Session, score
from ._vmafx import version as __version__

__all__ = [
    "Error",
    "Feature",
    "FileError",
    "InputError",
    "Model",
    "Option",
    "OutOfMemoryError",
    "Pooled",
    "RawVideo",
    "Result",
    "Session",
    "Skipped",
    "UnavailableError",
    "UsageError",
    "UsedModel",
    "__version__",
    "can_open_containers",
    "features",
    "models",
    "raw",
    "score",
]

for _name in __all__:  # in messages and documentation they are vmafx.X
    _public = globals()[_name]
    if hasattr(_public, "__module__"):
        _public.__module__ = __name__
del _name, _public
