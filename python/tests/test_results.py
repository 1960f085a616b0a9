import json
import math
from xml.etree import ElementTree

import numpy as np
import pytest

import vmafx


@pytest.fixture
def result(clip, noisy):
    noisy[1] = clip[1]
    return vmafx.score(
        clip, noisy, model="vmaf_v0.6.1", features=[("psnr", {"enable_apsnr": True})]
    )


def test_columns(result):
    assert result.frames.dtype == np.int64
    assert result.frames.tolist() == [0, 1, 2, 3, 4]
    assert result["vmaf"].dtype == np.float64
    assert "vmaf" in result
    assert "nothing" not in result
    assert set(result) == set(result.keys())
    assert len(result) == len(result.keys())
    with pytest.raises(KeyError, match="nothing"):
        result["nothing"]
    assert result["vmaf"] is result["vmaf"]
    assert result.identical.tolist() == [False, True, False, False, False]
    assert "5 frames" in repr(result)


def test_columns_outlive_the_result(result):
    column = result["vmaf"]
    copy = column.copy()
    del result
    np.testing.assert_array_equal(column, copy)


def test_pooled(result):
    values, pooled = result["vmaf"], result.pooled["vmaf"]
    assert pooled.min == values.min()
    assert pooled.max == values.max()
    # NumPy adds in another order.
    assert pooled.mean == pytest.approx(values.mean(), rel=1e-14)
    assert pooled.stddev == pytest.approx(values.std(), rel=1e-12)
    assert pooled.harmonic_mean == pytest.approx(1 / np.mean(1 / (values + 1)) - 1, rel=1e-12)
    for percent in (1, 5, 10, 25, 50, 75, 90, 95):
        assert pooled.percentiles[percent] == pytest.approx(np.percentile(values, percent))


def test_aggregates(result):
    assert set(result.aggregates) == {"apsnr_y", "apsnr_cb", "apsnr_cr"}


def test_to_dict_is_json(result):
    document = result.to_dict()
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert [frame["metrics"]["vmaf"] for frame in document["frames"]] == result["vmaf"].tolist()
    assert document["models"][0]["version"] == "vmaf_v0.6.1"


def test_written_reports(tmp_path, result):
    result.write(tmp_path / "a.json")
    assert json.loads((tmp_path / "a.json").read_text()) == result.to_dict()
    result.write(str(tmp_path / "b.xml"))
    assert ElementTree.parse(tmp_path / "b.xml").getroot().tag == "VMAF"
    result.write(tmp_path / "c", "csv")
    assert len((tmp_path / "c").read_text().splitlines()) == 6
    result.write(tmp_path / "d.txt", precision="legacy")
    assert json.loads((tmp_path / "d.txt").read_text())["frames"]
    result.write(tmp_path / "e.sub", precision=3)
    assert len(list(tmp_path.iterdir())) == 5


def test_reports_that_cannot_be_written(tmp_path, result):
    with pytest.raises(vmafx.FileError, match="nowhere"):
        result.write(tmp_path / "nowhere" / "a.json")
    with pytest.raises(vmafx.UsageError, match="yaml"):
        result.write(tmp_path / "a", "yaml")
    with pytest.raises(vmafx.UsageError, match="precision"):
        result.write(tmp_path / "a", precision=18)
    assert list(tmp_path.iterdir()) == []


def test_a_session_writes_reports_too(tmp_path, clip, noisy):
    with vmafx.Session(features=["psnr"]) as session:
        session.submit(clip[0], noisy[0])
        session.finish().write(tmp_path / "a.xml")
    assert "psnr_y" in (tmp_path / "a.xml").read_text()


def test_what_does_not_apply_is_said(clip, noisy):
    luma = [frame[0] for frame in clip]
    result = vmafx.score(luma, luma, features=["psnr", "ciede"])
    (skipped,) = result.skipped
    assert skipped.name == "ciede"
    assert skipped.reason
    assert "psnr_y" in result


def test_values_that_are_left_out_are_said(clip):
    twice = ["psnr", ("psnr", {"min_sse": 1})]
    warnings = vmafx.score(clip, clip, features=twice).warnings
    assert any("left out" in warning for warning in warnings)


def test_infinite_values(clip):
    result = vmafx.score(clip, clip, features=[("psnr", {"min_sse": 0})])
    assert result["psnr_y"].min() > 0
    assert all(
        value is None or math.isfinite(value)
        for frame in result.to_dict()["frames"]
        for value in frame["metrics"].values()
    )
