"""Checks messages of a server against the model of LSP 3.17: every member is known, and every value has its type."""

import json
import pathlib

MODEL = json.loads(pathlib.Path(__file__).with_name("lsp-3.17.json").read_text(encoding="utf-8"))
STAGES = {"begin": "WorkDoneProgressBegin", "report": "WorkDoneProgressReport", "end": "WorkDoneProgressEnd"}


class Mismatch(AssertionError):
    """A message that the protocol does not have."""


def check_params(method, params):
    """Checks the parameters of a request or a notification of the server."""
    described = MODEL["requests"].get(method) or MODEL["notifications"].get(method)
    if described is None or "params" not in described:
        raise Mismatch(f"{method}: a server does not send this")
    check(params, described["params"], method)
    if method == "$/progress":
        check(params["value"], {"kind": "reference", "name": STAGES[params["value"]["kind"]]}, method)


def check_result(method, result):
    """Checks the answer to a request of the protocol; others have their own descriptions."""
    if method in MODEL["requests"]:
        check(result, MODEL["requests"][method]["result"], method)


def check(value, kind, path):
    """Raises `Mismatch` unless a value is of a type of the model."""
    if not matches(value, kind, path):
        raise Mismatch(f"{path}: {json.dumps(value, ensure_ascii=False)[:200]} is no {name_of(kind)}")


def name_of(kind):
    return kind.get("name") or kind["kind"]


def fits(value, kind, path):
    try:
        return matches(value, kind, path)
    except Mismatch:
        return False


def base(value, name):
    if name == "null":
        return value is None
    if name == "boolean":
        return isinstance(value, bool)
    if name in ("integer", "uinteger"):
        return isinstance(value, int) and not isinstance(value, bool) and (-1 if name == "integer" else 0) << 31 <= value < 1 << 31
    if name == "decimal":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, str)


def matches(value, kind, path):
    sort = kind["kind"]
    if sort == "base":
        return base(value, kind["name"])
    if sort == "reference":
        return reference(value, kind["name"], path)
    if sort == "array":
        if not isinstance(value, list):
            return False
        for number, element in enumerate(value):
            check(element, kind["element"], f"{path}[{number}]")
        return True
    if sort == "map":
        return isinstance(value, dict) and all(
            fits(key, kind["key"], path) and fits(element, kind["value"], f"{path}.{key}") for key, element in value.items())
    if sort == "or":
        if any(fits(value, item, path) for item in kind["items"]):
            return True
        # What is wrong is best told by the only one that has the right form.
        for item in kind["items"]:
            if isinstance(value, dict) and item["kind"] == "reference":
                check(value, item, path)
        return False
    if sort == "literal":
        return structure(value, kind["value"]["properties"], path)
    if sort == "tuple":
        return isinstance(value, list) and len(value) == len(kind["items"]) and all(
            fits(element, item, path) for element, item in zip(value, kind["items"]))
    if sort.endswith("Literal"):
        return value == kind["value"]
    raise Mismatch(f"{path}: unknown kind {sort}")


def reference(value, name, path):
    if name in ("LSPAny", "LSPObject", "LSPArray"):
        return True
    if name in MODEL["typeAliases"]:
        return matches(value, MODEL["typeAliases"][name]["type"], path)
    if name in MODEL["enumerations"]:
        described = MODEL["enumerations"][name]
        return value in described["values"] or described["custom"] and base(value, described["type"]["name"])
    return structure(value, properties(name), path)


def properties(name):
    described = MODEL["structures"][name]
    inherited = [properties(kind["name"]) for kind in described.get("extends", []) + described.get("mixins", [])]
    return [member for members in inherited for member in members] + described["properties"]


def structure(value, members, path):
    if not isinstance(value, dict):
        return False
    known = {member["name"]: member for member in members}
    for name in value:
        if name not in known:
            raise Mismatch(f"{path}.{name}: unknown member")
        check(value[name], known[name]["type"], f"{path}.{name}")
    for name, member in known.items():
        if name not in value and not member.get("optional"):
            raise Mismatch(f"{path}.{name}: missing")
    return True
