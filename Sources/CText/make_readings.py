#!/usr/bin/python3
"""Makes readings.inc from the Unihan database, as Debian's package unicode-data brings it.

Usage: make_readings.py [DIRECTORY] > readings.inc     (DIRECTORY defaults to /usr/share/unicode)

The readings of a character are those of kMandarin (the customary one of every character), of kTGHZ2013 (the dictionary of
the characters in general use, with all their readings of today) and of kHanyuPinlu (readings by their frequency in modern
texts, which has the traditional forms too). A traditional character takes those of its simplified form in kTGHZ2013 as well
where it has exactly one. kHanyuPinyin and kXHC1983 are left out: most of what they add is read so no more. Tones are dropped,
u with diaeresis is both v and u, and what is no syllable of a vowel, such as ng, is left out.
"""

import bz2
import collections
import re
import sys
import unicodedata

# The characters of the table, and where those begin of which it has all: below, and beyond the table, it has only those in
# general use.
FIRST, ALL, LAST = 0x4000, 0x4E00, 0x9FFF
# The zero of dates, which Unihan does not have, is read like the character that it stands for.
ZERO, ZERO_IN_FULL = 0x3007, 0x96F6


def lines(directory, name):
    with bz2.open(f"{directory}/{name}.txt.bz2", "rt", encoding="utf-8") as file:
        yield from file


def database(directory, name):
    """Code point, property and value of each line."""
    for line in lines(directory, name):
        if line.startswith("U+"):
            code, key, value = line.rstrip("\n").split("\t")
            yield int(code[2:], 16), key, value


def syllables(text):
    """What a reading with its tone is typed as."""
    plain = unicodedata.normalize("NFD", text).replace("u\u0308", "v")
    plain = "".join(mark for mark in plain if not unicodedata.combining(mark))
    if not re.fullmatch("[a-z]*[aeiouv][a-z]*", plain):
        return set()
    return {plain, plain.replace("v", "u")}


def readings(directory):
    """The readings of each code point."""
    found = collections.defaultdict(set)
    general = collections.defaultdict(set)
    patterns = {"kMandarin": r"(\S+)", "kHanyuPinlu": r"([^ (]+)\("}
    for code, key, value in database(directory, "Unihan_Readings"):
        if key in patterns:
            for reading in re.findall(patterns[key], value):
                found[code] |= syllables(reading)
        elif key == "kTGHZ2013":
            for reading in ",".join(place.split(":")[1] for place in value.split()).split(","):
                general[code] |= syllables(reading)
    simplified = {}
    for code, key, value in database(directory, "Unihan_Variants"):
        if key == "kSimplifiedVariant":
            simplified[code] = [int(form[2:], 16) for form in value.split()]
    for code in list(found):
        found[code] |= general[code]
        if code not in general or not general[code]:
            forms = simplified.get(code, [])
            if len(forms) == 1:
                found[code] |= general.get(forms[0], set())
    found[ZERO] |= found[ZERO_IN_FULL]
    return {
        code: tuple(sorted(found[code]))
        for code in found
        if found[code] and (ALL <= code <= LAST or general.get(code) or code == ZERO)
    }


def rows(values):
    """Numbers or texts as rows of C."""
    line = " "
    for value in values:
        piece = f" {value},"
        if len(line) + len(piece) > 116:
            yield line
            line = " "
        line += piece
    yield line


def main():
    directory = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode"
    version = next(line.split(": ")[1].strip() for line in lines(directory, "Unihan_Readings") if "Unicode version" in line)
    found = readings(directory)
    names = sorted({name for group in found.values() for name in group})
    number = {name: index for index, name in enumerate(names)}
    groups = sorted(set(found.values()), key=lambda group: (len(group) > 1, group))
    place = {group: index + 1 for index, group in enumerate(groups)}
    starts = [0, 0]
    for group in groups:
        starts.append(starts[-1] + len(group))
    rare = sorted(code for code in found if not FIRST <= code <= LAST)
    initials = [1 << 26] + [sum(1 << (ord(letter) - 97) for letter in {name[0] for name in group}) for group in groups]

    print(f"""\
// Made by make_readings.py from Unihan_Readings.txt and Unihan_Variants.txt of the Unicode Character Database, version
// {version}. Copyright 1991-2022 Unicode, Inc., under the terms of LICENSE beside this file; the data was changed: chosen,
// stripped of tones, and laid out as tables.

#define QUICKVAULT_SYLLABLE_COUNT {len(names)}
#define QUICKVAULT_READING_SET_COUNT {len(groups) + 1}
#define QUICKVAULT_RARE_COUNT {len(rare)}
""")
    print("/// Every syllable, padded with zeros.")
    print("static const char syllables[QUICKVAULT_SYLLABLE_COUNT][8] = {")
    print(*rows(f'"{name}"' for name in names), "};", sep="\n")
    print("\n/// Where the syllables of each set of readings begin in set_syllables; those of set 0 are none.")
    print("static const uint16_t set_starts[QUICKVAULT_READING_SET_COUNT + 1] = {")
    print(*rows(starts), "};", sep="\n")
    print(f"\nstatic const uint16_t set_syllables[{starts[-1]}] = {{")
    print(*rows(number[name] for group in groups for name in group), "};", sep="\n")
    print("\n/// The letters that the readings of each set begin with: bit 0 is a; bit 26 for set 0.")
    print("static const uint32_t set_initials[QUICKVAULT_READING_SET_COUNT] = {")
    print(*rows(f"0x{mask:x}" for mask in initials), "};", sep="\n")
    print(f"\n/// The set of readings of each character from U+{FIRST:X} to U+{LAST:X}, between margins of zeros.")
    print("static const uint16_t sets[MARGIN_BEFORE + {0} + MARGIN_AFTER] = {{".format(LAST - FIRST + 1))
    print(f"[MARGIN_BEFORE] =")
    print(*rows(place.get(found.get(code), 0) for code in range(FIRST, LAST + 1)), "};", sep="\n")
    print("\n/// Other characters, in rising order, and their sets.")
    print("static const uint32_t rare_characters[QUICKVAULT_RARE_COUNT] = {")
    print(*rows(f"0x{code:x}" for code in rare), "};", sep="\n")
    print("\nstatic const uint16_t rare_sets[QUICKVAULT_RARE_COUNT] = {")
    print(*rows(place[found[code]] for code in rare), "};", sep="\n")


main()
