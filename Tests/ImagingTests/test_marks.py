"""R6: the watermark on every kind of picture."""

import io
import subprocess
import unittest

import numpy
from PIL import Image

import measuring
import worker

JPEGS = [
    "pillow/flower.jpg", "pillow/hopper.jpg", "pillow/hopper_gray.jpg", "pillow/iptc.jpg", "pillow/sugarshack.mpo",
    "libvips/sample.jpg", "pillow/hopper_16bit_qtables.jpg",
]


def progressive():
    out = io.BytesIO()
    Image.open(io.BytesIO(worker.read("pillow/flower.jpg"))).save(out, "jpeg", quality=90, progressive=True)
    return out.getvalue()


class Marks(unittest.TestCase):
    def assert_marked(self, before, after, orientation=1, least=0.5):
        found = [value for value in measuring.likeness(before, after, orientation) if value is not None]
        self.assertTrue(found)
        self.assertGreater(min(found), least, "the mark is not found on dark and on light")

    def check_jpeg(self, data, orientation=1):
        answer = worker.mark(data)
        result = answer.result
        before, after = measuring.pixels(data), measuring.pixels(answer.bytes)
        self.assertEqual(before.shape, after.shape)
        self.assertEqual((result["height"], result["width"]), before.shape[:2])
        where = measuring.bare(before.shape[1], before.shape[0], orientation)
        self.assertGreater(measuring.noise(before, after, where), 45)
        self.assertGreater(
            (numpy.abs(before - after).max(axis=2) == 0)[where].mean(), 0.4, "untouched blocks stay to the bit")
        self.assert_marked(before, after, orientation)
        source, marked = Image.open(io.BytesIO(data)), Image.open(io.BytesIO(answer.bytes))
        self.assertEqual(source.mode, marked.mode)
        self.assertEqual(source.info.get("icc_profile"), marked.info.get("icc_profile"))
        self.assertEqual(source.getexif().get(0x0112), marked.getexif().get(0x0112))
        self.assertEqual(bool(source.info.get("progressive")), bool(marked.info.get("progressive")))

    def test_jpeg(self):
        for name in JPEGS:
            with self.subTest(name):
                self.check_jpeg(worker.read(name))

    def test_progressive_jpeg(self):
        self.check_jpeg(progressive())

    def test_jpeg_of_every_sampling(self):
        image = Image.open(io.BytesIO(worker.read("pillow/flower.jpg")))
        for sampling in (0, 1, 2):
            for size in ((479, 353), (33, 35)):
                with self.subTest(sampling=sampling, size=size):
                    out = io.BytesIO()
                    image.resize(size).save(out, "jpeg", quality=85, subsampling=sampling)
                    answer = worker.mark(out.getvalue())
                    self.assertEqual((answer.result["width"], answer.result["height"]), size)
                    marked = measuring.pixels(answer.bytes)
                    self.assertEqual(marked.shape, (size[1], size[0], 3))

    def test_eight_orientations(self):
        for number in range(1, 9):
            name = "pillow/hopper.jpg" if number == 1 else f"pillow/hopper_orientation_{number}.jpg"
            with self.subTest(number):
                data = worker.read(name)
                self.assertEqual(worker.run("check", data).result["orientation"], number)
                self.check_jpeg(data, number)

    def test_text_is_upright_in_every_orientation(self):
        """The watermark of each orientation, rotated as a viewer does, equals that of the upright picture."""
        turns = {2: 0, 3: 3, 4: 1, 5: 5, 6: 4, 7: 6, 8: 2}
        upright, _ = measuring.mask(320, 200)
        for number, turn in turns.items():
            with self.subTest(number):
                stored = (200, 320) if number > 4 else (320, 200)
                lighter, _ = measuring.mask(*stored, number)
                seen = numpy.asarray(Image.fromarray(lighter.astype(numpy.float32)).transpose(turn))
                self.assertEqual(seen.shape, upright.shape)
                self.assertGreater(numpy.corrcoef(seen.ravel(), upright.ravel())[0, 1], 0.9)

    def test_cmyk_jpeg(self):
        data = worker.read("pillow/pil_sample_cmyk.jpg")
        answer = worker.mark(data)
        self.assertEqual(Image.open(io.BytesIO(answer.bytes)).mode, "CMYK")
        rgb = [
            numpy.asarray(Image.open(io.BytesIO(part)).convert("RGB")).astype(float) for part in (data, answer.bytes)]
        self.assertGreater(measuring.noise(*rgb, measuring.bare(*rgb[0].shape[1::-1])), 45)
        self.assert_marked(*rgb, least=0.4)

    def check_png(self, data):
        answer = worker.mark(data)
        before, after = measuring.pixels(data), measuring.pixels(answer.bytes)
        if before.shape[2] != after.shape[2]:
            image = Image.open(io.BytesIO(data)).convert({1: "L", 2: "LA", 3: "RGB", 4: "RGBA"}[after.shape[2]])
            before = numpy.asarray(image).astype(float).reshape(after.shape)
        self.assertEqual(before.shape, after.shape)
        where = measuring.bare(before.shape[1], before.shape[0])
        self.assertTrue((before[where] == after[where]).all(), "unmarked pixels are identical")
        self.assertFalse((before == after).all())
        source, marked = Image.open(io.BytesIO(data)), Image.open(io.BytesIO(answer.bytes))
        for name in ("icc_profile", "gamma", "srgb", "chromaticity", "dpi"):
            self.assertEqual(source.info.get(name), marked.info.get(name), name)
        return answer

    def test_png(self):
        names = ["hopper.png", "pil123p.png", "p_trns_single.png", "icc_profile.png", "transparent.png"]
        for name in names:
            with self.subTest(name):
                self.check_png(worker.read("pillow/" + name))

    def test_png_of_sixteen_bits(self):
        generator = numpy.random.default_rng(6)
        grey = generator.integers(0, 65536, (200, 300), dtype=numpy.uint16)
        out = io.BytesIO()
        Image.fromarray(grey).save(out, "png")
        raw = b"P6\n300 200\n65535\n" + numpy.stack([grey, grey.T.reshape(200, 300), grey ^ 1], 2).astype(">u2").tobytes()
        colour = subprocess.run(["pnmtopng"], input=raw, check=True, capture_output=True).stdout
        for data in (out.getvalue(), colour, worker.read("pillow/i_trns.png")):
            answer = worker.mark(data)
            self.assertIsNone(answer.kind, answer.message)
            if data.endswith(worker.read("pillow/i_trns.png")):
                continue
            before, top = measuring.deep_pixels(data)
            after, marked_top = measuring.deep_pixels(answer.bytes)
            self.assertEqual((top, marked_top), (65535, 65535))
            where = measuring.bare(300, 200)
            self.assertTrue((before[where] == after[where]).all())
            self.assertFalse((before == after).all())

    def check_heic(self, data, least=45):
        answer = worker.mark(data)
        before, after = measuring.pixels(data)[:, :, :3], measuring.pixels(answer.bytes)[:, :, :3]
        self.assertEqual(before.shape, after.shape)
        where = measuring.bare(before.shape[1], before.shape[0])
        self.assertGreater(measuring.noise(before, after, where), least)
        self.assert_marked(before, after)
        return answer

    def test_heic(self):
        self.check_heic(worker.read("libheif/example.heic"))

    def test_heic_with_transparency(self):
        data = worker.read("libheif/colors-with-alpha.heic")
        answer = worker.mark(data, "A")
        self.assertEqual(measuring.pixels(data).shape, measuring.pixels(answer.bytes).shape)

    def test_mark_shows_where_nothing_does(self):
        image = Image.new("RGBA", (300, 200), (0, 0, 0, 0))
        out = io.BytesIO()
        image.save(out, "png")
        after = measuring.pixels(worker.mark(out.getvalue()).bytes)
        self.assertGreater(after[:, :, 3].max(), 60)

    def test_tiny_and_long_pictures(self):
        for size in ((1, 1), (2, 3), (9, 300), (20000, 30), (30, 40000)):
            for kind in ("png", "jpeg"):
                with self.subTest(size=size, kind=kind):
                    out = io.BytesIO()
                    Image.new("RGB", size, (200, 180, 40)).save(out, kind)
                    for answer in (
                            worker.mark(out.getvalue()),
                            worker.run("thumbnail", out.getvalue(), watermark={"text": worker.TEXT})):
                        self.assertIsNone(answer.kind, answer.message)
                    self.assertEqual(Image.open(io.BytesIO(worker.mark(out.getvalue()).bytes)).size, size)

    def test_style(self):
        data = worker.read("pillow/flower.jpg")
        plain = measuring.pixels(data)
        change = [
            numpy.abs(measuring.pixels(worker.mark(data, **style).bytes) - plain).mean()
            for style in ({"opacity": 0.1}, {}, {"opacity": 0.9}, {"opacity": 0.9, "spacing": 0.5}, {"spacing": 15})]
        self.assertLess(change[0], change[1])
        self.assertLess(change[1], change[2])
        self.assertLess(change[2], change[3])
        self.assertLess(change[4], change[1])

    def test_markup_is_text(self):
        data = worker.read("pillow/hopper.png")
        self.assertNotEqual(worker.mark(data, "<b>A</b>").bytes, worker.mark(data, "A").bytes)


if __name__ == "__main__":
    unittest.main()
