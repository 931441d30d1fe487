#!/usr/bin/python3
"""Makes openrpc.json of the texts in interface/ and of what the sources know.

  interface.py examples         the parameters of the examples of each method, as JSON
  interface.py document < FACTS the document; FACTS is JSON: what requests read, handlers declare, and the errors
  interface.py limits           LIMITS.md with the rows of its table

`make interface` writes both; a Swift test supplies the facts. The texts are blocks, separated by empty lines:

  method card/get               a method, its summary, and after an empty line its description
  - id CardId: The card.        a parameter; its type is only there if the request does not tell it
  = card CardResult             name and type of the result
  ! open card.notFound          the errors: kinds, and names of groups
  ~ | a card | at once          its row in LIMITS.md: largest input and response, what a lock waits for; or `as` and a method
  example A card                an example: the parameters, and after `=` name and value of the result
  type Tag string 1…100         a type, its description, and its members, where `?` marks those that may be absent
  group vault vault.locked …    errors that many methods share

A line that begins with spaces goes on with the one before. Types are words of JSON Schema, names of other types, values, `[T]`
for arrays and `{T}` for objects with any members, `values` for those of the enumeration with the name in Swift, with `|`
between alternatives; then a range of values or lengths, such as `1…100` or `1…title` with a name of the model's limits,
`unique`, a pattern between slashes, and a default after `=`. What this cannot say is JSON Schema after `with`.
"""
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
BASE = {"string": {"type": "string"}, "integer": {"type": "integer"}, "number": {"type": "number"},
        "boolean": {"type": "boolean"}, "null": {"type": "null"}, "object": {"type": "object"}, "any": {}, "values": {"enum": []}}
#: The limits of the model, by the names that ranges use.
BOUNDS = {name: int(number) << int(shift or 0) for name, number, shift in re.findall(
    r"static let (\w+) = ([\d_]+)(?: << (\d+))?",
    (HERE.parent / "Sources/VaultInterface/Model/Values/TextRules.swift").read_text(encoding="utf-8"))}
LIMITS = {"string": "Length", "array": "Items", "integer": "imum"}
#: The longest line of the document.
LINE = 300
FILES = ("about", "session", "vault", "sync", "cards", "attachments", "settings", "types")
HEADS = ("method ", "type ", "example ", "parameters")
ITEMS = ("- ", "= ", "! ", "~ ", "with {")


