"""Makes small PNG files for the soak tests."""

import base64
import zlib


def chunk(name, payload):
    """A chunk of a PNG."""
    return len(payload).to_bytes(4, "big") + name + payload + zlib.crc32(name + payload).to_bytes(4, "big")


def picture(side=8, note="", filling=0):
    """A square grey PNG with a comment and `filling` bytes of padding."""
    pixels = zlib.compress((b"\0" + b"\x80" * side) * side)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", side.to_bytes(4, "big") * 2 + b"\x08\0\0\0\0")
            + chunk(b"tEXt", b"Comment\0" + note.encode()) + chunk(b"quVa", bytes(filling)) + chunk(b"IDAT", pixels)
            + chunk(b"IEND", b""))


def coded(data):
    """Bytes in Base64, as the protocol sends them."""
    return base64.b64encode(data).decode()
