"""Draws screens as an SVG file that shows them one after another."""

from xml.sax.saxutils import escape

import screen

CELL = 8.4
LINE = 19
SIZE = 14
WIDE_SIZE = 15.4
MARGIN = 14
BAR = 34
SECONDS = 4
FONTS = ("ui-monospace,'SF Mono',Menlo,'DejaVu Sans Mono',Consolas,'Noto Sans Mono CJK SC','Noto Sans CJK SC',"
         "'PingFang SC','Microsoft YaHei','WenQuanYi Micro Hei Mono',monospace")


def number(value):
    return f"{value:.1f}".removesuffix(".0")


class Drawing:
    """The screens of a program; `title` and `description` are for screen readers."""

    def __init__(self, columns, count, title, description):
        self.columns, self.count = columns, count
        self.width = columns * CELL + 2 * MARGIN
        self.height = BAR + count * LINE + 2 * MARGIN
        self.title, self.description = title, description
        self.classes = {}
        self.frames = []

    def add(self, caption, text, cursor):
        """Adds a screen; the caption shows what was typed."""
        parts = [f'<text class="k" x="{number(self.width / 2)}" y="{BAR - 12}">{escape(caption)}</text>']
        for row, runs in enumerate(screen.rows(text)):
            y = BAR + MARGIN + row * LINE
            parts += self._backgrounds(runs, y)
            if cursor and cursor[1] == row:
                parts.append(self._cursor(cursor[0], runs, y))
            parts += self._texts(runs, y)
        self.frames.append("".join(parts))

    def _cursor(self, column, runs, y):
        under = next((run for run in runs if run.column <= column < run.column + run.columns), None)
        width = CELL * (under.width if under else 1)
        return f'<rect class="u" x="{number(MARGIN + column * CELL)}" y="{number(y)}" width="{number(width)}" height="{LINE}"/>'

    def _backgrounds(self, runs, y):
        """Rectangles behind the text; adjacent ones of the same colour are joined."""
        spans = []
        for run in runs:
            colour = run.style.colours()[1]
            if colour and spans and spans[-1][2] == colour and spans[-1][1] == run.column:
                spans[-1][1] += run.columns
            elif colour:
                spans.append([run.column, run.column + run.columns, colour])
        return [
            f'<rect x="{number(MARGIN + start * CELL)}" y="{number(y)}" width="{number((end - start) * CELL)}"'
            f' height="{LINE}" fill="{colour}"/>' for start, end, colour in spans]

    def _texts(self, runs, y):
        baseline = number(y + 14)
        parts = []
        for run in runs:
            # Position the text after each wide gap separately, so that columns align with any font.
            for column, text in pieces(run):
                x = MARGIN + column * CELL
                if run.width == 2:
                    place = f'x="{" ".join(number(x + (CELL * 2 - WIDE_SIZE) / 2 + index * 2 * CELL) for index in range(len(text)))}"'
                elif len(text) > 1:
                    place = f'x="{number(x)}" textLength="{number(len(text) * CELL)}"'
                else:
                    place = f'x="{number(x)}"'
                parts.append(f'<text {place} y="{baseline}"{self._class(run)}>{escape(text)}</text>')
        return parts

    def _class(self, run):
        style, rules = run.style, []
        colour = style.colours()[0]
        if colour != screen.FOREGROUND:
            rules.append(f"fill:{colour}")
        if run.width == 2:
            rules.append(f"font-size:{WIDE_SIZE}px")
        if style.bold:
            rules.append("font-weight:700")
        if style.faint:
            rules.append("opacity:.6")
        if style.italic:
            rules.append("font-style:italic")
        if style.underline:
            rules.append("text-decoration:underline")
        if not rules:
            return ""
        name = self.classes.setdefault(";".join(rules), f"s{len(self.classes)}")
        return f' class="{name}"'

    def svg(self):
        """Returns the SVG file. Without animation, it shows the second screen."""
        count = len(self.frames)
        share = 100 / count
        still = min(1, count - 1)
        rules = [
            f"text{{font:{SIZE}px {FONTS};fill:{screen.FOREGROUND};white-space:pre}}",
            ".k{font-size:13px;fill:#aab2c0;text-anchor:middle}", ".u{fill:#6c7689}",
            *(f".{name}{{{rule}}}" for rule, name in self.classes.items()),
            "".join(f"#f{index}," for index in range(count) if index != still).rstrip(",") + "{visibility:hidden}",
            "@media (prefers-reduced-motion:no-preference){"
            f"@keyframes t{{0%,{share:.2f}%{{visibility:visible}}{share + 0.01:.2f}%,to{{visibility:hidden}}}}"
            + "".join(f"#f{index}{{animation:t {count * SECONDS}s step-end {index * SECONDS - count * SECONDS}s infinite}}"
                      for index in range(count)) + "}"]
        buttons = "".join(f'<circle cx="{20 + 18 * index}" cy="{BAR / 2 + 1:g}" r="5.5" fill="{colour}"/>'
                          for index, colour in enumerate(["#e06c75", "#e5c07b", "#98c379"]))
        size = f"{number(self.width)} {number(self.height)}"
        frames = "\n".join(f'<g id="f{index}">{frame}</g>' for index, frame in enumerate(self.frames))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" width="{number(self.width)}"'
            f' height="{number(self.height)}" role="img" aria-labelledby="title description">\n'
            f'<title id="title">{escape(self.title)}</title>\n<desc id="description">{escape(self.description)}</desc>\n'
            f'<style>{"".join(rules)}</style>\n'
            f'<rect width="100%" height="100%" rx="9" fill="{screen.BACKGROUND}"/>'
            f'<path d="M0 {BAR}V9a9 9 0 0 1 9-9H{number(self.width - 9)}a9 9 0 0 1 9 9V{BAR}z" fill="#2a303b"/>{buttons}\n'
            f"{frames}\n</svg>\n")


def pieces(run):
    """The parts of a run between gaps of two or more spaces, with their columns."""
    column, piece, start = run.column, "", run.column
    for character in run.text + "  ":
        if piece.endswith(" ") and character == " ":
            if piece.strip():
                lead = len(piece) - len(piece.lstrip())
                yield start + lead * run.width, piece.strip()
            piece = ""
        if not piece:
            start = column
        piece += character
        column += run.width
