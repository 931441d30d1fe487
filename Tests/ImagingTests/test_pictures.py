"""R5: checks, thumbnails, removal of metadata, and a separate error kind for each failure."""

import io
import json
import pathlib
import re
import subprocess
import tempfile
import unittest
import zlib

import numpy
from PIL import Image, ImageCms

import measuring
import worker

TYPES = {
    "pillow/flower.jpg": ("image/jpeg", 480, 360),
    "pillow/iptc.jpg": ("image/jpeg", 640, 480),
    "pillow/pil_sample_cmyk.jpg": ("image/jpeg", 100, 100),
    "pillow/hopper.png": ("image/png", 128, 128),
    "pillow/pil123p.png": ("image/png", 162, 150),
    "libheif/example.heic": ("image/heic", 1280, 854),
    "libvips/ISO_12233-reschart.pdf": ("application/pdf", 1134, 680),
    "libvips/blankpage.pdf": ("application/pdf", 595, 842),
}


def encrypted():
    """A PDF with a password, from qpdf."""
    source = worker.FILES / "libvips/ISO_12233-reschart.pdf"
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / "locked.pdf"
        subprocess.run(["qpdf", "--encrypt", "secret", "owner", "256", "--", str(source), str(target)], check=True)
        return target.read_bytes()


def heic(name, *options):
    """A HEIC file that heif-enc (libheif-examples) makes from a JPEG."""
    with tempfile.TemporaryDirectory() as folder:
        target = pathlib.Path(folder) / "made.heic"
        subprocess.run(
            ["heif-enc", *options, str(worker.FILES / name), "-o", str(target)], check=True, capture_output=True)
        return target.read_bytes()


class Checks(unittest.TestCase):
    def test_types_by_content(self):
        for name, (media, width, height) in TYPES.items():
            with self.subTest(name):
                result = worker.run("check", worker.read(name)).result
                self.assertEqual((result["mediaType"], result["width"], result["height"]), (media, width, height))
                self.assertGreaterEqual(result["pages"], 1)

    def test_errors_have_kinds(self):
        cases = {
            "notAnImage": b"just some text, called photo.jpg by somebody",
            "unsupportedType": worker.read("libvips/logo.svg"),
            "truncated": worker.read("libvips/truncated.jpg"),
            "encryptedDocument": encrypted(),
        }
        for kind, data in cases.items():
            for job in ("check", "thumbnail"):
                with self.subTest(kind=kind, job=job):
                    self.assertEqual(worker.run(job, data).kind, kind)

    def test_types_that_are_not_taken(self):
        for name in ("looks-like-svg.webp", "cogs.gif", "1bit.tif", "16x17000.avif", "small.bmp", "logo.svg"):
            with self.subTest(name):
                self.assertEqual(worker.run("check", worker.read("libvips/" + name)).kind, "unsupportedType")

    def test_r5_scan_parameters_of_samsung(self):
        """R5 A JPEG whose scan has parameters that mean nothing is a picture."""
        data = bytearray(worker.read("pillow/hopper.jpg"))
        scan = data.index(b"\xff\xda")
        end = scan + 2 + int.from_bytes(data[scan + 2:scan + 4], "big")
        self.assertEqual(bytes(data[end - 3:end]), b"\0\x3f\0")
        data[end - 2] = 0
        for job in ("check", "thumbnail"):
            self.assertIsNone(worker.run(job, bytes(data)).kind)

    def test_r5_headers_and_tables_of_a_pdf(self):
        """R5 A byte order mark or line breaks may precede a PDF, and a wrong offset is damage."""
        data = worker.read("libvips/ISO_12233-reschart.pdf")
        for start in (b"", b"\xef\xbb\xbf", b"\n", b"\r\n\r\n"):
            self.assertIsNone(worker.run("check", start + data).kind)
        self.assertIsNone(worker.run("check", worker.read("cases/d1-leading-newline.pdf")).kind)
        place = data.rindex(b"startxref") + 9
        digits = re.search(rb"\d+", data[place:])
        wrong = data[:place + digits.start()] + b"7" * len(digits[0]) + data[place + digits.end():]
        self.assertEqual(worker.run("check", wrong).kind, "damaged")

    def test_r5_text_of_a_pdf_without_its_fonts(self):
        """R5 A Chinese PDF without its fonts shows its text, or the error says what is missing."""
        data = worker.read("cases/cjk-not-embedded.pdf")
        if pathlib.Path("/usr/share/poppler/cMap").is_dir():
            self.assertGreater(measuring.pixels(worker.run("thumbnail", data, output="png").bytes).std(), 1)
        else:
            for job in ("check", "thumbnail"):
                answer = worker.run(job, data)
                self.assertEqual((answer.kind, answer.line["error"]["package"]), ("missingFont", "poppler-data"))
        self.assertIsNone(worker.run("check", worker.read("libvips/blankpage.pdf")).kind)

    def test_empty(self):
        self.assertEqual(worker.run("check", b"").kind, "notAnImage")


