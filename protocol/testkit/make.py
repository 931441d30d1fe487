#!/usr/bin/python3
"""Makes the files of the testkit, or checks those that are there.

  make.py            writes them into the directories `files` and `folders` beside this script
  make.py --check    tells which files differ from what would be written, and fails if any does
  make.py --into DIRECTORY [NAME…]    writes them there without compressing them

Needs python3-cryptography and python3-argon2, and SQLite 3.40 for the same bytes.
"""
import argparse
import gzip
import json
import pathlib
import sys

from folders import FOLDERS
from scenarios import SCENARIOS
from testkit import text_id

FILES = pathlib.Path(__file__).resolve().parent / "files"
SYNCHRONISED = FILES.parent / "folders"


def description(vault, outcome, comment):
    """Returns what a reader must find."""
    said = {"comment": comment, "outcome": outcome, "password": vault.password}
    if outcome in ("intact", "damaged") and vault.expected.get("cards", ()) is not None:
        said["cards"] = [card.json for card in sorted(vault.cards, key=lambda card: card.order())]
        if outcome == "damaged" and vault.expected.get("damaged", ()) is not None:
            said["damaged"] = sorted(text_id(identity) for identity in vault.damaged)
        said["settings"] = vault.expected.get("settings", {})
        if "renditions" in vault.expected:
            said["renditions"] = [{**rendition, "attachment": text_id(rendition["attachment"])}
                                  for rendition in vault.expected["renditions"]]
    return said


def contents(names=()):
    """Yields the name and the bytes of each file."""
    for name in names or SCENARIOS:
        outcome, comment, build = SCENARIOS[name]
        vault = build()
        said = json.dumps(description(vault, outcome, comment), ensure_ascii=False, indent=2) + "\n"
        yield name + ".json", said.encode()
        yield name + ".quickvault", bytes(vault.serialized() if vault.data is None else vault.data)
        for ending, content in vault.companions.items():
            yield name + ".quickvault" + ending, content


def folders():
    """Yields the name and the bytes of the file for each synchronised folder."""
    for name, (comment, build) in FOLDERS.items():
        said = {"comment": comment, **build().json}
        yield name + ".json", (json.dumps(said, ensure_ascii=False, indent=2) + "\n").encode()


def compressed(name, content):
    """Returns the name and the bytes under which a file is kept."""
    return (name, content) if name.endswith(".json") else (name + ".gz", gzip.compress(content, mtime=0))


def main():
    """Runs the command line and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--into", type=pathlib.Path, metavar="DIRECTORY")
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    if arguments.check:
        made = dict(contents())
        kept = {path.name.removesuffix(".gz"): path for path in FILES.iterdir()}
        different = sorted(made.keys() ^ kept.keys())
        for name in made.keys() & kept.keys():
            content = kept[name].read_bytes()
            if (gzip.decompress(content) if kept[name].suffix == ".gz" else content) != made[name]:
                different.append(name)
        here = {path.name: path.read_bytes() for path in SYNCHRONISED.iterdir()}
        different += sorted(name for name in {*here, *dict(folders())} if here.get(name) != dict(folders()).get(name))
        for name in different:
            print(f"{name} differs", file=sys.stderr)
        return 1 if different else 0
    directory = arguments.into or FILES
    directory.mkdir(exist_ok=True)
    if not arguments.into:
        for path in directory.iterdir():
            path.unlink()
    for name, content in contents(arguments.names):
        if not arguments.into:
            name, content = compressed(name, content)
        (directory / name).write_bytes(content)
    if not arguments.into:
        SYNCHRONISED.mkdir(exist_ok=True)
        for path in SYNCHRONISED.iterdir():
            path.unlink()
        for name, content in folders():
            (SYNCHRONISED / name).write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
