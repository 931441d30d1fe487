"""Measures the imaging helper and ImageMagick on the same jobs; not a test."""

import io
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

from PIL import Image

import worker

RUNS = 9
FONT = "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"


def photograph():
    """A picture of 12 megapixels with the detail of a photograph, tiled from a small one."""
    tile = Image.open(io.BytesIO(worker.read("pillow/iptc.jpg"))).resize((1000, 750), Image.Resampling.LANCZOS)
    large = Image.new("RGB", (4000, 3000))
    for x in range(0, 4000, 1000):
        for y in range(0, 3000, 750):
            large.paste(tile, (x, y))
    return large


def encoded(image, kind, **options):
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def imagemagick():
    """Debian's convert; the search path may have another program of that name first."""
    for name in ("/usr/bin/convert-im6.q16", "/usr/bin/convert"):
        if os.path.exists(name):
            version = subprocess.run([name, "--version"], capture_output=True, text=True, check=False).stdout
            if version.startswith("Version: ImageMagick"):
                return name
    return None


def measured(action):
    """The medians of elapsed time and of CPU time, in seconds."""
    clock, processor = [], []
    for _ in range(RUNS):
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        action()
        clock.append(time.perf_counter() - start)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        processor.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(clock), statistics.median(processor)


def main():
    convert = imagemagick()
    print(f"{'':34}{'clock':>9}{'processor':>11}   (seconds, median of {RUNS}; "
          f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors)")

    def report(name, action):
        clock, processor = measured(action)
        print(f"{name:34}{clock:9.3f}{processor:11.3f}")

    small = worker.read("pillow/hopper.png")
    report("start-up (check a 128 × 128 PNG)", lambda: worker.run("check", small).result)
    with tempfile.TemporaryDirectory() as folder:
        stamp = pathlib.Path(folder) / "stamp.png"
        if convert:
            subprocess.run(
                [convert, "-background", "none", "-fill", "rgba(30,30,30,0.35)", "-stroke", "rgba(255,255,255,0.35)",
                 "-font", FONT, "-pointsize", "115", f"label:{worker.TEXT}", "-rotate", "-30", str(stamp)], check=True)
        image = photograph()
        for kind, options in (("jpeg", {"quality": 90}), ("png", {"compress_level": 1})):
            data = encoded(image, kind, **options)
            source, target = pathlib.Path(folder) / f"a.{kind}", str(pathlib.Path(folder) / f"b.{kind}")
            source.write_bytes(data)
            print(f"12-megapixel {kind.upper()}, {len(data) >> 10} KiB")
            report("  check", lambda data=data: worker.run("check", data).result)
            report("  thumbnail", lambda data=data: worker.run("thumbnail", data).result)
            report("  watermark", lambda data=data: worker.mark(data).result)
            if not convert:
                print("  ImageMagick is not installed")
                continue
            small = str(pathlib.Path(folder) / "small.jpg")
            report("  ImageMagick thumbnail", lambda source=source, small=small: subprocess.run(
                [convert, "-define", "jpeg:size=512x512", str(source), "-auto-orient", "-thumbnail", "256x256", small],
                check=True))
            report("  ImageMagick watermark", lambda source=source, target=target: subprocess.run(
                [convert, str(source), "(", str(stamp), "-write", "mpr:stamp", "+delete", ")", "-size", "4000x3000",
                 "tile:mpr:stamp", "-composite", target], check=True))


if __name__ == "__main__":
    main()