class Types:
    """Reads types as they are written."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def take(self, pattern):
        found = re.compile(pattern).match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def type(self):
        schemas = [self.alternative()]
        while self.take(r" \| "):
            schemas.append(self.alternative())
        schema = joined(schemas)
        if self.take(r" = "):
            schema["default"] = self.value()
        return schema

    def value(self):
        if self.text[self.at] in '"[{':
            value, self.at = json.JSONDecoder().raw_decode(self.text, self.at)
            return value
        return scalar(self.take(r"[^\s:|\]}]+")[0])

    def alternative(self):
        if self.text.startswith('{"', self.at):
            return self.value()
        if self.take(r"\["):
            schema = {"type": "array", "items": self.type()}
            self.take(r"\]")
        elif self.take(r"\{"):
            schema = {"type": "object", "additionalProperties": self.type()}
            self.take(r"\}")
        else:
            is_quoted = self.text.startswith('"', self.at)
            word = self.value()
            word = "null" if word is None else word
            if is_quoted:
                schema = {"const": word}
            elif isinstance(word, str) and word in BASE:
                schema = dict(BASE[word])
            elif isinstance(word, str) and word[0].isupper():
                schema = {"$ref": f"#/components/schemas/{word}"}
            else:
                schema = {"const": word}
        kind = LIMITS.get(schema.get("type"))
        limits = kind and self.take(r" (-?\d+|[a-z]\w*)?…(-?\d+|[a-z]\w*)?")
        if limits:
            for side, number in zip(("min", "max"), limits.groups()):
                if number:
                    schema[side + kind] = BOUNDS[number] if number in BOUNDS else int(number)
        if self.take(" unique"):
            schema["uniqueItems"] = True
        if self.take(" open"):
            schema["additionalProperties"] = True
        pattern = schema.get("type") == "string" and self.take(r" /(.*)/(?=:|$)")
        if pattern:
            schema["pattern"] = pattern[1]
        return schema


def joined(schemas):
    """One schema for several alternatives."""
    values = [schema["const"] for schema in schemas if "const" in schema]
    if len(values) == len(schemas):
        return {"enum": values} if len(values) > 1 else {"const": values[0]}
    if len(schemas) == 1:
        return schemas[0]
    if all(isinstance(schema.get("type"), str) and len(schema.get("additionalProperties", "")) == 0 for schema in schemas):
        return {**schemas[0], "type": [schema["type"] for schema in schemas]}
    return {"anyOf": schemas}


def scalar(word):
    try:
        return json.loads(word)
    except ValueError:
        return word


def schema_of(text):
    """The schema of a type and its description after a colon."""
    reader = Types(text)
    schema = reader.type()
    rest = text[reader.at:]
    if rest.startswith(": "):
        schema["description"] = rest[2:]
    elif rest:
        raise SystemExit(f"not a type: {text}")
    return schema


def members(lines):
    """The properties that lines describe, and the names of those that are required."""
    properties, required = {}, []
    while lines:
        name, text = re.match(r"- (\S+?)\??(?: (.*))?$", lines[0].strip()).groups()
        is_required = not lines[0].strip()[2:].split(" ")[0].endswith("?")
        depth = len(lines[0]) - len(lines[0].lstrip())
        end = next((i for i in range(1, len(lines)) if len(lines[i]) - len(lines[i].lstrip()) <= depth), len(lines))
        schema = schema_of(text)
        if end > 1:
            add_members(schema if schema.get("type") == "object" else schema["items"], lines[1:end])
        properties[name] = schema
        if is_required:
            required.append(name)
        lines = lines[end:]
    return properties, required


def add_members(schema, lines):
    properties, required = members(lines)
    if required:
        schema["required"] = required
    schema["properties"] = properties
    if schema.setdefault("additionalProperties", False) is True:
        del schema["additionalProperties"]


def blocks():
    """The blocks of all texts: the items of a list, or the lines of a text in one."""
    for name in FILES:
        for block in re.split(r"\n\s*\n", (HERE / "interface" / f"{name}.txt").read_text(encoding="utf-8")):
            lines = []
            for line in block.rstrip().split("\n"):
                if line.startswith("#"):
                    continue
                is_text = len(lines) == 1 and lines[0].startswith(HEADS) and line[0] != " "
                if lines and (is_text or line.startswith(ITEMS) or re.match(" +- ", line)):
                    lines.append(line)
                elif lines:
                    lines[-1] += " " + line.strip()
                elif line:
                    lines.append(line)
            if lines:
                yield lines


class Interface:
    """The document, made of blocks and facts."""

    def __init__(self, facts):
        self.facts, self.methods, self.schemas, self.groups, self.shared = facts, [], {}, {}, {}
        self.info = self.prose = []
        for lines in blocks():
            self.read(lines)

    def read(self, lines):
        """Reads a block; one without a word at its beginning goes on with the text before."""
        word, _, rest = lines[0].partition(" ")
        if word == "info":
            self.info.append(" ".join(lines)[5:])
        elif word == "group":
            name, *kinds = rest.split()
            self.groups[name] = kinds
        elif word == "parameters":
            self.shared = {name: text for name, _, text in map(parameter_line, lines[1:])}
        elif word == "type":
            self.add_type(rest, lines[1:])
        elif word == "method":
            name, _, direction = rest.partition(" ")
            self.prose = []
            self.methods.append({"name": name, "direction": direction, "summary": " ".join(lines[1:]),
                                 "description": self.prose, "body": [], "examples": []})
        elif word == "example":
            self.methods[-1]["examples"].append(example(rest, lines[1:]))
        elif word in ("-", "=", "!", "~", "with"):
            if lines[-1].startswith("~ "):
                self.methods[-1]["limits"] = lines.pop()[2:]
            self.methods[-1]["body"] = lines
        else:
            self.prose.append(" ".join(lines))

    def add_type(self, head, lines):
        name, _, text = head.partition(" ")
        schema = schema_of(text) if text else {"type": "object"}
        if lines and not lines[0].startswith(("- ", "with ")):
            schema["description"] = lines.pop(0)
        extra = json.loads(lines.pop()[5:]) if lines and lines[-1].startswith("with ") else {}
        if lines:
            add_members(schema.get("items", schema), lines)
        self.schemas[name] = {**schema, **extra}

    def document(self):
        self.add_generated()
        methods = [self.method(method) for method in self.methods]
        errors = {component(error["kind"]): described(error) for error in self.facts["errors"]}
        return {"openrpc": "1.3.2", "info": {"title": "QuickVault", "version": "1.0.0", "description": "\n\n".join(self.info)},
                "externalDocs": {"description": "The guide for client authors", "url": "README.md"},
                "x-connectionErrors": self.references(self.groups["connection"]), "methods": methods,
                "components": {"schemas": self.schemas, "errors": errors}}

    def add_generated(self):
        """Adds the types that the tables of the sources tell: data of errors, settings, kinds of messages."""
        for error in self.facts["errors"]:
            if error["data"]:
                fields = [f"- {name}{type_with_reasons(text, error)}" for name, text in error["data"]]
                schema = {"type": "object"}
                add_members(schema, [f"- kind {error['kind']}", "- messages Messages"] + fields)
                self.schemas[component(error["kind"]) + "Data"] = schema
        for method in self.facts["methods"].values():
            for parameter in method["parameters"]:
                for name, words in parameter["words"].items():
                    if self.schemas.get(name, {}).get("enum") == []:
                        self.schemas[name]["enum"] = words
        kinds = [error["kind"] for error in self.facts["errors"] if error["code"] > 0]
        self.schemas["ApplicationErrorKind"] = {"enum": kinds}
        self.schemas["ActionEvent"] = {"enum": self.facts["events"]}
        self.settings = properties = {}
        for setting in self.facts["settings"]:
            name, schema = setting["name"], setting_schema(setting)
            outer, _, inner = name.partition(".")
            if inner:
                place = properties.setdefault(outer, {"type": "object", "properties": {}, "additionalProperties": False})
                place["properties"][inner] = schema
            elif setting["kind"] == "flag":
                properties[name] = schema
            else:
                type_name = name[0].upper() + name[1:]
                self.schemas[type_name] = {**schema, **self.schemas.get(type_name, {})}
                properties[name] = {"$ref": f"#/components/schemas/{type_name}", "description": schema["description"]}
        self.schemas["Settings"] = {"type": "object", "required": list(properties), "properties": properties,
                                    "additionalProperties": False}

    def method(self, method):
        name, facts = method["name"], self.facts["methods"].get(method["name"])
        lines = method["body"]
        extra = json.loads(lines.pop()[5:]) if lines and lines[-1].startswith("with ") else None
        errors = lines.pop()[2:].split() if lines and lines[-1].startswith("! ") else []
        result = next((i for i, line in enumerate(lines) if line.startswith("= ")), None)
        given = lines if result is None else lines[:result]
        directions = {"from client": "clientToServer", "to client": "serverToClient"}
        made = {"name": name, "summary": method["summary"], "description": "\n\n".join(method["description"])}
        if not made["description"]:
            del made["description"]
        if method["direction"]:
            made["x-direction"] = directions[method["direction"]]
        made["x-needsUnlock"] = "open" in errors or "unlocked" in errors
        # Only the connection answers a request that is not registered.
        made["x-activity"] = facts["activity"] if facts else not method["direction"]
        if facts and facts["open"]:
            made["x-additionalParameters"] = True
        made["paramStructure"] = "by-name"
        made["params"] = self.parameters(name, given, facts)
        if extra is not None:
            made["x-paramsSchema"] = extra
        if result is not None:
            made["result"] = self.result(lines[result:])
        if not method["direction"]:
            made["errors"] = self.errors(errors, facts)
        made["examples"] = method["examples"]
        return made

    def result(self, lines):
        if lines[0] == "= null":
            return {"name": "nothing", "schema": {"type": "null"}}
        name, text = lines[0][2:].split(" ", 1)
        schema = schema_of(text)
        if len(lines) > 1:
            add_members(schema, lines[1:])
        return {"name": name, "schema": schema}

    def errors(self, names, facts):
        prompts = ["pinentry"] if facts and facts["prompts"] else []
        kinds = [kind for name in ["every", *names, *prompts] for kind in self.groups.get(name, [name]) if name[0] != "-"]
        return self.references([kind for kind in dict.fromkeys(kinds) if f"-{kind}" not in names])

    def references(self, kinds):
        known = {error["kind"] for error in self.facts["errors"]}
        for kind in kinds:
            if kind not in known:
                raise SystemExit(f"no such error: {kind}")
        return [{"$ref": f"#/components/errors/{component(kind)}"} for kind in kinds]

    def parameters(self, method, lines, facts):
        """The parameters, those that are required first; what the lines leave open is what the request reads."""
        read = {parameter["name"]: parameter for parameter in facts["parameters"]} if facts else {}
        texts, nested = {}, {}
        for line in lines:
            if line.startswith(" "):
                nested[name].append(line)
                continue
            name, mark, text = parameter_line(line)
            texts[name], nested[name] = (mark, text), []
        made = []
        for name in [*texts, *(name for name in read if name not in texts)]:
            parameter = read.get(name)
            mark, text = texts.get(name, ("", ""))
            shared = self.shared.get(name, "")
            kind = type_part(text) or parameter and type_part(shared)
            summary = text[len(type_part(text)):] or shared[len(type_part(shared)):]
            if not kind and parameter is None:
                raise SystemExit(f"{method}: {name} has no type, and the request does not read it")
            if not text and name in self.settings and facts["settings"]:
                schema = {key: value for key, value in self.settings[name].items() if key not in ("description", "default")}
                summary = ": " + self.settings[name]["description"]
            else:
                schema = schema_of(kind) if kind else self.read_schema(parameter, facts["prompts"])
            if nested.get(name):
                add_members(schema, nested[name])
            if not summary[2:]:
                raise SystemExit(f"{method}: the parameter {name} has no text")
            required = mark == "!" or mark == "" and (parameter is None or parameter["required"])
            made.append({"name": name, "summary": summary[2:], **({"required": True} if required else {}), "schema": schema})
        return sorted(made, key=lambda parameter: "required" not in parameter)

    def read_schema(self, parameter, prompts):
        text = parameter["type"]
        for name, words in parameter.get("words", {}).items():
            if name not in self.schemas:
                text = text.replace(name, " | ".join(words + (["pinentry"] if parameter["name"] == "method" and prompts else [])))
        schema = schema_of(text + parameter.get("range", ""))
        if "default" in parameter:
            schema["default"] = parameter["default"]
        return schema


def parameter_line(line):
    """Name, mark, and type and text of a parameter."""
    name, mark, text = re.match(r"- ([^\s:?!]+)([?!]?)(.*)$", line).groups()
    return name, mark, text.removeprefix(" ")


def type_part(text):
    """The type before a colon, which may be missing."""
    if not text or text.startswith(":"):
        return ""
    reader = Types(text)
    reader.type()
    return text[:reader.at]


def limits():
    """LIMITS.md with a row for the methods that have the same limits."""
    told = {method["name"]: method["limits"] for method in Interface({}).methods if "limits" in method}
    rows = {}
    for name in told:
        first = name
        while told[first].startswith("as "):
            first = told[first][3:]
        rows.setdefault(first, []).append(f"`{name}`")
    page = (HERE / "LIMITS.md").read_text(encoding="utf-8")
    start, end = re.search(r"\n\| method \|.*\n.*\n", page).end(), page.index("\n\nThe aim is")
    lines = [f"| {', '.join(names)} | {told[first]} |".replace("|  |", "| |") for first, names in rows.items()]
    return page[:start] + "\n".join(lines) + page[end:]


def component(kind):
    """The name of an error in the document: of `vault.locked`, `vaultLocked`."""
    area, name = kind.split(".")
    return name if area == "rpc" else area + name[0].upper() + name[1:]


def described(error):
    return {"code": error["code"], "message": error["data_example"]["messages"]["en"], "data": error["data_example"]}


def type_with_reasons(text, error):
    """The type of a member of an error's data; that of the reason is the list of reasons unless it is written."""
    return text if not text.lstrip().startswith(":") and text.strip() else " " + " | ".join(error["reasons"]) + text.strip()


