"""The project's documents, and what stands in them."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ["QUICKVAULT_PROGRAM"])
#: All of them but those that say where files of others came from, by commands that are not repeated.
DOCUMENTS = sorted(
    ROOT / name for name in subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, check=True, capture_output=True,
        text=True).stdout.split() if (ROOT / name).exists() and not name.endswith("ORIGIN.md"))

sys.path.insert(0, str(ROOT / "protocol"))


def blocks(document, language):
    """The blocks of a document that are marked with a language; with "" those that are marked with none."""
    return [text for mark, text in re.findall(r"^```(\S*)\n(.*?)^```", document.read_text(), flags=re.M | re.S)
            if mark == language]


def spans(document):
    """The pieces of code within sentences and tables."""
    text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.M | re.S)
    return re.findall(r"`([^`\n]+)`", text)


def headings(document):
    """How deep each heading is, and what it says."""
    text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.M | re.S)
    return re.findall(r"^(#+) (.*)", text, flags=re.M)


def links(document):
    """Where the links and pictures of a document lead."""
    return re.findall(r"\]\(([^)\s]+)\)", document.read_text())
