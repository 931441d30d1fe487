"""A WebDAV server on loopback: prints its URL, and ends with its input."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Tests/CarrierTests"))

import dav  # noqa: E402

server = dav.Server("rclone")
try:
    print(server.url, flush=True)
    sys.stdin.read()
finally:
    server.stop()