class Thumbnails(unittest.TestCase):
    def test_size_and_likeness(self):
        for name, (_, width, height) in TYPES.items():
            for output in ("png", "jpeg"):
                with self.subTest(name=name, output=output):
                    data = worker.read(name)
                    answer = worker.run("thumbnail", data, size=100, output=output)
                    result = answer.result
                    image = Image.open(io.BytesIO(answer.bytes))
                    self.assertEqual(image.size, (result["width"], result["height"]))
                    self.assertEqual(max(image.size), 100 if max(width, height) > 100 else max(width, height))
                    self.assertEqual(image.format.lower(), output)
                    self.assertFalse(image.info.get("exif"))
                    if not name.endswith((".pdf", "pil123p.png")) and "cmyk" not in name:
                        small = Image.fromarray(measuring.pixels(data)[:, :, :3].astype(numpy.uint8)).resize(image.size)
                        distance = numpy.abs(numpy.asarray(small).astype(float) - numpy.asarray(image.convert("RGB")))
                        self.assertLess(distance.mean(), 12)

    def test_r5_colours_with_and_without_a_profile(self):
        """R5 A thumbnail has the colours of the picture; one without a profile is sRGB."""
        profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
        for colour in ((0, 0, 255), (255, 0, 0), (0, 128, 64), (200, 200, 200)):
            image = Image.new("RGB", (64, 64), colour)
            made = {}
            for name, options in (("untagged", {}), ("tagged", {"icc_profile": profile})):
                for kind in ("png", "jpeg"):
                    file = io.BytesIO()
                    image.save(file, kind, **({"quality": 100, "subsampling": 0} if kind == "jpeg" else {}), **options)
                    made[f"{name} {kind}"] = file.getvalue()
                with tempfile.TemporaryDirectory() as folder:
                    path = pathlib.Path(folder) / "source.png"
                    path.write_bytes(made[f"{name} png"])
                    made[f"{name} heic"] = heic(path, "-q", "100", "-p", "chroma=444")
            for name, data in made.items():
                with self.subTest(name=name, colour=colour):
                    thumbnail = worker.run("thumbnail", data, size=32, output="png").bytes
                    shown = measuring.pixels(thumbnail)[:, :, :3].reshape(-1, 3).mean(axis=0)
                    self.assertLess(numpy.abs(shown - colour).max(), 6, shown)
        thumbnail = worker.run("thumbnail", worker.read("cases/untagged-blue.png"), size=64, output="png").bytes
        self.assertLess(numpy.abs(measuring.pixels(thumbnail)[:, :, :3].mean(axis=(0, 1)) - (0, 0, 255)).max(), 3)

    def test_r5_the_preview_in_a_heic_is_not_the_picture(self):
        """R5 A broken preview inside a HEIC file neither shows nor matters."""
        name = "pillow/flower.jpg"
        with_preview = bytearray(heic(name, "-t", "256"))
        self.assertIn(b"thmb", with_preview)
        # heif-enc writes the preview behind the picture.
        with_preview[-200:] = bytes(200)
        options = {"size": 128, "output": "png"}
        shown = measuring.pixels(worker.run("thumbnail", bytes(with_preview), **options).bytes)
        picture = measuring.pixels(worker.run("thumbnail", heic(name), **options).bytes)
        self.assertLess(numpy.abs(shown - picture).mean(), 1)

    def test_upright(self):
        upright = measuring.pixels(worker.run("thumbnail", worker.read("pillow/hopper.jpg"), output="png").bytes)
        for number in range(2, 9):
            with self.subTest(number):
                data = worker.read(f"pillow/hopper_orientation_{number}.jpg")
                turned = measuring.pixels(worker.run("thumbnail", data, output="png").bytes)
                self.assertGreater(numpy.corrcoef(upright.ravel(), turned.ravel())[0, 1], 0.97)

    def test_marked(self):
        for name in TYPES:
            with self.subTest(name):
                data = worker.read(name)
                plain = worker.run("thumbnail", data, output="png")
                marked = worker.run("thumbnail", data, output="png", watermark={"text": worker.TEXT})
                self.assertEqual(plain.result["width"], marked.result["width"])
                change = numpy.abs(measuring.pixels(plain.bytes) - measuring.pixels(marked.bytes))
                self.assertGreater(change.max(), 40)

    def test_page_as_a_large_image(self):
        answer = worker.run("thumbnail", worker.read("libvips/ISO_12233-reschart.pdf"), size=3000)
        self.assertEqual(answer.result["width"], 3000)


