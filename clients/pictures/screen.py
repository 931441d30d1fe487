"""Parses the screen of a terminal from the text with escape sequences that tmux prints."""

import dataclasses
import re
import unicodedata

#: The sixteen colours, dark and then bright.
PALETTE = ["#3b4252", "#e06c75", "#98c379", "#e5c07b", "#6ea8fe", "#c792ea", "#56b6c2", "#cdd3de",
           "#7b8494", "#ff8b92", "#b5e08f", "#ffd98a", "#93c1ff", "#ddb3ff", "#7fd6e0", "#ffffff"]
FOREGROUND = "#d8dee9"
BACKGROUND = "#1e222a"


@dataclasses.dataclass(frozen=True)
class Style:
    foreground: str | None = None
    background: str | None = None
    bold: bool = False
    faint: bool = False
    italic: bool = False
    underline: bool = False
    reverse: bool = False

    def colours(self):
        """The displayed colours of text and background; a background of None is the default."""
        if self.reverse:
            return self.background or BACKGROUND, self.foreground or FOREGROUND
        return self.foreground or FOREGROUND, self.background


@dataclasses.dataclass(frozen=True)
class Run:
    """Adjacent characters of the same style and the same width in cells."""

    column: int
    text: str
    width: int
    style: Style

    @property
    def columns(self):
        return self.width * len(self.text)


def width(character):
    """The width of a character in cells, as in tmux."""
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def indexed(number):
    """The colour with a number in the 256-colour palette."""
    if number < 16:
        return PALETTE[number]
    if number >= 232:
        level = 8 + 10 * (number - 232)
        return f"#{level:02x}{level:02x}{level:02x}"
    levels = [0, 95, 135, 175, 215, 255]
    number -= 16
    return "#{:02x}{:02x}{:02x}".format(levels[number // 36], levels[number // 6 % 6], levels[number % 6])


def styled(style, parameters):
    """The style after an SGR sequence."""
    numbers = [int(word or 0) for word in re.split("[;:]", parameters)]
    changes = {}
    while numbers:
        number = numbers.pop(0)
        if number == 0:
            style, changes = Style(), {}
        elif number in (38, 48):
            name = "foreground" if number == 38 else "background"
            if numbers.pop(0) == 5:
                changes[name] = indexed(numbers.pop(0))
            else:
                changes[name] = "#{:02x}{:02x}{:02x}".format(*(numbers.pop(0) for _ in range(3)))
        elif 30 <= number <= 37 or 90 <= number <= 97:
            changes["foreground"] = PALETTE[number - 30 if number < 90 else number - 82]
        elif 40 <= number <= 47 or 100 <= number <= 107:
            changes["background"] = PALETTE[number - 40 if number < 100 else number - 92]
        else:
            changes |= {
                1: {"bold": True}, 2: {"faint": True}, 3: {"italic": True}, 4: {"underline": True}, 7: {"reverse": True},
                22: {"bold": False, "faint": False}, 23: {"italic": False}, 24: {"underline": False},
                27: {"reverse": False}, 39: {"foreground": None}, 49: {"background": None}}.get(number, {})
    return dataclasses.replace(style, **changes)


def rows(text):
    """The rows of a screen, each a list of runs."""
    style = Style()
    result = []
    for line in text.rstrip("\n").split("\n"):
        runs, column = [], 0
        for sequence, character in re.findall(r"\x1b\[([\d;:]*)m|(?:\x1b[()].)?([^\x1b])", line):
            if not character:
                style = styled(style, sequence)
                continue
            wide = width(character)
            last = runs[-1] if runs else None
            if last and last.style == style and last.width == wide:
                runs[-1] = dataclasses.replace(last, text=last.text + character)
            else:
                runs.append(Run(column, character, wide, style))
            column += wide
        result.append(runs)
    return result
