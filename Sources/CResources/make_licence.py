#!/usr/bin/python3
"""Draws licence.png, the picture that is attached in demo vaults: a business licence that nobody ever had.

    Sources/CResources/make_licence.py    # needs python3-pil and fonts-wqy-microhei
"""

import pathlib

from PIL import Image, ImageDraw, ImageFont

FONT = "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"
WIDTH, HEIGHT = 600, 400
PAPER, INK, RED, GOLD = "#fffdf4", "#333333", "#b03030", "#c0a060"
LINES = [
    ("名称 Name", "杭州样本科技有限公司 Hangzhou Sample Technology"),
    ("代码 Code", "91330106MA0DEM000Q"),
    ("住所 Address", "杭州市西湖区样本路 1 号 1 Sample Road"),
    ("法人 Person", "林晓 Lin Xiao"),
    ("范围 Business", "举例 Being an example"),
]


def font(size):
    """The font in a size."""
    return ImageFont.truetype(FONT, size)


def main():
    picture = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    draw = ImageDraw.Draw(picture)
    draw.rectangle((10, 10, WIDTH - 11, HEIGHT - 11), outline=GOLD, width=4)
    draw.rectangle((20, 20, WIDTH - 21, HEIGHT - 21), outline=GOLD)
    draw.text((WIDTH / 2, 62), "营业执照", INK, font(40), anchor="mm")
    draw.text((WIDTH / 2, 100), "Business licence", INK, font(18), anchor="mm")
    for number, (label, value) in enumerate(LINES):
        draw.text((45, 145 + 36 * number), label, RED, font(16), anchor="lm")
        draw.text((170, 145 + 36 * number), value, INK, font(16), anchor="lm")
    draw.text((WIDTH / 2, 340), "样例 SAMPLE", RED, font(36), anchor="mm")
    draw.text((WIDTH / 2, 371), "不是证件 Not a document", RED, font(14), anchor="mm")
    path = pathlib.Path(__file__).with_name("licence.png")
    picture.quantize(16, dither=Image.Dither.NONE).save(path, optimize=True)


main()
