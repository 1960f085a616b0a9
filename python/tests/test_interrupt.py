"""Ctrl-C, in a process of its own for each case."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

BEGIN = """
import os, sys, threading, time
import numpy as np
import vmafx

def threads():
    return len(os.listdir("/proc/self/task"))

def say(text):
    print(text, flush=True)

before = threads()
"""

END = """
except KeyboardInterrupt:
    worked = time.process_time()
    # A thread that has been joined may be listed for a moment.
    for _ in range(100):
        if threads() == before:
            break
        time.sleep(0.01)
    say(f"interrupted {threads() - before} {worked}")
"""

CASES = {
    "arrays": """
    def frames():
        luma = np.zeros((270, 480), np.uint8)
        n = 0
        while True:
            n += 1
            if n == 20:
                say("go")
            yield luma
    try:
        vmafx.score(frames(), frames())
    """,
    "slow frames, one thread": """
    luma = np.random.default_rng(1).integers(0, 255, (1080, 1920), dtype=np.uint8)
    def frames():
        say("go")
        while True:
            yield luma
    names = [f.name for f in vmafx.features() if f.name != "null"]
    try:
        vmafx.score(frames(), frames(), features=names, threads=1)
    """,
    "an iterator that waits": """
    def frames():
        yield np.zeros((48, 64), np.uint8)
        say("go")
        time.sleep(60)
    try:
        vmafx.score(frames(), frames())
    """,
    "a pipe that waits": """
    os.mkfifo("pipe")
    writer = os.open("pipe", os.O_RDWR)
    os.write(writer, b"YUV4MPEG2 W64 H48 Cmono\\nFRAME\\n" + bytes(64 * 48))
    threading.Timer(0.2, say, ["go"]).start()
    def frames():
        while True:
            yield np.zeros((48, 64), np.uint8)
    try:
        vmafx.score("pipe", frames())
    """,
    "files": """
    with open("big.y4m", "wb") as file:
        file.write(b"YUV4MPEG2 W1920 H1080 Cmono\\n")
        for _ in range(40):
            file.write(b"FRAME\\n" + bytes(1920 * 1080))
    try:
        vmafx.score("big.y4m", "big.y4m", features=["ssimulacra2", "cambi", "speed_chroma", "vif"],
                    threads=1, progress=lambda done, total, seconds: done < 3 and say("go"))
    """,
    "finish": """
    luma = np.random.default_rng(1).integers(0, 255, (1080, 1920), dtype=np.uint8)
    names = [f.name for f in vmafx.features() if f.name != "null"]
    try:
        with vmafx.Session(features=names, threads=2) as session:
            for _ in range(3):
                session.submit(luma, luma)
            say("go")
            session.finish()
    """,
}


def cpu_seconds(process):
    """Of a running process."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(sys.platform != "linux", reason="counts threads in /proc")
@pytest.mark.parametrize("case", CASES)
def test_control_c(case, tmp_path):
    script = BEGIN + textwrap.dedent(CASES[case]) + END
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "go\n", process.stderr.read()
        time.sleep(0.3)
        worked = cpu_seconds(process)
        process.send_signal(signal.SIGINT)
        line = process.stdout.readline()
        while line == "go\n":
            line = process.stdout.readline()
        _, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    assert line.startswith("interrupted "), errors
    threads_left, worked_in_all = line.split()[1:]
    assert threads_left == "0"
    assert process.returncode == 0
    # A task, one feature of one frame, is not broken off. On a busy machine that takes long, so
    # what counts is how much was still worked.
    worked = float(worked_in_all) - worked
    print(f"{case}: {worked:.2f} s of work after the signal")
    assert worked < 2
