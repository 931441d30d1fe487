#!/usr/bin/python3
"""Checks or writes the lists of tests in REQUIREMENTS.md, and checks the tests of each sentence.

    requirements.py            print what is wrong; exit status 1 if anything is
    requirements.py --write    update the lists

requirements.txt names tests for each sentence of a requirement: the sentence with its number and, below it, files with the
name of a test or with other text in them. A sentence that is changed has to be changed there too, with a look at its tests.

A test belongs to a requirement if its name begins with the requirement's ID: the name of a transcript or the first
comment in it, the name of a Swift test or suite, of a Python test, of an Emacs test's description, or of a check in a
client's script.
"""
import pathlib
import re
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
PAGE = HERE / "REQUIREMENTS.md"
SENTENCES = HERE / "requirements.txt"

ID = r"(?:R\d{1,2}b?|[A-Z]|rpc|import|export)"
#: An ID in a name. "A" is also a word, and an ID only where a colon or a bracket follows.
NAMED = r"(?:R\d{1,2}b?|[BCFLMOPSTU]|A(?=[:)]))"
#: IDs one after another, as in "R9, B: " or "R14 R15 ".
IDS = rf"(?:R-)?({NAMED}(?:(?:,? | / ){NAMED})*)"

#: The files that hold tests, and the patterns of their names with IDs at the beginning.
TESTS = {
    "protocol/transcripts/*.txt": [rf"\A# {IDS}[ :]"],
    "Tests/*Tests/**/*.swift": [rf'@(?:Test|Suite)\(\s*"{IDS}[ :]', rf"^/// {IDS}[ :]"],
    "Tests/*Tests/test_*.py": [
        r"def test_((?:(?:r\d+b?|[bflmoptu])_)+)", rf'"""{IDS}[ :]', rf'\A""".*\({IDS}\)\.'],
    "clients/*/tests/test_*.py": [r"def test_((?:(?:r\d+b?|[bflmoptu])_)+)", rf'"""{IDS}[ :]', rf'\A""".*\({IDS}\)\.'],
    "clients/*/tests/*.el": [rf'^  "{IDS}[ :]'],
    "clients/*/tests/**/*.bash": [rf"^# {IDS}[ :]"],
    "clients/*/tests/**/*.vim": [rf"\((?:s:\w+, )?'{IDS}[ :]", rf'^" {IDS}[ :\n]'],
}


def requirements(text):
    """The IDs of each heading of the page."""
    return [(heading, heading_ids(heading)) for heading in re.findall(r"^### (.*)", text, re.M)]


def heading_ids(heading):
    """The IDs at the beginning of a heading, or in brackets at its end; none where its list of tests is written by hand."""
    found = re.match(rf"({ID}(?: / {ID})*)\b", heading) or re.search(rf"\(({ID})\)$", heading)
    return found[1].split(" / ") if found else []


def tagged(root=ROOT):
    """The files with tests of each requirement, as paths that begin at the root."""
    found = {}
    for glob, patterns in TESTS.items():
        for path in sorted(root.glob(glob)):
            text = path.read_text()
            tags = [tag for pattern in patterns for tag in re.findall(pattern, text, re.M)]
            ids = {one.capitalize() for tag in tags for one in re.split(r"[,_ /]+", tag) if one}
            if path.suffix == ".txt":
                ids.add(transcript_id(path.name))
            for one in ids:
                found.setdefault(one, []).append(path.relative_to(root).as_posix())
    return found


def transcript_id(name):
    """The ID that a transcript's name begins with: `r01-` is R1, `rpc-` is rpc."""
    first = re.match(r"\w+", name)[0]
    number = re.fullmatch(r"r(\d+)(b?)", first)
    if number:
        return f"R{int(number[1])}{number[2]}"
    return first.upper() if len(first) == 1 else first