def setting_schema(setting):
    schema = {"description": setting["help"], "default": setting["default"]}
    if setting["kind"] == "flag":
        return {"type": "boolean", **schema}
    if setting["kind"] == "seconds":
        return {"type": ["integer", "null"], "minimum": setting["minimum"], "maximum": setting["maximum"], **schema}
    if setting["kind"] == "count":
        return {"type": "integer", "minimum": setting["minimum"], "maximum": setting["maximum"], **schema}
    if setting["kind"] == "choice":
        return {"enum": [choice["value"] for choice in setting["choices"]], **schema}
    if setting["kind"] == "tag":
        return {"anyOf": [{"$ref": "#/components/schemas/Tag"}, {"type": "null"}], **schema}
    return {"$ref": "#/components/schemas/CopyTemplate"}


def example(head, lines):
    name, _, description = head.partition(". ")
    at = next((i for i, line in enumerate(lines) if line.startswith("= ")), len(lines))
    made = {"name": name, "params": [{"name": key, "value": value} for key, value in json.loads(" ".join(lines[:at])).items()]}
    if description:
        made["description"] = description
    if at < len(lines):
        title, _, value = " ".join(lines[at:])[2:].partition(":")
        made["result"] = {"name": title, "value": json.loads(value)}
    return made


def written(value, indentation=""):
    """JSON with as much on a line as has place."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indentation) + len(line) <= LINE or not isinstance(value, (dict, list)) or not value:
        return line
    inner = indentation + "  "
    texts = ([f"{json.dumps(key, ensure_ascii=False)}: {written(part, inner)}" for key, part in value.items()]
             if isinstance(value, dict) else [written(part, inner) for part in value])
    rows = []
    for text in texts:
        if rows and "\n" not in text + rows[-1] and len(inner) + len(rows[-1]) + len(text) + 2 <= LINE:
            rows[-1] += ", " + text
        else:
            rows.append(text)
    start, end = "{}" if isinstance(value, dict) else "[]"
    return f"{start}\n{inner}" + f",\n{inner}".join(rows) + f"\n{indentation}{end}"


def main(what):
    if what == "examples":
        print(json.dumps({method["name"]: [{p["name"]: p["value"] for p in example["params"]} for example in method["examples"]]
                          for method in Interface({}).methods}, ensure_ascii=False))
    elif what == "limits":
        print(limits(), end="")
    else:
        print(written(Interface(json.load(sys.stdin)).document()))


if __name__ == "__main__":
    if sys.argv[1:] not in (["examples"], ["document"], ["limits"]):
        sys.exit(__doc__)
    main(sys.argv[1])
