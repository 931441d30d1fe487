"""Ports for servers that a test starts."""

import contextlib
import pathlib
import random
import socket


def free_port():
    """A port of loopback that nobody listens on, outside those that the system gives away: until a server binds it, and while
    it is restarted, no other program is given it, and whoever connects to it meanwhile is not connected with itself."""
    first = int(pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="ascii").split()[0])
    while True:
        port = random.randrange(10_000, max(first, 20_000))
        with socket.socket() as listening, contextlib.suppress(OSError):
            listening.bind(("127.0.0.1", port))
            return port


def free_ports(count):
    """As many of them, each different."""
    ports = set()
    while len(ports) < count:
        ports.add(free_port())
    return list(ports)