class Metadata(unittest.TestCase):
    def test_stripping_keeps_the_picture(self):
        names = [name for name in TYPES if not name.endswith(".pdf")]
        names += [f"pillow/hopper_orientation_{number}.jpg" for number in range(2, 9)] + ["pillow/sugarshack.mpo"]
        for name in names:
            with self.subTest(name):
                data = worker.read(name)
                answer = worker.run("strip", data)
                self.assertTrue((measuring.pixels(data) == measuring.pixels(answer.bytes)).all())
                self.assertEqual(
                    worker.run("check", data).result["orientation"],
                    worker.run("check", answer.bytes).result["orientation"])

    def test_stripping_takes_what_tells_of_people(self):
        for name in ("pillow/iptc.jpg", "libvips/sample.jpg", "piexif/r_canon.jpg", "pillow/sugarshack.mpo"):
            with self.subTest(name):
                before = measuring.metadata(worker.read(name))
                after = measuring.metadata(worker.run("strip", worker.read(name)).bytes)
                self.assertTrue(any(key.startswith(("IFD0:", "ExifIFD:")) for key in before))
                groups = {key.split(":")[0] for key in after if ":" in key}
                left = groups - {"ExifTool", "File", "System", "Composite", "JFIF", "Adobe"}
                left = {group for group in left if not group.startswith("ICC")}
                exif = {key for key in after if key.startswith("IFD0:")} - {"IFD0:Orientation"}
                self.assertEqual((left - {"IFD0"}, exif), (set(), set()))
                profile = {key: value for key, value in before.items() if key.startswith("ICC")}
                self.assertEqual(profile, {key: value for key, value in after.items() if key.startswith("ICC")})

    def test_stripping_png_and_heic(self):
        source = Image.open(io.BytesIO(worker.read("pillow/hopper.jpg")))
        exif = Image.Exif()
        exif[0x010F], exif[0x0112], exif[0x8825] = "Maker", 6, {1: "N", 2: (31.0, 12.0, 5.0)}
        png = io.BytesIO()
        source.save(png, "png", exif=exif)
        out = worker.run("strip", png.getvalue()).bytes
        found = Image.open(io.BytesIO(out)).getexif()
        self.assertEqual(dict(found), {0x0112: 6})
        jpeg = io.BytesIO()
        exif[0x0112] = 1
        source.save(jpeg, "jpeg", exif=exif)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "photo.jpg"
            path.write_bytes(jpeg.getvalue())
            made = heic(path)
        self.assertIn(b"Maker", made)
        self.assertIn("IFD0:Make", measuring.metadata(made))
        stripped = worker.run("strip", made)
        self.assertNotIn(b"Maker", stripped.bytes)
        self.assertFalse([key for key in measuring.metadata(stripped.bytes) if key.startswith(("GPS", "ExifIFD"))])
        marked = worker.mark(made)
        self.assertEqual(measuring.metadata(marked.bytes).get("IFD0:Make"), "Maker")
        self.assertNotIn(b"Maker", worker.mark(made, stripMetadata=True).bytes)

    def test_r5_stripping_leaves_only_the_picture(self):
        """R5 What no item of the picture needs is gone from a HEIC file: a video, a preview, boxes beside it."""
        video = worker.read("cases/s10-mpvd.heic")
        self.assertIn(b"SECRETPLACE", video)
        boxes = b"".join(
            (len(text) + 8).to_bytes(4, "big") + kind + text
            for kind, text in ((b"sefd", b"SECRETPLACE"), (b"free", b"SECRETPLACE"), (b"uuid", b"SECRETPLACE12345")))
        for data in (video, heic("pillow/flower.jpg", "-t", "256") + boxes):
            stripped = worker.run("strip", data).bytes
            for word in (b"SECRETPLACE", b"mpvd", b"sefd", b"uuid", b"thmb", b"Exif"):
                self.assertNotIn(word, stripped)
            self.assertTrue((measuring.pixels(data) == measuring.pixels(stripped)).all())

    def test_r5_stripping_a_png_takes_palettes_that_show_nothing(self):
        """R5 A suggested palette and a histogram, which may hold anything, are gone from a PNG."""
        data = worker.read("pillow/pil123p.png")
        place = data.index(b"IDAT") - 4
        chunk = lambda name, text: (  # noqa: E731
            len(text).to_bytes(4, "big") + name + text + zlib.crc32(name + text).to_bytes(4, "big"))
        extra = chunk(b"sPLT", b"SECRETPLACE\0\x08" + bytes(6))
        stripped = worker.run("strip", data[:place] + extra + data[place:]).bytes
        self.assertNotIn(b"SECRETPLACE", stripped)

    def test_marking_keeps_exif_and_drops_pictures_in_it(self):
        for name in ("pillow/iptc.jpg", "piexif/r_canon.jpg", "piexif/r_pen.jpg", "pillow/sugarshack.mpo"):
            with self.subTest(name):
                data = worker.read(name)
                marked = worker.mark(data).bytes
                before, after = measuring.metadata(data), measuring.metadata(marked)
                for key in ("IFD0:Make", "IFD0:Model", "ExifIFD:DateTimeOriginal", "ExifIFD:FNumber", "IFD0:Orientation"):
                    self.assertEqual(before.get(key), after.get(key), key)
                self.assertFalse([key for key in after if "Thumbnail" in key or "Preview" in key or "MPF" in key])
                self.assertEqual(marked.count(b"\xff\xd8\xff"), 1, "one picture and no second one")
                bare = measuring.metadata(worker.mark(data, stripMetadata=True).bytes)
                self.assertFalse([key for key in bare if key.startswith(("GPS", "ExifIFD")) or key == "IFD0:Make"])

    def test_turned_heic(self):
        for number in (1, 3, 6, 8):
            name = "pillow/hopper.jpg" if number == 1 else f"pillow/hopper_orientation_{number}.jpg"
            with self.subTest(number):
                data = heic(name)
                answer = worker.mark(data)
                before, after = measuring.pixels(data), measuring.pixels(answer.bytes)
                self.assertEqual(before.shape, after.shape)
                where = measuring.bare(before.shape[1], before.shape[0])
                self.assertGreater(measuring.noise(before, after, where), 40)
                self.assertEqual(
                    worker.run("check", data).result["orientation"],
                    worker.run("check", answer.bytes).result["orientation"])


