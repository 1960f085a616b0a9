"""Reads libvmaf's logs and compares two of them."""

import csv
import dataclasses
import json
import math
import re
import xml.etree.ElementTree

POOLINGS = ("min", "max", "mean", "harmonic_mean")
SECTIONS = ("version", "fps", "frames", "pooled_metrics", "aggregate_metrics")
# Logs have six digits after the point: two values that differ by next to nothing may be one of the last apart.
LAST_DIGIT = 1e-6
# Bounds by the beginning of the key, those of docs/exactness.md; absolute or relative, whichever is larger. Everything
# else that is measured in float has 1e-6; what is no feature is a model's score.
BOUNDS = (
    (("integer_adm", "integer_aim"), 2e-7),
    (("psnr_hvs",), 1e-6),
    (("integer_", "VMAF_integer_", "psnr_y", "psnr_cb", "psnr_cr", "apsnr", "mse", "cambi"), 1e-9),
    (("float_", "vif_", "adm", "motion", "ciede", "ssim", "VMAF_feature"), 1e-6),
)
SCORE_BOUND = 1e-5


@dataclasses.dataclass
class Log:
    frames: dict  # number -> {key: value}; keys are in the order of the log
    pooled: dict  # key -> {pooling: value}
    aggregate: dict  # key -> value
    sections: list  # what the log has besides, in order


def bound(key):
    for starts, value in BOUNDS:
        if key.startswith(starts):
            return value
    return SCORE_BOUND


def number(value):
    return math.nan if value is None else float(value)


def numbers(values):
    return {key: number(value) for key, value in values.items()}


def read_xml(text):
    root = xml.etree.ElementTree.fromstring(text)
    log = Log({}, {}, {}, list(root.attrib) + [f"{element.tag} {' '.join(element.attrib)}".strip()
                                               for element in root if element.tag != "aggregate_metrics"])
    for frame in root.find("frames"):
        values = dict(frame.attrib)
        frame = int(values.pop("frameNum"))
        log.frames[frame] = numbers(values)
    for metric in root.find("pooled_metrics"):
        values = dict(metric.attrib)
        name = values.pop("name")
        log.pooled[name] = numbers(values)
    log.aggregate = numbers(root.find("aggregate_metrics").attrib)
    return log


def read_json(text):
    document = json.loads(text)
    return Log({frame["frameNum"]: numbers(frame["metrics"]) for frame in document["frames"]},
               {key: numbers(values) for key, values in document["pooled_metrics"].items()},
               numbers(document["aggregate_metrics"]), list(document))


def read_csv(text):
    header, *rows = csv.reader(text.splitlines())
    log = Log({}, {}, {}, [f"cells {len(header)}"])
    for row in rows:
        cells = dict(zip(header, row))
        frame = int(cells.pop("Frame"))
        log.frames[frame] = {key: float(cell) for key, cell in cells.items() if cell}
    return log


def read_sub(text):
    log = Log({}, {}, {}, [])
    for line in text.splitlines():
        start, end, fields = re.fullmatch(r"\{(\d+)\}\{(\d+)\}(.*)\|", line).groups()
        if int(end) != int(start) + 1:
            raise ValueError(f"subtitle of frame {start} ends at {end}")
        pairs = dict(field.split(": ") for field in fields.split("|"))
        frame = int(pairs.pop("frame"))
        log.frames[frame] = numbers(pairs)
    return log


READERS = {"xml": read_xml, "json": read_json, "csv": read_csv, "sub": read_sub}


class Comparison:
    """Collects differences, and the largest distance of two values."""

    def __init__(self):
        self.differences = []
        self.values = 0
        self.largest = 0.0
        self.largest_key = ""

    def differ(self, text):
        self.differences.append(text)

    def same(self, what, tested, other):
        if tested != other:
            self.differ(f"{what}: {tested} instead of {other}")

    def value(self, what, key, tested, other):
        self.values += 1
        if math.isnan(other) and math.isnan(tested) or other == tested:
            return
        difference = abs(tested - other)
        if difference > self.largest:
            self.largest, self.largest_key = difference, key
        allowed = bound(key) * max(1, abs(other)) + LAST_DIGIT * 1.001
        if not difference <= allowed:
            self.differ(f"{what} {key}: {tested} instead of {other}, {difference:.3g} apart, "
                        f"allowed {allowed:.3g}")

    def keys(self, what, tested, other, any_order):
        """Says only what is missing, added, or first out of place: a log has the same in every frame."""
        for difference, keys in (("lacks", other.keys() - tested.keys()), ("adds", tested.keys() - other.keys())):
            if keys:
                self.differ(f"{what} {difference} {', '.join(sorted(keys))}")
        if any_order or tested.keys() != other.keys():
            return
        for one, two in zip(tested, other):
            if one != two:
                self.differ(f"{what} has {one} where {two} should be")
                return

    def mapping(self, what, tested, other, any_order=False):
        self.keys(what, tested, other, any_order)
        for key in other:
            if key in tested:
                self.value(what, key, tested[key], other[key])

    def logs(self, tested, other, any_order):
        # What the tested log adds comes after what the other one has.
        self.same("sections of the log", tested.sections[:len(other.sections)], other.sections)
        self.same("frames", list(tested.frames), list(other.frames))
        for frame, values in other.frames.items():
            if frame in tested.frames:
                self.mapping(f"frame {frame}", tested.frames[frame], values, any_order)
        self.keys("pooled", tested.pooled, other.pooled, any_order)
        for key, values in other.pooled.items():
            for pooling in POOLINGS:
                if key in tested.pooled:
                    self.value(f"pooled {pooling}", key, tested.pooled[key][pooling], values[pooling])
        self.mapping("aggregate", tested.aggregate, other.aggregate, any_order)