def paragraph(paths):
    """The list of tests as it stands below a requirement."""
    transcripts = [path.removeprefix("protocol/") for path in paths if path.startswith("protocol/")]
    others = [path for path in paths if not path.startswith("protocol/")]
    text = "Tests: " + ", ".join(f"`{path}`" for path in transcripts + others)
    return textwrap.fill(text, 120, break_long_words=False, break_on_hyphens=False)


def updated(text, found):
    """The page with the lists of tests as they should be."""
    def section(match):
        ids = heading_ids(match["heading"])
        paths = sorted({path for one in ids for path in found.get(one, [])})
        body = re.sub(r"\n\nTests: (?:.+\n?)+", "\n", match["body"]).rstrip()
        return f"### {match['heading']}\n{body}\n\n{paragraph(paths)}\n\n" if paths else match[0]
    text = re.sub(r"^### (?P<heading>.*)\n(?P<body>(?:(?!##).*\n)*)", section, text + "\n", flags=re.M)
    return text.rstrip("\n") + "\n"


def sentences(text):
    """The sentences of each requirement by their numbers, such as R9.3, without those that point elsewhere."""
    numbered = {}
    for heading, body in re.findall(r"^### (.*)\n((?:(?!##).*\n)*)", text, re.M):
        prose = " ".join(body.partition("\nTests: ")[0].split())
        name = (heading_ids(heading) or [heading])[0]
        parts = [part for part in re.split(r"(?<=[.!?])\s+(?=[A-Z`[])", prose) if not part.startswith(("[", "`Tests/"))]
        numbered |= {f"{name}.{number}": part for number, part in enumerate(parts, 1)}
    return numbered


def tests_of_sentences(text):
    """The sentence and the tests of each number."""
    entries = {}
    for line in text.splitlines():
        if line.startswith("  "):
            entries[number][1].append(line.strip())
        elif line:
            number, sentence = re.match(r"(.+?\.\d+) (.+)", line).groups()
            entries[number] = (sentence, [])
    return entries


def exists(test):
    """Whether there is a test: its file and, after a colon, a text in it."""
    path, _, name = test.partition(": ")
    file = (HERE if path.startswith("transcripts/") else ROOT) / path
    return file.is_file() and name in file.read_text()


def problems_of_sentences(text, listed):
    """What is wrong with the tests of sentences."""
    numbered, entries = sentences(text), tests_of_sentences(listed)
    for number in sorted(numbered.keys() | entries.keys()):
        sentence, tests = entries.get(number, (None, []))
        if sentence != numbered.get(number):
            yield f"{number}: {SENTENCES.name} has {sentence!r}, {PAGE.name} {numbered.get(number)!r}"
        elif not tests:
            yield f"{number}: no test shows {sentence!r}"
        yield from (f"{number}: there is no {test}" for test in tests if not exists(test))


def problems(text, found):
    """What is wrong with the page."""
    yield from problems_of_sentences(text, SENTENCES.read_text())
    known = {one for _, ids in requirements(text) for one in ids}
    for heading, ids in requirements(text):
        if ids and not any(found.get(one) for one in ids):
            yield f"no test carries the ID of: {heading}"
    for heading, body in re.findall(r"^### (.*)\n((?:(?!##).*\n)*)", text, re.M):
        listed = re.findall(r"`([^`]+)`", body.partition("\nTests: ")[2])
        if not listed:
            yield f"no test is listed for: {heading}"
        for path in listed:
            if not (ROOT / path).is_file() and not (HERE / path).is_file():
                yield f"{heading}: there is no {path}"
    for one in sorted(set(found) - known):
        yield f"{one} is no requirement: {', '.join(found[one])}"
    if updated(text, found) != text:
        yield "the lists of tests are out of date: run protocol/requirements.py --write"


def main(arguments):
    if arguments not in ([], ["--write"]):
        sys.exit(__doc__)
    text, found = PAGE.read_text(), tagged()
    if arguments:
        text = updated(text, found)
        PAGE.write_text(text)
    wrong = list(problems(text, found))
    print("\n".join(wrong))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
