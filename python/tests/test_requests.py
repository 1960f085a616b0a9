import numpy as np
import pytest

import vmafx


def test_features():
    features = {feature.name: feature for feature in vmafx.features()}
    assert {"psnr", "vif", "adm", "motion", "cambi", "ssimulacra2"} <= set(features)
    psnr = features["psnr"]
    assert psnr.keys[:3] == ("psnr_y", "psnr_cb", "psnr_cr")
    assert "enable_apsnr" in {option.name for option in psnr.options}
    assert psnr.summary
    assert psnr.smallest == "1x1"


def test_models():
    names = vmafx.models()
    assert "vmaf_v0.6.1" in names
    model = vmafx.Model("vmaf_v0.6.1")
    assert model.version == "vmaf_v0.6.1"
    assert model.keys == ["vmaf"]
    assert len(model.features) == 6
    assert vmafx.Model("vmaf_b_v0.6.3", name="b").keys[0] == "b"


def test_version():
    assert vmafx.__version__.count(".") == 2


def test_options_of_features_change_them(clip, noisy):
    key = "integer_adm2"
    plain = vmafx.score(clip, noisy, features=["adm"])
    limited = vmafx.score(clip, noisy, features=[("adm", {"adm_enhn_gain_limit": 1.0})])
    assert key in plain
    (limited_key,) = [k for k in limited if k.startswith("integer_adm2")]
    assert limited_key != key
    assert (limited[limited_key] <= plain[key]).all()


def test_overloads_of_models(clip, noisy):
    neg = vmafx.Model(
        "vmaf_v0.6.1",
        overloads={"adm": {"adm_enhn_gain_limit": 1}, "vif": {"vif_enhn_gain_limit": 1.0}},
    )
    built_in = vmafx.score(clip, noisy, model="vmaf_v0.6.1neg")
    np.testing.assert_array_equal(vmafx.score(clip, noisy, model=neg)["vmaf"], built_in["vmaf"])


def test_several_models(clip, noisy):
    result = vmafx.score(clip, noisy, model=["vmaf_v0.6.1", "vmaf_v0.6.1neg"])
    assert [model.name for model in result.models] == ["vmaf", "vmaf_v0.6.1neg"]
    assert all(model.reason == "" for model in result.models)
    assert (result["vmaf_v0.6.1neg"] <= result["vmaf"]).all()


def test_features_without_a_model_are_scored_alone(clip, noisy):
    result = vmafx.score(clip, noisy, features=["psnr"])
    assert result.models == []
    assert "vmaf" not in result


def test_maps_are_written(tmp_path, clip):
    clip = [np.zeros((240, 320), np.uint8)]
    vmafx.score(clip, clip, features=[("cambi", {"heatmaps_path": tmp_path / "maps"})])
    assert list((tmp_path / "maps").iterdir())


@pytest.mark.parametrize(
    ("ask", "error", "says"),
    [
        ({"model": "vmaf_v9"}, vmafx.UsageError, "vmaf_v9"),
        ({"model": ""}, vmafx.UsageError, "model"),
        ({"model": "./none.json"}, vmafx.FileError, "none.json"),
        ({"model": 5}, TypeError, "int"),
        ({"model": [5]}, TypeError, "5"),
        ({"features": ["psnrr"]}, vmafx.UsageError, "psnrr"),
        ({"features": "psnr"}, TypeError, "sequence"),
        ({"features": [("psnr", {"bogus": 1})]}, vmafx.UsageError, "bogus"),
        ({"features": [("psnr", {"enable_apsnr": "maybe"})]}, vmafx.UsageError, "maybe"),
        ({"features": [("psnr", {"enable_apsnr": None})]}, TypeError, "NoneType"),
        ({"features": [("psnr",)]}, TypeError, "psnr"),
        ({"threads": -1}, vmafx.UsageError, "threads"),
        ({"threads": 2**40}, vmafx.UsageError, "threads"),
        ({"threads": 1.5}, TypeError, "threads"),
        ({"subsample": 0}, vmafx.UsageError, "subsample"),
        ({"frames": 0}, vmafx.UsageError, "frames"),
        ({"bit_depth": 17}, vmafx.UsageError, "bit_depth"),
        ({"bit_depth": 10}, vmafx.UsageError, "uint16"),
        ({"frame_rate": 0}, vmafx.UsageError, "frame_rate"),
        ({"frame_rate": float("nan")}, vmafx.UsageError, "frame_rate"),
        ({"progress": 5}, TypeError, "progress"),
        ({"model": [vmafx.Model("vmaf_v0.6.1")] * 2}, vmafx.UsageError, "vmaf"),
    ],
)
def test_wrong_requests(clip, ask, error, says):
    with pytest.raises(error, match=says) as caught:
        vmafx.score(clip, clip, **ask)
    if issubclass(error, vmafx.Error):
        assert caught.value.code == ("io" if error is vmafx.FileError else "usage")


def test_errors_are_pythons_too():
    assert issubclass(vmafx.UsageError, ValueError)
    assert issubclass(vmafx.InputError, ValueError)
    assert issubclass(vmafx.FileError, OSError)
    assert issubclass(vmafx.OutOfMemoryError, MemoryError)
    with pytest.raises(vmafx.Error) as caught:
        vmafx.Model("vmaf_v9")
    assert "vmaf_v0.6.1" in str(caught.value) + caught.value.hint
