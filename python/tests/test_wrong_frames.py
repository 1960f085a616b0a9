import ctypes

import numpy as np
import pytest

import vmafx
from conftest import CudaTensor, make_frame, write_y4m

LUMA = np.full((48, 64), 100, np.uint8)
CHROMA = np.full((24, 32), 100, np.uint8)
DEEP = np.full((48, 64), 1000, np.uint16)


def misaligned():
    memory = np.zeros(2 * 48 * 64 + 1, np.uint8)
    return memory[1:].view(np.uint16).reshape(48, 64)


@pytest.mark.parametrize(
    ("frame", "bit_depth", "error", "says"),
    [
        (LUMA.astype(np.float32), None, TypeError, "float32"),
        (LUMA.astype(np.int8), None, TypeError, "int8"),
        (LUMA.astype(np.uint32), None, TypeError, "uint32"),
        (LUMA.astype(bool), None, TypeError, "bool"),
        (LUMA.astype(complex), None, TypeError, "complex"),
        (DEEP.astype(">u2"), 10, TypeError, "byte order"),
        (LUMA.astype(object), None, TypeError, "array"),
        ("text", None, TypeError, "str"),
        (None, None, TypeError, "NoneType"),
        (5, None, TypeError, "int"),
        (CudaTensor(), None, TypeError, "CPU"),
        ((LUMA, CHROMA, CudaTensor()), None, TypeError, "CPU"),
        (LUMA[0], None, vmafx.UsageError, "two dimensions.*1"),
        (np.stack([LUMA] * 3, axis=-1), None, vmafx.UsageError, "two dimensions.*3"),
        (np.array(5, np.uint8), None, vmafx.UsageError, "two dimensions.*0"),
        (LUMA[:, ::2], None, vmafx.UsageError, "side by side"),
        (LUMA[:, ::-1], None, vmafx.UsageError, "side by side"),
        (np.asfortranarray(LUMA), None, vmafx.UsageError, "side by side"),
        (misaligned(), 10, vmafx.UsageError, "aligned"),
        (LUMA[:0], None, vmafx.InputError, "64x0"),
        (np.zeros((1, 40000), np.uint8), None, vmafx.InputError, "40000x1"),
        ((LUMA, CHROMA), None, vmafx.UsageError, "not 2"),
        ((LUMA,) * 4, None, vmafx.UsageError, "not 4"),
        ((), None, vmafx.UsageError, "not 0"),
        ((LUMA, CHROMA, CHROMA[:-1]), None, vmafx.UsageError, "make no picture"),
        ((LUMA, CHROMA, LUMA), None, vmafx.UsageError, "make no picture"),
        ((CHROMA, LUMA, LUMA), None, vmafx.UsageError, "make no picture"),
        ((LUMA, CHROMA.astype(np.uint16), CHROMA), None, vmafx.UsageError, "uint8 and of uint16"),
        (DEEP, None, vmafx.UsageError, "bit_depth"),
        (DEEP, 8, vmafx.UsageError, "uint8"),
        (LUMA, 10, vmafx.UsageError, "uint16"),
    ],
)
def test_a_wrong_frame(frame, bit_depth, error, says):
    good = LUMA if bit_depth is None or bit_depth == 8 else DEEP
    with pytest.raises(error, match=says) as caught:
        vmafx.score([good], [frame], features=["psnr"], bit_depth=bit_depth)
    # It says which frame, except where the good one is refused for the same.
    assert str(caught.value).startswith(("distorted, frame 0: ", "reference, frame 0: "))
    with (
        vmafx.Session(features=["psnr"], bit_depth=bit_depth) as session,
        pytest.raises(error, match=says),
    ):
        session.submit(good, frame)


def test_the_frame_is_named():
    with pytest.raises(TypeError, match="^reference, frame 2: .*float64"):
        vmafx.score([LUMA, LUMA, LUMA.astype(float)], [LUMA] * 3, features=["psnr"])


@pytest.mark.parametrize("bit_depth", [9, 10, 12, 15])
def test_a_sample_above_the_depth(bit_depth):
    wrong = np.full((48, 64), 2**bit_depth - 1, np.uint16)
    ask = {"features": ["psnr"], "bit_depth": bit_depth}
    assert vmafx.score([wrong], [wrong], **ask).identical.all()
    wrong = wrong.copy()
    wrong[47, 63] = 2**bit_depth
    with pytest.raises(vmafx.InputError) as caught:
        vmafx.score([DEEP % 2**bit_depth], [wrong], **ask)
    assert caught.value.code == "bad_input"
    assert f"row 47, column 63 holds {2**bit_depth}" in str(caught.value)


