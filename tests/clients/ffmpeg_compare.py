#!/usr/bin/env python3
"""Scores clips through FFmpeg's libvmaf filter with one libvmaf or two, for ffmpeg.sh.

Each case runs FFmpeg that was built with the tested library; with --other also FFmpeg that was built with the other
library, once with that library and once, as it is, with the tested one in its place. The logs of the tested library
must be equal, and agree with the other's within the bounds of docs/exactness.md.
"""

import argparse
import dataclasses
import itertools
import os
import pathlib
import re
import resource
import subprocess
import sys
import time

import libvmaf_log

TIMEOUT_S = 300
FRAMES = 9
FORMATS = ("yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "yuv444p10le")
# Peak memory may grow by this much from a clip to one ten times as long: the scores themselves are kept, about
# 20 numbers a frame, and the allocator does not give back every page.
MEMORY_GROWTH_MB = 8
MEMORY_FRAMES = (300, 3000)


@dataclasses.dataclass
class Case:
    name: str
    options: str  # of the filter, as they are before FFmpeg's two levels of quoting
    log: str = "xml"
    everywhere: bool = False  # for every pair of clips, else for the first alone
    fails: bool = False  # FFmpeg must refuse it
    stricter: bool = False  # ... with the tested library; the other one may let it pass
    shipped: bool = False  # with FFmpeg as it was shipped
    own_log: bool = False  # the other library's log is of another model; see "set, deprecated"
    any_order: bool = False  # keys may come in another order: libvmaf's depends on which thread is first


ALL_FEATURES = "|".join(f"name={name}" for name in (
    "psnr", "psnr_hvs", "float_ssim", "float_ms_ssim", "cambi", "ciede"))

CASES = [
    Case("default model", "", everywhere=True),
    Case("default model, FFmpeg as shipped", "", everywhere=True, shipped=True),
    Case("three models", "model=version=vmaf_v0.6.1:name=hd|version=vmaf_v0.6.1neg:name=neg"
         "|version=vmaf_4k_v0.6.1:name=uhd", "json", everywhere=True),
    Case("v1 model", "model=version=vmaf_v1.0.16_3d0h:name=v1", "json", everywhere=True),
    Case("all features", f"feature={ALL_FEATURES}", "json", everywhere=True),
    *(Case(f"n_threads={n}", f"n_threads={n}:feature=name=psnr", any_order=n > 0) for n in (0, 1, 4)),
    Case("n_subsample=3", "n_subsample=3:feature=name=psnr"),
    Case("n_subsample=3 n_threads=4", "n_subsample=3:n_threads=4:feature=name=psnr", any_order=True),
    *(Case(f"pool={pool}", f"pool={pool}") for pool in ("mean", "min", "harmonic_mean")),
    *(Case(f"log_fmt={log}", "feature=name=psnr", log) for log in ("xml", "json", "csv", "sub")),
    *(Case(f"log_fmt={log} n_subsample=2", "n_subsample=2:feature=name=cambi", log)
      for log in ("json", "csv", "sub")),
    Case("disable_clip", "model=version=vmaf_v0.6.1:disable_clip=true", "json"),
    Case("enable_transform", "model=version=vmaf_v0.6.1:enable_transform=true", "json"),
    Case("model and overloads", "model=version=vmaf_v0.6.1:adm.adm_enhn_gain_limit=1.0:"
         "vif.vif_enhn_gain_limit=1.0", "json"),
    Case("model, motion off", "model=version=vmaf_v0.6.1:motion.motion_force_zero=true", "json"),
    *(Case(f"feature {name}", f"feature=name={name}", "json") for name in (
        "psnr", "cambi", "float_ssim", "float_ms_ssim", "psnr_hvs", "ciede", "adm", "vif", "motion",
        "float_psnr", "float_moment", "float_adm", "float_vif",
        "psnr:enable_apsnr=true:enable_mse=true", "psnr:enable_chroma=false", "float_ssim:enable_lcs=true",
        "adm:adm_enhn_gain_limit=1.2", "vif:vif_enhn_gain_limit=1.0", "motion:motion_force_zero=true",
        "cambi:full_ref=true", "cambi:cambi_topk=0.2")),
    # Both motion metrics come last; libvmaf has this one's motion3 before the other's keys.
    Case("feature float_motion", "feature=name=float_motion", "json", any_order=True),
    # libvmaf leaves such a request out where a model measures the same without debug.
    *(Case(f"feature {name}:debug=true", f"model=version=vmaf_v0.6.1neg:feature=name={name}:debug=true", "json")
      for name in ("adm", "vif")),
    Case("psnr ssim ms_ssim", "psnr=1:ssim=1:ms_ssim=1", "json"),
    Case("unknown model", "model=version=vmaf_v0.0.0", fails=True),
    Case("set of models as one", "model=version=vmaf_b_v0.6.3", fails=True),
    Case("unknown feature", "feature=name=no_such_feature", fails=True),
    Case("unknown option", "feature=name=psnr:no_such_option=1", fails=True, stricter=True),
]


def model_file_cases(folder):
    """For model files as Netflix distributes them: FFmpeg reads them by path, and sets by a deprecated option."""
    single, many = folder / "vmaf_v0.6.1.json", folder / "vmaf_b_v0.6.3.json"
    return [
        Case("model file", f"model=path={single}", "json"),
        Case("model file, deprecated", f"model_path={single}", "json"),
        # FFmpeg adds its default model, of the same name: libvmaf logs that one, VMAFx the set, which comes first.
        Case("set, deprecated", f"model_path={many}:enable_conf_interval=1", "json", own_log=True),
        Case("no such file", f"model=path={folder}/none.json", fails=True),
    ]


@dataclasses.dataclass
class Client:
    """FFmpeg and the libvmaf that it runs with."""
    name: str
    folder: pathlib.Path
    library: pathlib.Path

    def command(self, arguments, shipped=False):
        binary = "ffmpeg_shipped" if shipped else "ffmpeg_tested"
        return [str(self.folder / binary), "-hide_banner", "-nostdin", *arguments]

    def environment(self):
        return {**os.environ, "LD_LIBRARY_PATH": str(self.library)}

    def run(self, arguments, shipped=False):
        return subprocess.run(self.command(arguments, shipped), env=self.environment(), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIMEOUT_S, check=False)


@dataclasses.dataclass
class Result:
    code: int
    errors: str
    scores: list  # of "VMAF score:" lines
    text: str  # of the log


def filter_text(case, log_path):
    """The options through FFmpeg's two levels of quoting: those inside a value are separated by escaped colons."""
    options = [f"log_path={log_path}", f"log_fmt={case.log}"]
    for option in re.split(r":(?=(?:model|feature|pool|n_threads|n_subsample|psnr|ssim|ms_ssim|model_path"
                           r"|enable_conf_interval)=)", case.options):
        if option:
            options.append(option.replace(":", r"\\:"))
    return "[0:v][1:v]libvmaf=" + ":".join(options)


def score(client, case, pair, work):
    log = work / f"{client.name}.log"
    log.unlink(missing_ok=True)
    reference, distorted = pair
    done = client.run(["-i", distorted, "-i", reference, "-lavfi", filter_text(case, log), "-f", "null", "-"],
                      case.shipped)
    return Result(done.returncode, done.stderr,
                  [float(text) for text in re.findall(r"VMAF score: (\S+)", done.stderr)],
                  log.read_text() if log.exists() else "")


def without_fps(text):
    return re.sub(r'fps"?(=|: )"?[0-9.a-z]+"?', "fps", text)


def check_alone(case, result, comparison):
    """What must hold of the tested library whatever it is compared with."""
    if case.fails:
        if result.code == 0:
            comparison.differ("FFmpeg succeeded, should have refused")
        if result.text:
            comparison.differ("a log was written in spite of the error")
        return
    if result.code != 0 or not result.text:
        comparison.differ(f"FFmpeg ended with {result.code}: {result.errors.strip()[-400:]}")
        return
    log = libvmaf_log.READERS[case.log](result.text)
    if not log.frames:
        comparison.differ("the log has no frame")
    models = case.options.count("version=") + case.options.count("model=path=") or 1
    comparison.same("score lines", len(result.scores), models)


def compare_case(case, pair, clients, work):
    comparison = libvmaf_log.Comparison()
    tested, *others = clients
    ours = score(tested, case, pair, work)
    check_alone(case, ours, comparison)
    for client in others:
        theirs = score(client, case, pair, work)
        if client.library == tested.library:
            comparison.same("exit code with the library in the other's place", theirs.code, ours.code)
            if without_fps(theirs.text) != without_fps(ours.text):
                comparison.differ("the log with the library in the other's place is another one")
            comparison.same("score lines with the library in the other's place", theirs.scores, ours.scores)
            continue
        if (theirs.code != 0) != case.fails and not case.stricter:
            comparison.differ(f"not comparable: the other library's FFmpeg ended with {theirs.code}: "
                              f"{theirs.errors.strip()[-400:]}")
        if comparison.differences or case.fails or case.own_log:
            continue
        comparison.logs(*(libvmaf_log.READERS[case.log](result.text) for result in (ours, theirs)),
                        case.any_order)
        comparison.same("number of score lines", len(ours.scores), len(theirs.scores))
        for one, other in zip(ours.scores, theirs.scores):
            comparison.value("score line", "vmaf", one, other)
    return comparison, ours


def check_threads(client, pair, work):
    """Threads must not change a byte of the log."""
    texts = {n: without_fps(score(client, Case("", f"n_threads={n}:feature=name=psnr"), pair, work).text)
             for n in (0, 1, 2, 4, 16)}
    comparison = libvmaf_log.Comparison()
    for n, text in texts.items():
        if not text or text != texts[0]:
            comparison.differ(f"n_threads={n} gives another log than n_threads=0")
    return comparison


def generate(client, work):
    """A pair of every format, with texture, motion and low bits; and a pair of identical pictures."""
    pairs = {}
    for name in FORMATS:
        files = []
        for kind, blur in (("reference", 0.6), ("distorted", 1.3)):
            path = work / f"{name}_{kind}.y4m"
            graph = (f"testsrc2=size=352x288:rate=25,noise=alls=24:allf=t+u:all_seed=7,format={name},"
                     f"gblur=sigma={blur}")
            done = client.run(["-y", "-f", "lavfi", "-i", graph, "-frames:v", str(FRAMES), "-strict", "-1",
                               "-pix_fmt", name, str(path)])
            if done.returncode != 0:
                raise SystemExit(f"cannot make {path}: {done.stderr}")
            files.append(str(path))
        pairs[f"generated {name}"] = tuple(files)
    first = pairs["generated yuv420p"][0]
    pairs["generated identical"] = (first, first)
    return pairs


def even_size(client, clip):
    size = re.search(r"Video:.* (\d+)x(\d+)", client.run(["-i", clip]).stderr)
    if not size:
        raise SystemExit(f"FFmpeg finds no video in {clip}")
    return all(int(n) % 2 == 0 for n in size.groups())


def peak_memory_mb(client, frames):
    source = "testsrc2=size=576x324:rate=25"
    graph = "[0:v]noise=alls=6[d];[d][1:v]libvmaf=n_threads=4"
    command = client.command(["-f", "lavfi", "-i", source, "-f", "lavfi", "-i", source, "-lavfi", graph,
                              "-frames:v", str(frames), "-f", "null", "-"])
    with subprocess.Popen(command, env=client.environment(), stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return usage.ru_maxrss / 1024


def check_memory(client):
    comparison = libvmaf_log.Comparison()
    peaks = [peak_memory_mb(client, frames) for frames in MEMORY_FRAMES]
    text = ", ".join(f"{peak:.1f} MB for {frames} frames" for frames, peak in zip(MEMORY_FRAMES, peaks))
    if peaks[1] - peaks[0] > MEMORY_GROWTH_MB:
        comparison.differ(f"peak memory grows: {text}; allowed {MEMORY_GROWTH_MB} MB")
    return comparison, text


class Table:
    def __init__(self):
        self.passed = 0
        self.failed = 0

    def row(self, what, comparison, note=""):
        good = not comparison.differences
        self.passed += good
        self.failed += not good
        values = ""
        if comparison.values:
            values = f"{comparison.values:5} values, " + (
                f"up to {comparison.largest:.0e} apart in {comparison.largest_key}" if comparison.largest
                else "all equal")
        print(f"{'ok  ' if good else 'FAIL'} {what:<68} {values}{note}", flush=True)
        for difference in comparison.differences[:6]:
            print(f"       {difference}")
        if len(comparison.differences) > 6:
            print(f"       and {len(comparison.differences) - 6} more")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("--tested", "--tested-lib", "--work"):
        parser.add_argument(name, type=pathlib.Path, required=True)
    for name in ("--other", "--other-lib", "--models"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--no-memory", action="store_true")
    parser.add_argument("clips", nargs="*")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    work = arguments.work
    work.mkdir(parents=True, exist_ok=True)
    tested = Client("tested", arguments.tested, arguments.tested_lib)
    clients = [tested]
    if arguments.other:
        clients += [Client("other", arguments.other, arguments.other_lib),
                    Client("in_place", arguments.other, arguments.tested_lib)]
    pairs = generate(tested, work)
    for reference, distorted in itertools.zip_longest(*[iter(arguments.clips)] * 2):
        if even_size(tested, reference):
            pairs[pathlib.Path(distorted).stem] = (reference, distorted)
        else:
            print(f"     left out, since of odd size, where libvmaf has less chroma: {reference}")
    cases = CASES + (model_file_cases(arguments.models) if arguments.models else [])
    table = Table()
    started = time.monotonic()
    for case, (index, (name, pair)) in itertools.product(cases, enumerate(pairs.items())):
        if arguments.only in case.name and (index == 0 or case.everywhere):
            comparison, _ = compare_case(case, pair, clients, work)
            table.row(f"{case.name}: {name}", comparison)
    if arguments.only in "threads":
        table.row("threads 0, 1, 2, 4, 16 give equal logs", check_threads(tested, next(iter(pairs.values())), work))
    if not arguments.no_memory:
        for client in clients[:2]:
            comparison, text = check_memory(client)
            if client is tested:
                table.row("peak memory does not grow with the clip", comparison, f"{text}")
            else:
                print(f"     the other library: {text}")
    print(f"{time.monotonic() - started:.0f} s")
    print(f"{table.passed} passed, {table.failed} failed")
    return 1 if table.failed or not table.passed else 0


if __name__ == "__main__":
    sys.exit(main())
