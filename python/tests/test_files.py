import json
from fractions import Fraction

import numpy as np
import pytest

import vmafx
from conftest import make_clip, same, write_raw, write_y4m


def test_the_sample_pair_has_its_known_scores(samples):
    if not vmafx.can_open_containers():
        pytest.skip("this build has no libav module: containers cannot be read")
    expected = json.loads((samples / "expected.json").read_text())
    result = vmafx.score(samples / "reference.mp4", str(samples / "distorted.mkv"))
    assert len(result.frames) == expected["frames"]
    # The file has six decimals.
    np.testing.assert_allclose(result["vmaf"], expected["per_frame"]["vmaf_v1"], rtol=0, atol=5e-7)
    assert result.pooled["vmaf"].mean == pytest.approx(expected["mean"]["vmaf_v1"], abs=5e-7)
    (model,) = result.models
    assert model.version == "vmaf_v1.0.16_3d0h"
    assert model.reason == "height up to 1440, below 45 fps"
    assert len(model.digest) == 64
    assert result.warnings == []
    assert (result.width, result.height) == (640, 360)


@pytest.mark.parametrize(
    ("chroma", "bit_depth"),
    [("420", 8), ("422", 10), ("444", 12), ("400", 8), ("400", 16), ("440", 8), ("411", 8)],
)
def test_arrays_score_as_files_do(tmp_path, chroma, bit_depth):
    kind = {"chroma": chroma, "bit_depth": bit_depth}
    clip, noisy = make_clip(4, **kind), make_clip(4, noise=9, **kind)
    ask = {"features": ["psnr", "vif", "motion"]}
    files = vmafx.score(
        write_y4m(tmp_path / "a.y4m", clip, **kind),
        write_y4m(tmp_path / "b.y4m", noisy, **kind),
        **ask,
    )
    depth = None if bit_depth == 8 else bit_depth
    assert same(vmafx.score(clip, noisy, bit_depth=depth, **ask), files)
    assert files["psnr_y"].min() > 10
    raw = {"width": 64, "height": 48, "chroma": chroma, "bit_depth": bit_depth}
    assert same(
        vmafx.score(
            vmafx.raw(write_raw(tmp_path / "a.yuv", clip), **raw),
            vmafx.raw(write_raw(tmp_path / "b.yuv", noisy), **raw),
            **ask,
        ),
        files,
    )


def test_a_file_and_arrays_make_a_pair(tmp_path, clip, noisy):
    path = write_y4m(tmp_path / "a.y4m", clip)
    both = vmafx.score(clip, noisy, features=["psnr"])
    assert same(vmafx.score(path, noisy, features=["psnr"]), both)


def test_the_frame_rate_decides_the_model(tmp_path):
    # The smallest that the newer models measure.
    clip, noisy = make_clip(2, width=216, height=216), make_clip(2, 5, width=216, height=216)

    def chosen(rate):
        a = write_y4m(tmp_path / "a.y4m", clip, rate=rate)
        b = write_y4m(tmp_path / "b.y4m", noisy, rate=rate)
        (model,) = vmafx.score(a, b).models
        return model

    slow, fast = chosen("25:1"), chosen("60000:1001")
    assert slow.version != fast.version
    assert "45 fps" in fast.reason
    rate = Fraction(60000, 1001)
    assert vmafx.score(clip, noisy, frame_rate=rate).models == [fast]
    assert vmafx.score(clip, noisy, frame_rate=59.94).models == [fast]
    (unknown,) = vmafx.score(clip, noisy).models
    assert unknown.version == slow.version
    assert "unknown frame rate" in unknown.reason


def test_frames_and_subsample(clip, noisy):
    assert vmafx.score(clip, noisy, features=["psnr"], frames=3).frames.tolist() == [0, 1, 2]
    assert vmafx.score(clip, noisy, features=["psnr"], subsample=2).frames.tolist() == [0, 2, 4]


def test_no_number_of_threads_changes_a_score(clip, noisy):
    one = vmafx.score(clip, noisy, threads=1)
    for threads in (0, 2, 5):
        assert same(vmafx.score(clip, noisy, threads=threads), one)


def test_a_longer_stream_is_said(tmp_path, clip, noisy):
    result = vmafx.score(clip, noisy[:3], features=["psnr"])
    assert len(result.frames) == 3
    (warning,) = result.warnings
    assert "2 frames of the longer stream not scored" in warning


def test_a_stream_out_of_step_is_said():
    clip = make_clip(20, width=192, height=160)
    result = vmafx.score(clip[1:], clip[:-1], features=["psnr"])
    assert any("late" in warning for warning in result.warnings)
