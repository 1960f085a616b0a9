#!/usr/bin/env python3
"""Counts the instructions of every metric's AVX2 code, and compares them with bench/instructions.txt.

    bench/instructions.py BINARY            fails if a metric needs over 5 % more than is stored
    bench/instructions.py BINARY --write    stores what is counted

Counts are repeatable on busy machines, but not between compilers: they are compared if the compiler is the stored one.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

STORED = pathlib.Path(__file__).with_name("instructions.txt")
# Below it is what a compiler's updates and changes of code around a kernel move.
ALLOWED_GROWTH = 1.05
PIXELS = 480 * 270
SKIPPED = 77


def skip(reason):
    print("instructions: Skipped")
    print(reason)
    sys.exit(SKIPPED)


def compiler_of(binary):
    """What the compiler wrote into the binary: "GCC: (Debian 12.2.0-14) 12.2.0"."""
    text = subprocess.run(["readelf", "-p", ".comment", binary], capture_output=True, text=True, check=True).stdout
    return sorted(set(re.findall(r"\]\s+(.*)", text)))[0]


def count(binary):
    """Instructions a pixel by "metric/depth"."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", binary]
        try:
            run = subprocess.run(command, capture_output=True, text=True)
        except FileNotFoundError:
            skip("there is no valgrind")
        if run.returncode == SKIPPED:
            skip(run.stderr.strip().splitlines()[-1])
        if run.returncode != 0:
            sys.exit(f"instructions: {' '.join(command)} failed:\n{run.stderr}")
        counts = {}
        for dump in pathlib.Path(folder).iterdir():
            text = dump.read_text()
            name = re.search(r"^desc: Trigger: Client Request: (.*)$", text, re.M)
            total = re.search(r"^totals: (\d+)", text, re.M)
            if name and total:
                counts[name[1]] = int(total[1]) / PIXELS
    if not counts:
        sys.exit("instructions: callgrind counted nothing")
    return counts


def read_stored():
    lines = STORED.read_text().splitlines()
    stored = dict(line.split() for line in lines if line and not line.startswith("#"))
    compiler = next(line.removeprefix("# compiler ") for line in lines if line.startswith("# compiler "))
    return compiler, {name: float(value) for name, value in stored.items()}


def write(compiler, counts):
    lines = [
        "# Instructions a luma pixel of one measurement, AVX2, 480x270 4:2:0: metric/depth count",
        "# Written by bench/instructions.py --write; changed on purpose only.",
        f"# compiler {compiler}",
    ]
    lines += [f"{name} {value:.2f}" for name, value in sorted(counts.items())]
    STORED.write_text("\n".join(lines) + "\n")


def compare(counts, stored):
    failed = False
    for name in sorted(stored.keys() | counts.keys()):
        if name not in counts or name not in stored:
            print(f"{name}: {'not counted any more' if name in stored else 'not stored'}: run with --write")
            failed = True
            continue
        # Less than a hundredth of an instruction a pixel is noise of the call itself.
        ratio = max(counts[name], 0.01) / max(stored[name], 0.01)
        note = ""
        if ratio > ALLOWED_GROWTH:
            note = "  more than allowed"
            failed = True
        elif ratio < 1 / ALLOWED_GROWTH:
            note = "  less: store it with --write"
        print(f"{name:24} {counts[name]:10.2f} a pixel, stored {stored[name]:10.2f}, {100 * (ratio - 1):+6.2f} %{note}")
    return failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    compiler = compiler_of(arguments.binary)
    if arguments.write:
        write(compiler, count(arguments.binary))
        return
    stored_compiler, stored = read_stored()
    if compiler != stored_compiler:
        skip(f"counts are stored for {stored_compiler}, this is {compiler}")
    if compare(count(arguments.binary), stored):
        sys.exit(1)


main()
