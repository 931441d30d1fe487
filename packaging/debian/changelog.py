#!/usr/bin/python3
"""Converts CHANGELOG.md into a Debian changelog.

    changelog.py CHANGELOG.md PACKAGE VERSION SECONDS MAINTAINER

VERSION is the version of the package: that of the newest section, or what an [Unreleased] section will become. SECONDS is
the time of the last commit since 1970; an [Unreleased] section gets its date.
"""
import datetime
import email.utils
import re
import sys
import textwrap


def sections(text):
    """Yields the version, the date and the lines of each section, newest first; the date is "" if unreleased.

    A line is a title, which begins with "#", or an entry.
    """
    for part in re.split(r"^## ", text, flags=re.M)[1:]:
        title, _, body = part.partition("\n")
        version, date = re.fullmatch(r"\[([^]]+)\](?: - (\d{4}-\d\d-\d\d))?", title).groups("")
        yield version, date, re.findall(r"^(?:- |##(?=#))(.*(?:\n  .*)*)", body, flags=re.M)


def main(path, package, version, seconds, maintainer):
    with open(path, encoding="utf-8") as file:
        found = list(sections(file.read()))
    if not found or found[0][0] not in (version, "Unreleased"):
        sys.exit(f"{path}: {version} is not its newest version")
    for name, date, entries in found:
        at = int(datetime.datetime.fromisoformat(date + "T00:00:00+00:00").timestamp()) if date else int(seconds)
        print(f"{package} ({name if date else version}) stable; urgency=medium\n")
        for entry in entries:
            if entry.startswith("#"):
                print(f"  {entry.lstrip('# ')}:")
                continue
            plain = re.sub(r"\[([^]]+)\](?:\([^)]*\))?", r"\1", " ".join(entry.split()))
            print(textwrap.fill(plain, 76, initial_indent="  * ", subsequent_indent="    "))
        print(f"\n -- {maintainer}  {email.utils.formatdate(at)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
