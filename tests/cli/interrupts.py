"""What Ctrl-C does, at a moment that the test chooses: the distorted stream is a pipe that it feeds."""

import json
import os
import signal
import subprocess
import time

import inputs

FRAMES = 40
TIMEOUT_S = 60


class Run:
    """vmafx scoring PSNR of a file and a pipe, seen through its JSON progress."""

    def __init__(self, binaries, folder):
        (folder / "ref.y4m").write_bytes(inputs.y4m(64, 48, FRAMES))
        os.mkfifo(folder / "pipe.y4m")
        self.report = folder / "out.json"
        self.process = subprocess.Popen(
            [str(binaries / "vmafx"), "score", "ref.y4m", "pipe.y4m", "-f", "psnr", "--progress",
             "json", "-o", str(self.report)],
            cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.pipe = open(folder / "pipe.y4m", "wb", buffering=0)
        self.pipe.write(inputs.y4m_header(64, 48))

    def feed(self, first, last):
        for frame in range(first, last):
            self.pipe.write(b"FRAME\n" + inputs.picture(64, 48, frame, seed=1))

    def wait_for_progress(self):
        progress = json.loads(self.process.stderr.readline())
        assert set(progress) == {"frames", "total", "fps", "eta"}, progress

    def end(self):
        stdout, stderr = self.process.communicate(timeout=TIMEOUT_S)
        return self.process.returncode, stdout, stderr


def first_interrupt_reports_what_is_finished(binaries, folder):
    run = Run(binaries, folder)
    run.feed(0, 5)
    run.wait_for_progress()
    run.process.send_signal(signal.SIGINT)
    # A read that waits for the pipe goes on; after the next frame the run ends.
    try:
        run.feed(5, FRAMES)
        run.pipe.close()
    except BrokenPipeError:
        pass
    code, stdout, _ = run.end()
    assert code == 130, f"exit code is {code}, not 130"
    assert "before the interruption" in stdout, stdout
    report = json.loads(run.report.read_text())
    assert report["partial"] is True
    finished = len(report["frames"])
    assert 1 <= finished < FRAMES, f"{finished} frames are reported"
    assert "psnr_y" in report["pooled_metrics"], report["pooled_metrics"]


def termination_is_an_interrupt_too(binaries, folder):
    run = Run(binaries, folder)
    run.feed(0, 5)
    run.wait_for_progress()
    run.process.terminate()
    try:
        run.feed(5, FRAMES)
        run.pipe.close()
    except BrokenPipeError:
        pass
    code = run.end()[0]
    assert code == 130, f"exit code is {code}, not 130"


def second_interrupt_kills(binaries, folder):
    run = Run(binaries, folder)
    run.feed(0, 1)
    run.wait_for_progress()
    # Now it goes on to wait for a second frame. The pipe stays open and silent, so that only a signal can end
    # the process; before it waits, the first one would do.
    time.sleep(1)
    while run.process.poll() is None:
        run.process.send_signal(signal.SIGINT)
        try:
            run.process.wait(0.2)
        except subprocess.TimeoutExpired:
            pass
    code = run.end()[0]
    assert code == -signal.SIGINT, f"exit code is {code}, not {-signal.SIGINT}"
    assert not run.report.exists(), "a report was written"


TESTS = {test.__name__.replace("_", " "): test
         for test in (first_interrupt_reports_what_is_finished, termination_is_an_interrupt_too,
                      second_interrupt_kills)}
