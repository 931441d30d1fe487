"""Generated images for tests."""

import struct
import zlib


def png(width, height, comment="place: 22.5431, 114.0579"):
    """A single-colour PNG with a comment."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + b"\x30\x60\x90" * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"tEXt", b"Comment\0" + comment.encode()) + chunk(b"IDAT", zlib.compress(rows))
            + chunk(b"IEND", b""))
