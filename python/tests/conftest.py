"""Clips, made here so that the tests need nothing but the package, NumPy and pytest."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

SHIFTS = {"400": None, "420": (1, 1), "422": (0, 1), "444": (0, 0), "440": (1, 0), "411": (0, 2)}


def make_frame(seed, width=64, height=48, chroma="420", bit_depth=8, noise=0):
    """Planes of a smooth pattern that moves with the seed, and noise."""
    random = np.random.default_rng(1000 * seed + noise)
    dtype = np.uint8 if bit_depth == 8 else np.uint16
    top = 2**bit_depth - 1
    planes = []
    for plane in range(1 if chroma == "400" else 3):
        down, across = (0, 0) if plane == 0 else SHIFTS[chroma]
        size = (-(-height // 2**down), -(-width // 2**across))
        y, x = np.mgrid[: size[0], : size[1]]
        wave = 0.5 + 0.3 * np.sin((x + 2 * seed + plane) / 5.0) * np.cos((y - seed) / 7.0)
        samples = wave * top + random.normal(0, (2 + noise) * top / 255, size)
        planes.append(np.clip(np.rint(samples), 0, top).astype(dtype))
    return planes[0] if chroma == "400" else tuple(planes)


def make_clip(frames=5, noise=0, **kind):
    return [make_frame(seed, noise=noise, **kind) for seed in range(frames)]


def planes_of(frame):
    return (frame,) if isinstance(frame, np.ndarray) else tuple(frame)


def write_y4m(path, clip, chroma="420", bit_depth=8, rate="25:1"):
    height, width = planes_of(clip[0])[0].shape
    tag = "mono" if chroma == "400" else chroma
    if bit_depth > 8:
        tag += str(bit_depth) if chroma == "400" else f"p{bit_depth}"
    with open(path, "wb") as file:
        file.write(f"YUV4MPEG2 W{width} H{height} F{rate} Ip A1:1 C{tag}\n".encode())
        for frame in clip:
            file.write(b"FRAME\n")
            for plane in planes_of(frame):
                file.write(np.ascontiguousarray(plane).tobytes())
    return path


def write_raw(path, clip):
    with open(path, "wb") as file:
        for frame in clip:
            for plane in planes_of(frame):
                file.write(np.ascontiguousarray(plane).tobytes())
    return path


def same(a, b):
    """Two results have the same scores, to the last bit."""
    assert list(a) == list(b)
    np.testing.assert_array_equal(a.frames, b.frames)
    for key in a:
        assert a[key].tobytes() == b[key].tobytes(), key
    assert a.aggregates == b.aggregates
    return True


class Tensor:
    """An array of another library: it has DLPack and nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return (1, 0)


class CudaTensor:
    """An array on a device, which nobody may touch."""

    def __dlpack__(self, **options):
        raise AssertionError("a tensor of a device was asked for")

    def __dlpack_device__(self):
        return (2, 0)


@pytest.fixture
def clip():
    return make_clip()


@pytest.fixture
def noisy():
    return make_clip(noise=6)


@pytest.fixture(scope="session")
def samples():
    folder = Path(__file__).resolve().parents[2] / "samples"
    if not folder.is_dir():
        pytest.skip("the sample pair is not here")
    return folder
