#!/usr/bin/python3
"""Draws the pictures of the clients in the documents: runs each client in a terminal with sample cards.

    draw.py PROGRAM DIRECTORY [CLIENT...]

PROGRAM is quickvault. The pictures are DIRECTORY/CLIENT.svg in English and DIRECTORY/CLIENT.zh-CN.svg in Chinese.
"""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Tests"))

import scenes
import temporary
from drawing import Drawing
from terminal import Terminal

LANGUAGES = {"en": ("C.UTF-8", ""), "zh": ("zh_CN.UTF-8", ".zh-CN")}


def draw(client, language, program, directory):
    """Draws one picture."""
    locale, suffix = LANGUAGES[language]
    scene = scenes.ALL[client](language)
    with temporary.directory("qv.") as home, scene.surroundings() as more:
        # LANGUAGE keeps Vim and bash from speaking Chinese where the locale exists, so that all machines draw the same.
        environment = {
            "HOME": home, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "LC_CTYPE": "C.UTF-8", "TZ": "UTC", "USER": "lin",
            "TERM": "screen-256color", "COLORFGBG": "15;0", "XDG_RUNTIME_DIR": home, "QUICKVAULT_PROGRAM": str(program),
            "LC_MESSAGES": locale, "LANGUAGE": "en", **more}
        terminal = Terminal(scene.columns, scene.rows, environment, *scene.command(pathlib.Path(home), program))
        try:
            drawing = Drawing(scene.columns, scene.rows, scene.title, scene.description)
            for caption in scene.play(terminal):
                drawing.add(f"{scene.name} — {caption}", *terminal.picture())
        finally:
            terminal.close()
    (directory / f"{client}{suffix}.svg").write_text(drawing.svg(), encoding="utf-8")


def main():
    program, directory = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    for client in sys.argv[3:] or scenes.ALL:
        for language in LANGUAGES:
            draw(client, language, program, directory)


if __name__ == "__main__":
    main()
