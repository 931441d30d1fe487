#!/usr/bin/python3
"""Turns CHANGELOG.md into the form that Debian keeps in /usr/share/doc.

    changelog.py CHANGELOG.md PACKAGE SECONDS MAINTAINER     SECONDS: when the last change was made, since 1970
"""
import email.utils
import re
import sys
import textwrap


def versions(text):
    """Yields each version and its entries, the newest first."""
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        title, _, body = part.partition("\n")
        yield title.split()[0], re.findall(r"^- (.*(?:\n  .*)*)", body, flags=re.M)


def main(path, package, seconds, maintainer):
    with open(path, encoding="utf-8") as file:
        found = list(versions(file.read()))
    if not found:
        sys.exit(f"{path}: no version in it")
    for version, entries in found:
        print(f"{package} ({version}) stable; urgency=medium\n")
        for entry in entries:
            print(textwrap.fill(" ".join(entry.split()), 76, initial_indent="  * ", subsequent_indent="    "))
        print(f"\n -- {maintainer}  {email.utils.formatdate(int(seconds))}\n")


main(*sys.argv[1:])
