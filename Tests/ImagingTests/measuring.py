"""Decodes pictures with independent decoders and measures the effect of a watermark."""

import functools
import io
import json
import pathlib
import subprocess
import tempfile

import numpy
from PIL import Image

import worker

Image.MAX_IMAGE_PIXELS = None


def pixels(data, name="picture.jpg"):
    """The stored pixels as an array of rows, columns and bands; for HEIC, the displayed ones from heif-convert."""
    if data[4:8] == b"ftyp":
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "source.heic"
            source.write_bytes(data)
            subprocess.run(
                ["heif-convert", str(source), str(source.with_suffix(".png"))], check=True, capture_output=True)
            made = sorted(pathlib.Path(folder).glob("*.png"))
            return pixels(made[0].read_bytes())
    image = Image.open(io.BytesIO(data))
    if image.mode == "P":
        image = image.convert("RGBA" if "transparency" in image.info else "RGB")
    array = numpy.asarray(image).astype(float)
    return array if array.ndim == 3 else array[:, :, None]


def deep_pixels(data):
    """The pixels of a PNG at full depth, from pngtopnm (netpbm); Pillow reads 16 bits only for grey."""
    raw = subprocess.run(["pngtopnm"], input=data, check=True, capture_output=True).stdout
    kind, size, top, values = raw.split(b"\n", 3)
    width, height = map(int, size.split())
    bands = {b"P5": 1, b"P6": 3}[kind]
    array = numpy.frombuffer(values, ">u2" if int(top) > 255 else "u1")
    return array.astype(float).reshape(height, width, bands), int(top)


@functools.cache
def mask(width, height, orientation=1, text=worker.TEXT):
    """The effect of the watermark on pictures of this size, from a black and a white one of 16 bits.

    Both arrays are in parts of the full range: how much lighter black becomes, and how much darker white.
    """
    changes = []
    for base in (0, 65535):
        image = Image.fromarray(numpy.full((height, width), base, numpy.uint16))
        exif = Image.Exif()
        exif[0x0112] = orientation
        out = io.BytesIO()
        image.save(out, "png", **({"exif": exif} if orientation != 1 else {}))
        answer = worker.mark(out.getvalue(), text)
        assert answer.kind is None, answer.message
        marked, top = deep_pixels(answer.bytes)
        assert top == 65535
        changes.append((marked[:, :, 0] - base) / 65535)
    return changes[0], changes[1]


def bare(width, height, orientation=1):
    """The pixels that the watermark does not change."""
    lighter, darker = mask(width, height, orientation)
    return (lighter == 0) & (darker == 0)


def noise(before, after, where):
    """Peak signal-to-noise ratio in decibels over the pixels of `where`; infinite where they are identical."""
    square = ((before - after)[where] ** 2).mean()
    return float("inf") if square == 0 else 10 * numpy.log10(255**2 / square)


def likeness(before, after, orientation=1):
    """The correlation of the change with the expected one, over the dark and over the light pixels."""
    height, width = before.shape[:2]
    lighter, darker = mask(width, height, orientation)
    level = before[:, :, :3].mean(axis=2) / 255
    expected = lighter * (1 - level) + darker * level
    change = (after - before)[:, :, :3].mean(axis=2)
    result = []
    for part in (level < 0.4, level > 0.6):
        enough = part.sum() > 500 and numpy.abs(expected[part]).sum() > 20
        result.append(numpy.corrcoef(expected[part], change[part])[0, 1] if enough else None)
    return result


def metadata(data):
    """All metadata that exiftool finds, by group and name."""
    done = subprocess.run(["exiftool", "-j", "-G1", "-a", "-u", "-b", "-"], input=data, capture_output=True)
    return json.loads(done.stdout)[0]
