#!/usr/bin/env python3
"""Times this project's `vmaf` against another `vmaf` binary on the same frames.

    bench/compare.py --peer PATH_TO_OTHER_VMAF [--ours PATH] [--sizes 1080p,2160p] [--depths 8,10]
                     [--threads 1,2] [--what REGEX] [--rounds N] [--frames N] [--cpumask N] [--markdown]

Runs alternate (ours, peer, ours, peer, ...), medians are reported. Clips come from the project's own clip
generator and are read from the page cache. On a machine whose speed varies, many short rounds (--rounds, --frames) say
more than a few long ones.

Columns:
  total    wall-clock milliseconds a frame of the whole process: start, reading, scoring, report
  reading  CPU milliseconds a frame with the `null` metric, which looks at no sample, in a run of the same round
  scoring  CPU milliseconds a frame (user + system, all threads) less reading
  ratio    peer's figure by ours in the same round, the median of rounds: above 1 means that we are faster
  memory   largest resident set
"""

import argparse
import dataclasses
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIZES = {"576p": (576, 324), "1080p": (1920, 1080), "2160p": (3840, 2160)}
FEATURES = ["null", "psnr", "motion", "vif", "adm", "cambi", "speed_chroma", "speed_temporal", "psnr_hvs", "float_ssim",
            "float_ms_ssim", "ciede", "float_psnr", "float_vif", "float_adm", "float_motion", "float_moment"]
TOGETHER = ["vif", "adm", "motion", "psnr", "float_ssim", "float_vif", "float_motion", "cambi"]


def features(*names):
    return ["--no_prediction"] + [word for name in names for word in ("--feature", name)]


WHATS = {
    **{name: features(name) for name in FEATURES},
    "eight together": features(*TOGETHER),
    "vmaf_v0.6.1": ["--model", "version=vmaf_v0.6.1"],
    "vmaf_v0.6.1 + neg": ["--model", "version=vmaf_v0.6.1", "--model", "version=vmaf_v0.6.1neg:name=vmaf_neg"],
    "vmaf_v1.0.16_3d0h": ["--model", "version=vmaf_v1.0.16_3d0h"],
    "vmaf_b_v0.6.3": ["--model", "version=vmaf_b_v0.6.3"],
    "aom_ctc v7.0": ["--aom_ctc", "v7.0"],
}


@dataclasses.dataclass
class Run:
    wall: float
    cpu: float
    memory: float


def measure(binary, clips, frames, args):
    with tempfile.TemporaryDirectory() as folder:
        command = [binary, "-r", clips[0], "-d", clips[1], "--json", "-o", os.path.join(folder, "r.json"), "-q", *args]
        start = time.monotonic()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        errors = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit {child.returncode}: {errors.decode(errors='replace').strip()}")
    return Run(1e3 * wall / frames, 1e3 * (usage.ru_utime + usage.ru_stime) / frames, usage.ru_maxrss / 1024)


def make_clips(generator, folder, size, depth, frames):
    width, height = SIZES[size]
    pair = []
    for name, extra in (("ref", []), ("dis", ["--distort", "blocks"])):
        path = folder / f"{size}_{depth}_{frames}_{name}.y4m"
        if not path.exists():
            subprocess.check_call([generator, "--width", str(width), "--height", str(height), "--depth", str(depth),
                                   "--frames", str(frames), *extra, str(path)])
        pair.append(str(path))
    return pair


@dataclasses.dataclass
class Round:
    run: Run
    reading: float  # CPU time of a run of its own

    @property
    def scoring(self):
        return self.run.cpu - self.reading


def compare(binaries, clips, frames, rounds, args, null_args):
    """A list of rounds for each binary, which take turns, after one unmeasured run each."""
    results = [[] for _ in binaries]
    for binary in binaries:
        measure(binary, clips, frames, args)
    for _ in range(rounds):
        for result, binary in zip(results, binaries):
            reading = measure(binary, clips, frames, null_args).cpu
            result.append(Round(measure(binary, clips, frames, args), reading))
    return results


def ratio(ours, peer):
    """The median of the rounds' ratios; of times that are too short to be told from reading, none."""
    ratios = [b / a for a, b in zip(ours, peer) if a > 0 and b > 0]
    return f"{statistics.median(ratios):.2f}" if 2 * len(ratios) > len(ours) else "—"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", required=True)
    parser.add_argument("--ours", default=str(ROOT / "build/release/bin/vmaf"))
    parser.add_argument("--generator", default=str(ROOT / "build/release/bin/clipgen"))
    parser.add_argument("--clips", default=str(ROOT / "build/bench-clips"), help="folder that keeps the clips")
    parser.add_argument("--sizes", default="1080p,2160p")
    parser.add_argument("--depths", default="8,10")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--what", default=".", help="regular expression on the names: " + ", ".join(WHATS))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--frames", type=int, default=0, help="frames a clip (default: 48, 12 for 2160p)")
    parser.add_argument("--cpumask", help="given to both: 48 leaves AVX2, 63 nothing")
    parser.add_argument("--markdown", action="store_true")
    options = parser.parse_args()

    folder = pathlib.Path(options.clips)
    folder.mkdir(parents=True, exist_ok=True)
    binaries = [options.ours, options.peer]
    cpumask = ["--cpumask", options.cpumask] if options.cpumask else []
    columns = ["clip", "threads", "what", "total ours", "peer", "ratio", "reading ours", "peer",
               "scoring ours", "peer", "ratio", "memory ours", "peer"]
    if options.markdown:
        print("| " + " | ".join(columns) + " |")
        print("|" + "---|" * 3 + "--:|" * (len(columns) - 3))
    else:
        print(("{:<10}{:>8} {:<18}" + "{:>13}" * 10).format(*columns))
    for size in options.sizes.split(","):
        for depth in options.depths.split(","):
            frames = options.frames or (12 if size == "2160p" else 48)
            clips = make_clips(options.generator, folder, size, int(depth), frames)
            for threads in options.threads.split(","):
                args = ["--threads", threads, *cpumask]
                for what, what_args in WHATS.items():
                    if what == "null" or not re.search(options.what, what):
                        continue
                    ours, peer = compare(binaries, clips, frames, options.rounds, [*args, *what_args],
                                         [*args, *WHATS["null"]])
                    cells = [f"{size} {depth}", threads, what]
                    for figure, has_ratio in ((lambda r: r.run.wall, True), (lambda r: r.reading, False),
                                              (lambda r: r.scoring, True)):
                        columns_of = [[figure(r) for r in rounds] for rounds in (ours, peer)]
                        cells += [f"{statistics.median(column):.2f}" for column in columns_of]
                        if has_ratio:
                            cells.append(ratio(*columns_of))
                    cells += [f"{statistics.median(r.run.memory for r in rounds):.0f} MB" for rounds in (ours, peer)]
                    if options.markdown:
                        print("| " + " | ".join(cells) + " |", flush=True)
                    else:
                        print(("{:<10}{:>8} {:<18}" + "{:>13}" * 10).format(*cells), flush=True)


if __name__ == "__main__":
    main()
