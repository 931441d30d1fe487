"""Runs the imaging helper: one request, one answer."""

import json
import os
import pathlib
import resource
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import programs  # noqa: E402

FILES = HERE / "files"
TEXT = "仅供办理签证使用 For visa only"
DEADLINE = 120


def program():
    """The path of the imaging helper."""
    return programs.program("quickvault-imaging")


class Answer:
    """The output and the exit status of a run."""

    def __init__(self, status, output, errors, processor_seconds, peak_bytes):
        self.status = status
        self.errors = errors
        self.processor_seconds = processor_seconds
        self.peak_bytes = peak_bytes
        line, found, self.bytes = output.partition(b"\n")
        self.line = json.loads(line) if found else None
        if self.line is not None and self.line["bytes"] != len(self.bytes):
            raise AssertionError(f"{self.line['bytes']} bytes were announced, {len(self.bytes)} arrived")

    @property
    def result(self):
        """The result; fails if there is none."""
        if self.line is None or "result" not in self.line:
            raise AssertionError(f"no result: status {self.status}, {self.line}, {self.errors[:300]}")
        return self.line["result"]

    @property
    def kind(self):
        """The kind of the error; None for a result, "crash" without an answer."""
        if self.line is None:
            return "crash"
        return self.line["error"]["kind"] if "error" in self.line else None

    @property
    def message(self):
        return self.line["error"]["message"] if self.line and "error" in self.line else ""


def start(prepare=None, environment=None):
    """Starts the helper with pipes."""
    return subprocess.Popen(
        [program()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=prepare,
        env=environment)


def run_raw(message, prepare=None, environment=None):
    """Sends bytes to the helper and waits for its answer."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = start(prepare, environment)
    output, errors = process.communicate(message, timeout=DEADLINE)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Answer(process.returncode, output, errors, used, after.ru_maxrss * 1024)


def run(job, data, prepare=None, environment=None, **members):
    """Runs a job on a picture."""
    line = json.dumps({"job": job, "bytes": len(data), **members}).encode()
    return run_raw(line + b"\n" + data, prepare, environment)


def mark(data, text=TEXT, **members):
    """Watermarks a picture."""
    style = {name: members.pop(name) for name in ("opacity", "angle", "size", "spacing") if name in members}
    return run("watermark", data, watermark={"text": text, **style}, **members)


def read(name):
    """The content of a third-party file."""
    return (FILES / name).read_bytes()
