#!/usr/bin/env python3
"""Runs the tools as users do and compares exit code, output and report with recorded cases.

A case file in cases/ is a JSON list of objects:
  name          what is shown
  run           command line, or a list of them that are run in turn; all end with the same code
  before        command lines that are run first and succeed; what they print is not looked at
  exit          the exit code (default 0)
  stdout        list of lines (default: nothing); "..." in a line stands for any text, a line "..." for
  stderr        any number of lines
  report        checks by file: {"out.json": {"pooled_metrics.psnr_y.mean": 60, "skipped": []}} for JSON,
                {"out.csv": ["Frame,psnr_y,", "..."]} for other texts
  absent        files that must not be there
  same          files with the same content, fps and the commands' own paths aside
  equal         [file, path, file, path] of members of JSON files that are equal
  screen        true: stdout fits a terminal of 24 lines and 80 columns
  terminal      true: stderr is a terminal, whose text is stderr's
  full          "stdout" or "stderr": it is a device without room
  no_threads    true: the system refuses every new thread
  environment   variables to set
Every case has an empty folder of its own; {in} in a command is the folder of the inputs that inputs.py makes.
"""

import argparse
import json
import os
import pathlib
import pty
import re
import resource
import shlex
import subprocess
import sys
import tempfile

import inputs
import interrupts

HERE = pathlib.Path(__file__).resolve().parent
TIMEOUT_S = 60


class Mismatch(Exception):
    """What a case expected and did not get."""


def line_pattern(line):
    return "".join(".*" if part == "..." else re.escape(part)
                   for part in re.split(r"(\.\.\.)", line))


def expect_lines(what, expected, text):
    pattern = "".join("(?:.*\n)*" if line == "..." else line_pattern(line) + "\n"
                      for line in expected)
    if text and not text.endswith("\n"):
        text += "\n"
    if not re.fullmatch(pattern, text):
        wanted = "\n".join(expected)
        raise Mismatch(f"{what} is\n{text}but should be\n{wanted}")


def member(document, path):
    """Follows a path such as frames.0.metrics.vmaf; a dot inside a key is written as @."""
    for part in path.split("."):
        if isinstance(document, list):
            document = document[int(part)]
        elif part.replace("@", ".") in document:
            document = document[part.replace("@", ".")]
        else:
            raise Mismatch(f"there is no {path}")
    return document


def expect_report(path, checks):
    text = path.read_text(encoding="utf-8")
    if isinstance(checks, list):
        expect_lines(path.name, checks, text)
        return
    document = json.loads(text)
    for key, expected in checks.items():
        found = member(document, key)
        if expected == "...":
            continue
        if found != expected:
            raise Mismatch(f"{key} of {path.name} is {found!r}, not {expected!r}")


def without_run_time(text):
    text = re.sub(r'"fps": [^,]*', '"fps": 0', text)
    return re.sub(r'fps="[^"]*"', 'fps="0"', text)


def run_on_terminal(command, folder, environment):
    """Returns exit code, stdout and what a terminal of 80 columns got on stderr."""
    master, slave = pty.openpty()
    process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=slave, text=True)
    os.close(slave)
    received = b""
    while True:
        try:
            block = os.read(master, 4096)
        except OSError:  # the process has closed its side
            break
        if not block:
            break
        received += block
    os.close(master)
    stdout = process.communicate(timeout=TIMEOUT_S)[0]
    return process.returncode, stdout, received.decode().replace("\r\n", "\n")


def refuse_threads():
    """Asks for thread stacks that no address space holds; a limit of processes spares root."""
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    resource.setrlimit(resource.RLIMIT_STACK, (1 << 46, hard))


def run_command(command, folder, case):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("LC_")}
    environment.update(LANG="C", TERM="xterm", NO_COLOR="1")
    environment.update(case.get("environment", {}))
    if case.get("terminal"):
        return run_on_terminal(command, folder, environment)
    with open("/dev/full", "wb") as device:
        streams = {name: device if case.get("full") == name else subprocess.PIPE
                   for name in ("stdout", "stderr")}
        done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              text=True, timeout=TIMEOUT_S, check=False,
                              preexec_fn=refuse_threads if case.get("no_threads") else None,
                              **streams)
    return done.returncode, done.stdout or "", done.stderr or ""


def expect_screen(text):
    lines = text.splitlines()
    if len(lines) > 24 or any(len(line) > 80 for line in lines):
        raise Mismatch(f"this does not fit 24 lines of 80 columns:\n{text}")


def command_of(line, binaries, streams):
    words = shlex.split(line.replace("{in}", str(streams)))
    return [str(binaries / words[0])] + words[1:]


def expect_equal(folder, first, first_path, second, second_path):
    values = [member(json.loads((folder / name).read_text()), path)
              for name, path in ((first, first_path), (second, second_path))]
    if values[0] != values[1]:
        raise Mismatch(f"{first_path} of {first} is not {second_path} of {second}")


def run_case(case, binaries, streams, folder):
    for line in case.get("before", []):
        code, _, stderr = run_command(command_of(line, binaries, streams), folder, {})
        if code != 0:
            raise Mismatch(f"{line} ended with {code}; stderr:\n{stderr}")
    lines = case["run"] if isinstance(case["run"], list) else [case["run"]]
    for line in lines:
        code, stdout, stderr = run_command(command_of(line, binaries, streams), folder, case)
        stdout = stdout.replace(str(streams), "{in}")
        stderr = stderr.replace(str(streams), "{in}")
        if code != case.get("exit", 0):
            raise Mismatch(f"exit code is {code}, not {case.get('exit', 0)}; stderr:\n{stderr}")
        expect_lines("stdout", case.get("stdout", []), stdout)
        expect_lines("stderr", case.get("stderr", []), stderr)
        if case.get("screen"):
            expect_screen(stdout)
    for name, checks in case.get("report", {}).items():
        expect_report(folder / name, checks)
    for files in case.get("equal", []):
        expect_equal(folder, *files)
    for name in case.get("absent", []):
        if (folder / name).exists():
            raise Mismatch(f"{name} was written")
    texts = {without_run_time((folder / name).read_text()) for name in case.get("same", [])}
    if len(texts) > 1:
        raise Mismatch(f"{', '.join(case['same'])} differ")


def recorded_cases():
    for path in sorted((HERE / "cases").glob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8")):
            yield f"{path.stem}: {case['name']}", case


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, required=True, help="folder of vmaf and vmafx")
    parser.add_argument("--only", default="", help="regular expression of names")
    arguments = parser.parse_args()
    binaries = arguments.bin.resolve()
    if not (binaries / "vmaf").exists():
        print(f"there is no vmaf in {binaries}")
        return 77
    passed, failed = 0, 0
    with tempfile.TemporaryDirectory(prefix="vmafx_cli_") as temporary:
        streams = pathlib.Path(temporary) / "in"
        streams.mkdir()
        inputs.make_all(streams)
        tests = [(name, lambda folder, case=case: run_case(case, binaries, streams, folder))
                 for name, case in recorded_cases()]
        tests += [(f"interrupts: {name}", lambda folder, test=test: test(binaries, folder))
                  for name, test in interrupts.TESTS.items()]
        for number, (name, test) in enumerate(tests):
            if not re.search(arguments.only, name):
                continue
            folder = pathlib.Path(temporary) / str(number)
            folder.mkdir()
            try:
                test(folder)
                passed += 1
            except (Mismatch, AssertionError, OSError, ValueError, subprocess.TimeoutExpired) as error:
                failed += 1
                print(f"FAILED {name}\n{error}\n")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
