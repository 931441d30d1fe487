"""Finds the project's documents and parses them."""

import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ["QUICKVAULT_PROGRAM"])
QV = PROGRAM.with_name("qv")
#: All documents except ORIGIN.md: its commands, which fetched third-party files, are not repeated.
DOCUMENTS = sorted(path for path in ROOT.rglob("*.md") if path.name != "ORIGIN.md")

sys.path.insert(0, str(ROOT / "protocol"))


def blocks(document, language):
    """Returns the code blocks in a language; "" for blocks without one."""
    return [text for mark, text in re.findall(r"^```(\S*)\n(.*?)^```", document.read_text(), flags=re.M | re.S)
            if mark == language]


def spans(document):
    """Returns the code spans in sentences and tables."""
    text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.M | re.S)
    return re.findall(r"`([^`\n]+)`", text)


def headings(document):
    """Returns the level and the text of each heading."""
    text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.M | re.S)
    return re.findall(r"^(#+) (.*)", text, flags=re.M)


def links(document):
    """Returns the targets of links and pictures."""
    return re.findall(r"\]\(([^)\s]+)\)", document.read_text())
