"""Scoring two streams at once, or frame by frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import TracebackType
from typing import TypeAlias

from . import _vmafx
from ._errors import usage
from ._inputs import (
    Frame,
    FrameRate,
    Source,
    checked_depth,
    checked_rate,
    input_of,
    is_file,
)
from ._requests import FeatureRequest, ModelRequest, features_of, models_of, whole
from ._result import Result

# Frames scored, how many there will be if that is known, and seconds since the beginning.
ProgressCallback: TypeAlias = "Callable[[int, int | None, float], object]"


def _start(
    model: ModelRequest | Iterable[ModelRequest] | None,
    features: Sequence[FeatureRequest],
    threads: int,
    subsample: int,
    *,
    check_samples: bool = True,
) -> _vmafx.Session:
    requested = features_of(features)
    models = models_of(model)
    session = _vmafx.Session(
        whole("threads", threads, 0),
        whole("subsample", subsample, 1),
        not models and not requested,
        check_samples,
    )
    for loaded in models:
        session.add_model(loaded._model)
    for name, options in requested:
        session.add_metric(name, options)
    return session


def score(
    reference: Source,
    distorted: Source,
    *,
    model: ModelRequest | Iterable[ModelRequest] | None = None,
    features: Sequence[FeatureRequest] = (),
    threads: int = 0,
    subsample: int = 1,
    frames: int | None = None,
    bit_depth: int | None = None,
    frame_rate: FrameRate | None = None,
    progress: ProgressCallback | None = None,
) -> Result:
    """Scores a pair of videos.

    Args:
        reference: a path, ``vmafx.raw(...)``, or frames: anything that can be iterated over, taken
            one by one. A frame is a 2-D array (luma) or a tuple of three (Y, Cb, Cr), uint8 or
            uint16, in the CPU's memory. Arrays are not copied: each frame needs memory of its own,
            and must not change before the call returns.
        distorted: the same, in the same format.
        model: name of a built-in model, path of a model file, ``vmafx.Model``, or several. Without
            models and features, the model for the picture's height and frame rate.
        features: names, or (name, {option: value}); see ``vmafx.features()``.
        threads: 0 is all cores. No choice changes a score.
        subsample: report every n-th frame.
        frames: stop after so many.
        bit_depth: 9 to 16, of frames of uint16.
        frame_rate: of frames; files say theirs.
        progress: called at most ten times a second, in the calling thread, with the frames scored,
            how many there will be (None if unknown) and the seconds so far.

    Raises:
        vmafx.Error: or one of its subclasses; TypeError for an argument or array of a wrong type;
            whatever an iterator or ``progress`` raises.
    """
    depth, rate = checked_depth(bit_depth), checked_rate(frame_rate)
    only_files = is_file(reference) and is_file(distorted)
    if only_files and (depth is not None or rate is not None):
        raise usage("bit_depth and frame_rate are for frames in memory; files say theirs")
    if progress is not None and not callable(progress):
        raise TypeError(f"progress is a function, not {type(progress).__name__}")
    if all(isinstance(source, str) and source == "-" for source in (reference, distorted)):
        raise usage("standard input can be only one of the streams")
    limit = None if frames is None else whole("frames", frames, 1, 2**62)
    inputs = [
        input_of(source, name, depth, rate)
        for source, name in ((reference, "reference"), (distorted, "distorted"))
    ]
    # Readers of files look at the samples themselves.
    session = _start(model, features, threads, subsample, check_samples=not only_files)
    try:
        return Result(session.run(inputs[0], inputs[1], limit, progress))
    finally:
        session.close()


class Session:
    """Scores frame by frame; a context manager.

    ``with vmafx.Session() as session:`` frees the threads at the end of the block. The first pair
    fixes the format. Arguments are those of ``vmafx.score()``.
    """

    def __init__(
        self,
        *,
        model: ModelRequest | Iterable[ModelRequest] | None = None,
        features: Sequence[FeatureRequest] = (),
        threads: int = 0,
        subsample: int = 1,
        bit_depth: int | None = None,
        frame_rate: FrameRate | None = None,
    ) -> None:
        self._bit_depth = checked_depth(bit_depth)
        self._frame_rate = checked_rate(frame_rate)
        self._session = _start(model, features, threads, subsample)

    def submit(self, reference: Frame, distorted: Frame) -> None:
        """Takes the next pair of frames.

        It is measured on other threads; the call waits only while as many pairs are being measured
        as there are threads, and one. The arrays are kept and must not change until then.
        """
        self._session.submit(reference, distorted, self._bit_depth, self._frame_rate)

    def score(self, key: str, frame: int) -> float | None:
        """The value of a frame; None while it, or a frame that it depends on, is not submitted."""
        return self._session.score(key, whole("frame", frame, 0, 2**62))

    @property
    def frames_done(self) -> int:
        """How many of the frames have all their scores."""
        return self._session.frames_done

    def scores_so_far(self) -> Result:
        """What is final now; NaN where a score is still to come."""
        return Result(self._session.report())

    def finish(self) -> Result:
        """No more frames: waits until all are measured."""
        return Result(self._session.finish())

    def close(self) -> None:
        """Frees the threads and drops frames that are not measured. May be called again."""
        self._session.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