def test_formats_that_differ():
    other = np.zeros((50, 64), np.uint8)
    with pytest.raises(vmafx.InputError, match="64x48.*64x50") as caught:
        vmafx.score([LUMA], [other], features=["psnr"])
    assert caught.value.code == "mismatch"
    with pytest.raises(vmafx.InputError, match="distorted, frame 1 is 64x50"):
        vmafx.score([LUMA, LUMA], [LUMA, other], features=["psnr"])
    with pytest.raises(vmafx.InputError, match="chroma"):
        vmafx.score([LUMA], [(LUMA, CHROMA, CHROMA)], features=["psnr"])


@pytest.mark.parametrize("empty", [[], (), iter([]), np.zeros((0, 48, 64), np.uint8)])
def test_no_frames(empty):
    with pytest.raises(vmafx.InputError, match="distorted: there is no frame") as caught:
        vmafx.score([LUMA], empty)
    assert caught.value.code == "no_frames"


@pytest.mark.parametrize("source", [5, None, 1.5, object()])
def test_no_source_at_all(source):
    with pytest.raises(TypeError, match="reference is a path"):
        vmafx.score(source, [LUMA])


def test_one_frame_in_place_of_a_list():
    with pytest.raises(TypeError, match="pass a list of frames"):
        vmafx.score((LUMA, CHROMA, CHROMA), [LUMA])
    with pytest.raises(vmafx.UsageError, match="two dimensions") as caught:
        vmafx.score(LUMA, LUMA)
    assert "list" in caught.value.hint


@pytest.mark.parametrize("after", [0, 1, 3])
@pytest.mark.parametrize("which", [0, 1])
def test_an_iterator_that_raises(after, which):
    class Mine(Exception):
        pass

    def broken():
        for seed in range(after):
            yield make_frame(seed)
        raise Mine(after)

    sources = [[make_frame(seed) for seed in range(5)]] * 2
    sources[which] = broken()
    with pytest.raises(Mine):
        vmafx.score(*sources)


def test_a_length_that_lies():
    class Liar:
        def __len__(self):
            raise RuntimeError("no length")

        def __iter__(self):
            return iter([LUMA])

    assert len(vmafx.score(Liar(), [LUMA], features=["psnr"]).frames) == 1


def test_progress_that_raises():
    def progress(*_):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        vmafx.score([LUMA] * 5, [LUMA] * 5, progress=progress)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(vmafx.FileError, match="nothing.y4m: No such file"):
        vmafx.score(tmp_path / "nothing.y4m", [LUMA])
    with pytest.raises(vmafx.FileError, match="directory"):
        vmafx.score(tmp_path, [LUMA])
    name = bytes(tmp_path) + b"/\xff.y4m"
    with pytest.raises(vmafx.FileError, match="xff"):
        vmafx.score(name, [LUMA])


def test_files_that_are_broken(tmp_path):
    path = tmp_path / "a.y4m"
    write_y4m(path, [LUMA, LUMA], chroma="400")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(vmafx.InputError, match="a.y4m") as caught:
        vmafx.score(path, [LUMA] * 3, features=["psnr"])
    assert caught.value.code == "bad_input"
    path.write_bytes(b"")
    with pytest.raises(vmafx.InputError, match="empty"):
        vmafx.score(path, path)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"width": 0}, "width"),
        ({"height": 2**31}, "height"),
        ({"height": 40000}, "40000"),
        ({"chroma": "421"}, "421"),
        ({"bit_depth": 17}, "bit_depth"),
    ],
)
def test_raw_formats_that_are_none(tmp_path, wrong, says):
    kind = {"width": 64, "height": 48, **wrong}
    with pytest.raises(vmafx.UsageError, match=says):
        vmafx.score(vmafx.raw(tmp_path / "a.yuv", **kind), [LUMA])


def test_depth_is_for_arrays(tmp_path):
    path = write_y4m(tmp_path / "a.y4m", [LUMA], chroma="400")
    with pytest.raises(vmafx.UsageError, match="frames in memory"):
        vmafx.score(path, path, bit_depth=10)


def test_a_broken_exporter():
    class Broken:
        def __dlpack__(self, **options):
            raise RuntimeError("no")

    with pytest.raises(TypeError, match="Broken"):
        vmafx.score([Broken()], [LUMA])

    class Device:
        def __dlpack__(self, **options):
            raise AssertionError

        def __dlpack_device__(self):
            raise RuntimeError("lost")

    with pytest.raises(RuntimeError, match="lost"):
        vmafx.score([Device()], [LUMA])


def test_memory_that_is_not_an_array():
    buffer = (ctypes.c_uint8 * 64 * 48)()
    assert vmafx.score([buffer], [buffer], features=["psnr"]).identical.all()
