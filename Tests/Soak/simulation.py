#!/usr/bin/python3
"""Simulates ten years of machines that synchronise one vault, and checks that they come to the same cards.

    simulation.py PROGRAM [REPLICAS] [CARDS] [CHANGES] [ROUNDS] [SEED] [--record] [--keep=DIRECTORY]

PROGRAM is sync-simulation, which runs the real engine on real vault files, in memory where there is room. In each of ROUNDS
rounds (default 520, weeks) a machine that is there writes its changes and synchronises. Some are there rarely; three come back
at the end after a week, four weeks and a year. Nothing that was written and not replaced may be lost, all vaults must be the
same, and no replica may keep more than 1.5 times its snapshot. --record writes a page and a plot into the benchmark's results.
In its full size it takes hours: --keep copies everything into DIRECTORY from time to time, and a later run goes on with that.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

RESULTS = pathlib.Path(__file__).resolve().parents[1] / "Benchmarks" / "results"
# A replica makes a new snapshot when what follows the old one exceeds this and half of it; what it publishes at once comes on top.
LEAST_TAIL, SLACK = 64 << 10, 256 << 10
NAMES = ["replicas", "cards", "changes", "rounds", "seed"]
MEMORY = "/dev/shm"
# How many times a simulation is kept.
PARTS = 40


def place(cards, replicas):
    """A directory in memory, or the usual one if there is too little."""
    need = cards * replicas * 2_000 + (64 << 20)
    status = os.statvfs(MEMORY) if os.access(MEMORY, os.W_OK) else None
    return MEMORY if status and status.f_bavail * status.f_frsize > 2 * need else None


def measure(program, directory, *words):
    """The measurements that the program prints."""
    process = subprocess.Popen([program, directory, *map(str, words)], stdout=subprocess.PIPE, text=True)
    lines = []
    for line in process.stdout:
        lines.append(json.loads(line))
        if "year" in lines[-1] and sys.stderr.isatty():
            print("year %d after %d s" % (lines[-1]["year"], lines[-1]["seconds"]), file=sys.stderr)
    assert process.wait() == 0, "the simulation failed: %s" % lines[-1:]
    return lines


class Kept:
    """A copy of a simulation between two of its rounds, whole whenever this program ends."""

    def __init__(self, directory, scale):
        self.scale = scale
        self.last, self.next, self.old = (pathlib.Path(directory) / name for name in ("last", "next", "old"))
        self.next.parent.mkdir(parents=True, exist_ok=True)

    def load(self):
        """The place of the simulation, its rounds and measurements so far; None if nothing was kept."""
        if not self.last.exists() and (self.next / "kept.json").exists():
            self.next.rename(self.last)
        if not self.last.exists():
            return None
        kept = json.loads((self.last / "kept.json").read_text())
        assert kept["scale"] == self.scale, "%s has a simulation of %s" % (self.last, kept["scale"])
        # A vault at another place would be another replica.
        shutil.rmtree(kept["place"], ignore_errors=True)
        shutil.copytree(self.last / "files", kept["place"])
        return kept["place"], kept["rounds"], kept["lines"]

    def save(self, place, rounds, lines):
        for path in self.next, self.old:
            shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(place, self.next / "files")
        os.sync()
        kept = {"scale": self.scale, "place": place, "rounds": rounds, "lines": lines}
        (self.next / "kept.json").write_text(json.dumps(kept))
        if self.last.exists():
            self.last.rename(self.old)
        self.next.rename(self.last)

    def remove(self):
        for path in self.next, self.old, self.last:
            shutil.rmtree(path, ignore_errors=True)


def run(program, scale, kept):
    """The measurements of a whole simulation."""
    begun = kept.load() if kept else None
    directory, rounds, lines = begun or (tempfile.mkdtemp(prefix="simulation-", dir=place(scale[1], scale[0])), 0, [])
    step = max(1, scale[3] // PARTS) if kept else scale[3]
    try:
        while rounds + step < scale[3]:
            rounds += step
            lines += measure(program, directory, *scale, rounds)
            kept.save(directory, rounds, lines)
        return lines + measure(program, directory, *scale)
    finally:
        shutil.rmtree(directory)


def check(lines):
    """What must hold, whatever the machine."""
    end = lines[-1]
    assert end["faults"] == 0, end
    replicas = len(next(line["replicas"] for line in lines if "replicas" in line))
    assert end["folder"] <= end["snapshot"] * 1.5 + replicas * 2 * LEAST_TAIL, end
    for line in lines:
        for stored, snapshot, tail in line.get("replicas", []):
            assert stored <= snapshot + tail, (line["year"], stored, snapshot, tail)
            assert stored <= snapshot + max(snapshot / 2, LEAST_TAIL) + SLACK, (line["year"], stored, snapshot)


def mebibytes(count):
    return "%.1f MiB" % (count / (1 << 20))


def table(scale, lines):
    """The measurements in Markdown."""
    end = lines[-1]
    years = [line for line in lines if "year" in line]
    streams = [stream for line in years for stream in line["replicas"] if stream[1] > 2 * LEAST_TAIL]
    largest = max([stored / snapshot for stored, snapshot, _ in streams], default=0)
    most = max(line["folder"] for line in years)
    rows = [
        ("replicas, cards, changes, rounds", ", ".join("{:,}".format(number) for number in scale[:4])),
        ("lost, diverged, not intact", str(end["faults"])),
        ("cards at the end; conflict copies among them", "{cards:,}; {copies:,}".format(**end)),
        ("folder of all replicas", mebibytes(end["folder"])),
        ("one snapshot of the vault", mebibytes(end["snapshot"])),
        ("folder against one snapshot, at the end", "%.2f" % (end["folder"] / end["snapshot"])),
        ("the same at its largest, at the end of a year", "%.2f" % (most / end["snapshot"])),
        ("largest stream of one replica against its snapshot", "%.2f" % largest if largest else "too small to tell"),
        ("vault file", mebibytes(years[-1]["vault"])),
    ]
    for line in lines:
        if "return" in line:
            weeks = line["return"]
            name = "a machine comes back after %d week%s: unlocked until synchronised" % (weeks, "s" * (weeks > 1))
        elif "join" in line:
            name = "a machine joins, key derivation included"
        else:
            continue
        rows.append((name, "%.2f s, at most %s of memory" % (line["seconds"], mebibytes(line["peak"]))))
    rows.append(("the simulation took", "%d min" % (end["seconds"] / 60)))
    rows.append(("load of the machine then, processors", "%.0f, %d" % (os.getloadavg()[2], os.cpu_count())))
    return "| what | figure |\n| --- | --- |\n" + "".join("| %s | %s |\n" % row for row in rows)


def plot(lines):
    """The size of the folder by the year, as SVG."""
    width, height, left, right, top, bottom = 760, 420, 80, 520, 50, 370
    years = [line for line in lines if "year" in line]
    most = max([line["folder"] for line in years] + [lines[-1]["snapshot"] * 1.5]) * 1.1

    def x(year):
        return left + (right - left) * (year - 1) / 9

    def y(size):
        return bottom - (bottom - top) * size / most

    def text(words, at, down, anchor="start", colour="#222"):
        return "<text x='%.1f' y='%.1f' text-anchor='%s' fill='%s' font-size='13'>%s</text>" % (
            at, down, anchor, colour, words)

    parts = ["<rect width='100%' height='100%' fill='white'/>", text("What lies in the folder, by the year", 20, 28)]
    for step in range(6):
        size = most * step / 5
        parts.append("<path d='M%d %.1fH%d' stroke='#ddd'/>" % (left, y(size), right))
        parts.append(text(mebibytes(size), left - 8, y(size) + 4, "end"))
    parts += [text(str(line["year"]), x(line["year"]), bottom + 20, "middle") for line in years]
    snapshot = lines[-1]["snapshot"]
    series = [
        ("all replicas", "#1f77b4", [line["folder"] for line in years]),
        ("their newest snapshots", "#2ca02c", [sum(entry[1] for entry in line["replicas"]) for line in years]),
        ("1.5 × one snapshot at the end", "#d62728", [snapshot * 1.5] * len(years)),
        ("one snapshot at the end", "#888", [snapshot] * len(years)),
    ]
    free = top
    for name, colour, sizes in sorted(series, key=lambda one: -one[2][-1]):
        path = " ".join("%.1f,%.1f" % (x(line["year"]), y(size)) for line, size in zip(years, sizes))
        parts.append("<polyline points='%s' fill='none' stroke='%s' stroke-width='2'/>" % (path, colour))
        free = max(free, y(sizes[-1]) + 4)
        parts.append(text(name, right + 10, free, colour=colour))
        free += 16
    return "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif'>\n%s\n</svg>\n" % (
        width, height, "\n".join(parts))


def record(scale, lines):
    """Writes a page and a plot."""
    page = "# Ten years of synchronisation\n\n`Tests/Soak/simulation.py` measured this and wrote this page.\n\n"
    page += "![What lies in the folder, by the year](sync.svg)\n\n" + table(scale, lines)
    (RESULTS / "sync.md").write_text(page, encoding="utf-8")
    (RESULTS / "sync.svg").write_text(plot(lines), encoding="utf-8")


def main():
    words = [word for word in sys.argv[2:] if not word.startswith("--")]
    directories = [word.removeprefix("--keep=") for word in sys.argv[2:] if word.startswith("--keep=")]
    scale = [int(word) for word in words] + [50, 100_000, 1_000_000, 520, 1][len(words):]
    assert len(scale) == len(NAMES), "too many arguments"
    kept = Kept(directories[0], scale) if directories else None
    lines = run(sys.argv[1], scale, kept)
    check(lines)
    if kept:
        kept.remove()
    if "--record" in sys.argv:
        record(scale, lines)
    print(table(scale, lines), end="")
    print("%s: ok" % ", ".join("%d %s" % pair for pair in zip(scale[:4], NAMES)))


if __name__ == "__main__":
    main()
