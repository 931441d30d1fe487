#!/usr/bin/python3
"""Makes divisions.txt and division_variants.txt from a published list of China's administrative divisions and the Unicode data.

Usage: make_divisions.py pca-code.json HK-MO-TW.json [DIRECTORY]

The two files are those of https://github.com/modood/Administrative-divisions-of-China, which takes them from the National
Bureau of Statistics; DIRECTORY is that of Debian's package unicode-data, /usr/share/unicode by default. Kept are the divisions
of GB/T 2260: statistical areas such as development zones (codes 71 to 79) and townships are not in it.

Each line is a city with its districts; a line with a colon begins a province. Names after a slash are what people write
instead of the official name where that does not follow from the suffix. A municipality is a province and its own city.
"""

import bz2
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

PEOPLES = sorted(
    "藏族 羌族 回族 土家族 苗族 布依族 侗族 彝族 白族 傣族 景颇族 傈僳族 哈尼族 壮族 朝鲜族 蒙古族 满族 瑶族 畲族 黎族 "
    "土族 东乡族 保安族 撒拉族 达斡尔族 仡佬族 水族 毛南族 佤族 拉祜族 布朗族 纳西族 普米族 独龙族 怒族 仫佬族 各族 "
    "哈萨克族 裕固族 锡伯族 鄂温克族 哈萨克 柯尔克孜 维吾尔 蒙古 锡伯 塔吉克 回".split(), key=len, reverse=True)
PEOPLE = "(?:" + "|".join(PEOPLES) + ")"
ALIASES = {
    "科尔沁右翼前旗": ["科右前旗"], "科尔沁右翼中旗": ["科右中旗"], "科尔沁左翼中旗": ["科左中旗"],
    "科尔沁左翼后旗": ["科左后旗"], "察哈尔右翼前旗": ["察右前旗"], "察哈尔右翼中旗": ["察右中旗"],
    "察哈尔右翼后旗": ["察右后旗"], "达尔罕茂明安联合旗": ["达茂旗"], "新巴尔虎左旗": ["新左旗"], "新巴尔虎右旗": ["新右旗"],
    "内蒙古自治区": ["内蒙古", "内蒙"], "西藏自治区": ["西藏"],
    "锡林郭勒盟": ["锡盟"], "阿拉善盟": ["阿盟"],
}


def written(name):
    """The name with what people write instead."""
    others = list(ALIASES.get(name, []))
    match = re.fullmatch(f"(.+?){PEOPLE}+自治(州|县|旗|区)", name)
    if match and len(match[1]) > 1:
        others += [match[1]] + ([match[1] + match[2]] if match[2] in "州县" else [])
    elif name.endswith("特别行政区"):
        others.append(name[:-5])
    elif match := re.fullmatch("(.+)(地区|盟)|(神农架|六枝)..", name):
        others.append(match[1] or match[3])
    return "/".join([name] + others)


def provinces(mainland, others):
    for province in mainland:
        cities = []
        for city in province["children"]:
            counties = [
                county["name"] for county in city["children"] if len(county["code"]) == 6 and not 71 <= int(county["code"][4:]) <= 79]
            if "直辖县级" in city["name"]:
                cities += [(county, []) for county in counties]
            elif city["name"] in ("市辖区", "县"):
                own = cities[0][1] if cities else []
                cities = [(province["name"], own + counties)]
            else:
                cities.append((city["name"], counties))
        yield province["name"], cities
    for province, cities in others.items():
        cities = {city: [name.split("（")[0] for name in names] for city, names in cities.items()}
        if province == "台湾省":
            yield province, list(cities.items())
        else:
            yield province, [(province, [name for names in cities.values() for name in names])]


def variants(directory, names):
    """The traditional characters and the radicals that stand for a character of the names."""
    used, found = set("".join(names)), {}
    with bz2.open(f"{directory}/Unihan_Variants.txt.bz2", "rt", encoding="utf-8") as file:
        for line in file:
            fields = line.rstrip("\n").split("\t")
            if len(fields) == 3 and fields[1] == "kSimplifiedVariant":
                character, simple = chr(int(fields[0][2:], 16)), [chr(int(code[2:], 16)) for code in fields[2].split()]
                if character not in used and ord(character) < 0x10000 and used & set(simple):
                    found[character] = next(other for other in simple if other in used)
    with open(f"{directory}/EquivalentUnifiedIdeograph.txt", encoding="utf-8") as file:
        for line in file:
            if match := re.match(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*([0-9A-F]+)", line):
                for code in range(int(match[1], 16), int(match[2] or match[1], 16) + 1):
                    target = chr(int(match[3], 16))
                    target = found.get(target, target)
                    if target in used:
                        found[chr(code)] = target
    return found


def wrapped(words, separator=" ", limit=112):
    line = ""
    for word in words:
        if line and len(line.encode("utf-16-le")) // 2 + len(word) + 1 > limit:
            yield line
            line = ""
        line += (separator if line else "") + word
    if line:
        yield line


def main():
    mainland, others = (json.load(open(name, encoding="utf-8")) for name in sys.argv[1:3])
    directory = sys.argv[3] if len(sys.argv) > 3 else "/usr/share/unicode"
    names, lines = [], []
    for province, cities in provinces(mainland, others):
        lines.append(written(province) + ":")
        names.append(province)
        for city, counties in cities:
            names += [city, *counties]
            lines += [part if index == 0 else " " + part
                      for index, part in enumerate(wrapped([written(name) for name in [city, *counties]]))]
    pairs = [key + value for key, value in sorted(variants(directory, names).items())]
    for name, content in ("divisions", lines), ("division_variants", wrapped(pairs, "", 100)):
        with open(f"{HERE}/{name}.txt", "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in content)


if __name__ == "__main__":
    main()