class Refusals(unittest.TestCase):
    def test_documents_are_not_marked(self):
        data = worker.read("libvips/ISO_12233-reschart.pdf")
        self.assertEqual(worker.mark(data).kind, "watermarkUnsupported")
        self.assertEqual(worker.run("strip", data).kind, "stripUnsupported")

    def test_text(self):
        data = worker.read("pillow/hopper.png")
        self.assertEqual(worker.mark(data, "字" * 201).kind, "textTooLong")
        self.assertEqual(worker.mark(data, "a\n" * 8).kind, "textTooLong")
        self.assertIsNone(worker.mark(data, "字" * 200).kind)
        self.assertIsNone(worker.mark(data, "a\n" * 7 + "a").kind)
        for text in ("", "   ", "a\u0000b", "a\u001bb"):
            self.assertEqual(worker.mark(data, text).kind, "invalidJob")

    def test_text_that_draws_nothing(self):
        data = worker.read("pillow/hopper.png")
        for text in ("\u2800", " \u2800\u2800\n\u2800\u3164", "\u00ad\u200b\ufeff"):
            with self.subTest(text=ascii(text)):
                self.assertEqual(worker.mark(data, text).kind, "textInvisible")
                self.assertEqual(worker.run("thumbnail", data, watermark={"text": text}).kind, "textInvisible")
        self.assertIsNone(worker.mark(data, "\u2800.").kind)

    def test_missing_font(self):
        data = worker.read("pillow/hopper.png")
        answer = worker.mark(data, "A\U00013000\U000E000FB")
        self.assertEqual(answer.kind, "missingFont")
        self.assertIn("\U00013000", answer.line["error"]["characters"])
        self.assertTrue(answer.line["error"]["package"].startswith("fonts-"))

    def test_no_chinese_font(self):
        """If fontconfig has only Latin fonts, the error names a package with a Chinese one."""
        with tempfile.TemporaryDirectory() as folder:
            configuration = pathlib.Path(folder) / "fonts.conf"
            configuration.write_text(
                "<fontconfig><dir>/usr/share/fonts/truetype/dejavu</dir>"
                f"<cachedir>{folder}/cache</cachedir></fontconfig>")
            environment = {"FONTCONFIG_FILE": str(configuration), "PATH": "/usr/bin", "LANG": "C.UTF-8"}
            answer = worker.run(
                "watermark", worker.read("pillow/hopper.png"), environment=environment, watermark={"text": "仅供"})
            self.assertEqual(answer.kind, "missingFont")
            self.assertEqual(answer.line["error"]["package"], "fonts-wqy-microhei")
            self.assertEqual(answer.line["error"]["characters"], "仅供")

    def test_messages(self):
        data = worker.read("pillow/hopper.png")
        for message in (
                b"", b"{}\n", b"nonsense\n", b"[]\n", b'{"job":"check"}\n', b'{"job":"rob","bytes":0}\n',
                b'{"job":"check","bytes":-1}\n', b'{"job":"check","bytes":1.5}\n', b'{"job":"check","bytes":9}\nshort',
                b'{"job":"check","bytes":0,"more":1}\n', b"x" * 40000,
                b'{"job":"thumbnail","bytes":0,"size":5}\n', b'{"job":"thumbnail","bytes":0,"output":"gif"}\n',
                b'{"job":"watermark","bytes":0}\n', b'{"job":"watermark","bytes":0,"watermark":{"text":1}}\n',
                b'{"job":"watermark","bytes":0,"watermark":{"text":"a","angle":1e9}}\n'):
            with self.subTest(message[:40]):
                answer = worker.run_raw(message)
                self.assertEqual((answer.kind, answer.status), ("invalidJob", 0))
        self.assertEqual(worker.run_raw(json.dumps({"job": "check", "bytes": 1 << 30}).encode() + b"\n").kind, "tooLarge")
        self.assertIsNone(worker.run_raw(
            json.dumps({"job": "check", "bytes": len(data)}).encode() + b"\n" + data + b"more").kind)


if __name__ == "__main__":
    unittest.main()
