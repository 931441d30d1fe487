"""Hostile files get an answer in bounded time and memory, and nothing is written to disk."""

import io
import os
import random
import resource
import struct
import tempfile
import unittest
import zipfile
import zlib

from PIL import Image

import worker
from suite import more

SEED = 20261121
# The most memory that the helper may use; its own RLIMIT_AS is 3 GiB.
MOST_MEMORY = 1 << 30
TRUNCATED = [
    "pillow/flower.jpg", "pillow/iptc.jpg", "pillow/hopper.png", "pillow/transparent.png", "libvips/ISO_12233-reschart.pdf",
    "libvips/sample.jpg", "libheif/example.heic"]
ERRORS = {
    "notAnImage", "unsupportedType", "truncated", "damaged", "tooManyPixels", "encryptedDocument", "outOfMemory"}


def chunk(name, payload):
    return struct.pack(">I", len(payload)) + name + payload + struct.pack(">I", zlib.crc32(name + payload))


def png_bomb(width, height):
    """A PNG of a few kilobytes that decodes to gigabytes."""
    squeeze = zlib.compressobj(9)
    row = b"\0" * (width // 8 + 1)
    data = b"".join(squeeze.compress(row) for _ in range(height)) + squeeze.flush()
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def jpeg_bomb():
    """A JPEG whose header claims 65,000 × 65,000 pixels."""
    data = bytearray(worker.read("pillow/hopper.jpg"))
    place = data.index(b"\xff\xc0")
    data[place + 5:place + 9] = struct.pack(">HH", 65000, 65000)
    return bytes(data)


def heic_bomb():
    """A HEIC file that claims 60,000 × 60,000 pixels."""
    data = worker.read("libheif/colors-no-alpha.heic")
    place = data.index(b"ispe")
    return data[:place + 8] + struct.pack(">II", 60000, 60000) + data[place + 16:]


def archive(before):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("run.sh", "echo")
    return before + out.getvalue()


class Hostile(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.environment = dict(os.environ, TMPDIR=self.folder.name)
        self.common = set(os.listdir("/tmp"))

    def run_job(self, job, data, **members):
        answer = worker.run(job, data, environment=self.environment, **members)
        self.assertEqual(answer.status, 0, f"{job}: no answer")
        self.assertEqual(answer.errors, b"")
        return answer

    def assert_nothing_written(self):
        self.assertEqual(os.listdir(self.folder.name), [])
        ours = {name for name in set(os.listdir("/tmp")) - self.common if name.startswith(("vips", "magick", "heif"))}
        self.assertEqual(ours, set())

    def test_bombs(self):
        for name, data in {
                "png": png_bomb(60000, 60000), "wide png": png_bomb(2_000_000, 26), "jpeg": jpeg_bomb(),
                "heic": heic_bomb(), "compressed text": worker.read("pillow/png_decompression_dos.png")}.items():
            for job in ("check", "thumbnail", "watermark", "strip"):
                with self.subTest(name=name, job=job):
                    members = {"watermark": {"text": "A"}} if job == "watermark" else {}
                    answer = self.run_job(job, data, **members)
                    if name != "compressed text":
                        self.assertIn(answer.kind, {"tooManyPixels", "damaged", "truncated"})
                    if name in ("png", "wide png", "jpeg"):
                        self.assertEqual(answer.kind, "tooManyPixels")
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024, MOST_MEMORY)
        self.assert_nothing_written()

    def truncate(self, is_wanted):
        for name in TRUNCATED:
            data = worker.read(name)
            for number in filter(is_wanted, range(1, (len(data) + 1023) // 1024)):
                with self.subTest(name=name, kibibytes=number):
                    job = "thumbnail" if number % (8 if name.endswith(".heic") else 4) == 0 else "check"
                    self.assertIn(self.run_job(job, data[:1024 * number]).kind, ERRORS)
        self.assert_nothing_written()

    def test_truncated(self):
        self.truncate(lambda number: number % 32 in (8, 11))

    @more
    def test_truncated_at_every_other_kilobyte(self):
        self.truncate(lambda number: number % 32 not in (8, 11))

    def test_polyglots(self):
        flower, page = worker.read("pillow/flower.jpg"), worker.read("libvips/blankpage.pdf")
        comment = flower[:2] + b"\xff\xfe" + struct.pack(">H", len(page) + 2) + page + flower[2:]
        for name, data in {
                "jpeg and archive": archive(flower), "png and archive": archive(worker.read("pillow/hopper.png")),
                "pdf and archive": archive(page), "jpeg and pdf": comment,
                "heic and archive": archive(worker.read("libheif/example.heic")),
                "png and more": worker.read("pillow/hopper.png") + b"<script>"}.items():
            with self.subTest(name):
                self.assertIn(self.run_job("check", data).kind, {"damaged", "truncated"})

    def test_names_tell_nothing(self):
        for data in (b"<svg xmlns='http://www.w3.org/2000/svg'/>", b"<?xml version='1.0'?><svg/>", b"hello\n",
                     b"%!PS-Adobe", b"GIF89a", b"\xff\xd8", b"\x89PNG\r\n", b"%PDF-1.7", b"\0\0\0\x18ftypheic"):
            with self.subTest(data[:12]):
                self.assertIn(self.run_job("check", data).kind, ERRORS)

    def test_files_that_have_crashed_libheif(self):
        for path in sorted((worker.FILES / "libheif-hostile").glob("*.heic")):
            for job in ("check", "thumbnail", "watermark", "strip"):
                with self.subTest(name=path.name, job=job):
                    members = {"watermark": {"text": "A"}} if job == "watermark" else {}
                    self.assertIn(self.run_job(job, path.read_bytes(), **members).kind, ERRORS)

    def test_a_hundred_mutations(self):
        self.mutate(range(100))

    @more
    def test_nine_hundred_more_mutations(self):
        self.mutate(range(100, 1000))

    def mutate(self, numbers):
        """Each file gets an answer, an error or a readable picture, and never crashes the helper."""
        sources = [
            worker.read(name) for name in (
                "pillow/hopper.jpg", "pillow/hopper.png", "libheif/colors-with-alpha.heic", "libvips/blankpage.pdf",
                "pillow/pil_sample_cmyk.jpg", "pillow/i_trns.png", "libvips/sample.jpg", "piexif/r_canon.jpg")]
        jobs = [("check", {}), ("thumbnail", {}), ("watermark", {"watermark": {"text": "A"}}), ("strip", {})]
        errors = 0
        for number in numbers:
            generator = random.Random(SEED + number)
            data = bytearray(sources[number % len(sources)])
            for _ in range(generator.choice((1, 3, 20))):
                place = generator.randrange(len(data))
                action = generator.randrange(3)
                if action == 0:
                    data[place] = generator.randrange(256)
                elif action == 1:
                    del data[place:place + generator.randrange(1, 64)]
                else:
                    data[place:place] = generator.randbytes(generator.randrange(1, 64))
            job, members = jobs[number // len(sources) % len(jobs)]
            answer = self.run_job(job, bytes(data), **members)
            self.assertIn(answer.kind, ERRORS | {None, "watermarkUnsupported", "stripUnsupported"}, answer.message)
            errors += answer.kind is not None
            if answer.kind is None and answer.bytes and job != "watermark":
                self.assertIsNone(self.run_job("thumbnail", answer.bytes).kind)
        self.assertGreater(errors, 0.4 * len(numbers))
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024, MOST_MEMORY)
        self.assert_nothing_written()

    def assert_stays_in_memory(self, encode):
        """libvips once wrote pictures of more than 100 MiB to /tmp: no job may write a file."""
        image, file = Image.effect_noise((700, 500), 60).resize((7_000, 5_000)), io.BytesIO()
        encode(image, file)
        for job, members in (("check", {}), ("thumbnail", {}), ("watermark", {"watermark": {"text": "A"}})):
            with self.subTest(job):
                self.run_job(job, file.getvalue(), **members).result
        self.assert_nothing_written()

    def test_a_large_photograph_stays_in_memory(self):
        self.assert_stays_in_memory(lambda image, file: image.convert("RGB").save(file, "jpeg", quality=80))

    @more
    def test_a_large_drawing_stays_in_memory(self):
        self.assert_stays_in_memory(lambda image, file: image.convert("RGB").save(file, "png", compress_level=1))


if __name__ == "__main__":
    unittest.main()
