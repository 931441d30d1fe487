"""The OpenRPC document as validators for parameters, results and error data.

References are resolved once, when the document is read: a broken one is found at once, and validating is fast.
"""
import json

from jsonschema import Draft7Validator, Draft202012Validator, RefResolver
from jsonschema.exceptions import SchemaError, best_match

META = "https://meta.json-schema.tools"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"


class Invalid(ValueError):
    """Malformed JSON, a member that appears twice, NaN or Infinity."""


def parse(text):
    """Parses JSON, and refuses what Python's parser tolerates."""
    def once(pairs):
        value = dict(pairs)
        if len(value) != len(pairs):
            raise Invalid("a member appears twice")
        return value

    def no_constant(name):
        raise Invalid(f"{name} is not JSON")

    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=no_constant)
    except json.JSONDecodeError as error:
        raise Invalid(f"not JSON: {error}") from error


def violations(validator, value, where):
    """Yields what is wrong with the value, with the path of each place."""
    for error in validator.iter_errors(value):
        deepest = best_match([error])
        path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in deepest.absolute_path)
        message = deepest.message if len(deepest.message) <= 300 else deepest.message[:300] + " …"
        yield f"{where}{path}: {message}"


class Document:
    """An OpenRPC document with its references resolved."""

    def __init__(self, raw):
        self.raw = raw
        self.problems = []
        self.resolved_by_reference = {}
        self.methods = {}
        components = raw.get("components", {})
        self.schemas = self.resolve(components.get("schemas", {}), "components/schemas")
        self.errors = self.resolve(components.get("errors", {}), "components/errors")
        self.connection_errors = self.resolve(raw.get("x-connectionErrors", []), "x-connectionErrors")
        for index, method in enumerate(self.resolve(raw.get("methods", []), "methods")):
            name = method.get("name", f"methods[{index}]")
            if name in self.methods:
                self.problems.append(f"{name}: described twice")
            self.methods[name] = method
        self.parameter_validators = {n: self.validator(self.parameter_schema(m), f"{n} parameters")
                                     for n, m in self.methods.items()}
        self.result_validators = {n: self.validator(m["result"].get("schema", False), f"{n} result")
                                  for n, m in self.methods.items() if "result" in m}
        self.error_validators = {n: self.validator(self.schemas.get(n + "Data", self.schemas.get("ErrorData", True)),
                                                   f"error {n}") for n in self.errors}
        self.error_names = {(e.get("code"), (e.get("data") or {}).get("kind")): n
                            for n, e in self.errors.items()}

    @classmethod
    def read(cls, path):
        """Reads the document from a file."""
        with open(path, encoding="utf-8") as file:
            return cls(parse(file.read()))

    def resolve(self, value, where, under_way=()):
        """Returns the value with every local reference replaced by its target."""
        if isinstance(value, list):
            return [self.resolve(item, f"{where}[{i}]", under_way) for i, item in enumerate(value)]
        if not isinstance(value, dict):
            return value
        reference = value.get("$ref")
        if not isinstance(reference, str):
            return {k: self.resolve(v, f"{where}/{k}", under_way) for k, v in value.items()}
        if reference not in self.resolved_by_reference:
            if reference in under_way:
                self.problems.append(f"{where}: {reference} leads back to itself")
                return {}
            target = self.target(reference)
            if target is None:
                self.problems.append(f"{where}: {reference} points to nothing")
                return {}
            self.resolved_by_reference[reference] = self.resolve(target, where, under_way + (reference,))
        return self.resolved_by_reference[reference]

    def target(self, reference):
        """Returns the target of a local reference, or None."""
        value = self.raw
        if not reference.startswith("#/"):
            return None
        for part in reference[2:].split("/"):
            part = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(value, dict) or part not in value:
                return None
            value = value[part]
        return value

    def validator(self, schema, where):
        """Returns a validator for the schema, and notes an invalid schema as a problem."""
        try:
            # Tools for OpenRPC read either draft.
            Draft7Validator.check_schema(schema)
            Draft202012Validator.check_schema(schema)
        except SchemaError as error:
            self.problems.append(f"{where}: not a JSON Schema: {error.message}")
            return Draft7Validator(True)
        return Draft7Validator(schema)

    @staticmethod
    def parameter_schema(method):
        """Returns one schema for all parameters of a method."""
        parameters = [p for p in method.get("params", []) if "name" in p]
        return {
            "type": "object",
            "properties": {p["name"]: p.get("schema", False) for p in parameters},
            "required": [p["name"] for p in parameters if p.get("required")],
            "additionalProperties": method.get("x-additionalParameters", False),
            "allOf": [method.get("x-paramsSchema", True)],
        }

    def check(self, meta_schema=None):
        """Yields every problem of the document; checks it against the meta-schema if one is given."""
        yield from self.problems
        if meta_schema is not None:
            yield from violations(meta_validator(meta_schema), self.raw, "document")
        for name, method in self.methods.items():
            yield from check_form(name, method)
            for example in method.get("examples", []):
                yield from self.check_example(name, method, f"{name}, example {example.get('name')!r}", example)
        for name, error in self.errors.items():
            yield from violations(self.error_validators[name], error.get("data"), f"error {name}, data")
            if error.get("message") != ((error.get("data") or {}).get("messages") or {}).get("en"):
                yield f"error {name}: message is not the English one of its data"
        if len(self.error_names) != len(self.errors):
            yield "errors: two have the same code and kind"
        yield from self.unused()

    def check_example(self, name, method, where, example):
        """Yields what is wrong with one example."""
        given = [p.get("name") for p in example.get("params", [])]
        if len(set(given)) != len(given):
            yield f"{where}: a parameter appears twice"
        params = {p.get("name"): p.get("value") for p in example.get("params", [])}
        yield from violations(self.parameter_validators[name], params, f"{where}, params")
        if ("result" in example) != ("result" in method):
            yield f"{where}: either the example or the method has a result, not both"
        elif "result" in example:
            yield from violations(self.result_validators[name], example["result"].get("value"), f"{where}, result")

    def unused(self):
        """Yields the components that nothing refers to."""
        text = json.dumps(self.raw)
        for kind in ("schemas", "errors"):
            for name in getattr(self, kind):
                implied = kind == "schemas" and (name == "ErrorData" or name[:-4] in self.errors)
                if not implied and f'"#/components/{kind}/{name}"' not in text:
                    yield f"components/{kind}/{name}: used nowhere"


def check_form(name, method):
    """Yields what a method lacks beyond the requirements of the meta-schema."""
    for member in ("summary", "params", "examples", "x-needsUnlock", "x-activity"):
        if member not in method or method[member] in ("", None) or (member == "examples" and not method[member]):
            yield f"{name}: has no {member}"
    for member in ("x-needsUnlock", "x-activity"):
        if not isinstance(method.get(member, True), bool):
            yield f"{name}: {member} is not true or false"
    if method.get("paramStructure") != "by-name":
        yield f"{name}: paramStructure is not by-name"
    names = [p.get("name") for p in method.get("params", [])]
    if len(set(names)) != len(names):
        yield f"{name}: a parameter is described twice"
    required = [bool(p.get("required")) for p in method.get("params", [])]
    if required != sorted(required, reverse=True):
        yield f"{name}: a required parameter is behind an optional one"
    if "x-direction" in method:
        if method["x-direction"] not in ("clientToServer", "serverToClient"):
            yield f"{name}: x-direction is neither clientToServer nor serverToClient"
        if "errors" in method or "result" in method and method["x-direction"] == "clientToServer":
            yield f"{name}: a notification has no result and no errors"
    elif "result" not in method or not method.get("errors"):
        yield f"{name}: a request has a result and errors"


def meta_validator(meta_schema):
    """Returns a validator for OpenRPC documents that takes JSON Schema's own schema from the library."""
    json_schema = {
        "anyOf": [{"type": "boolean"}, {"$ref": DRAFT_7}],
        "definitions": {"JSONSchemaObject": {"properties": {"$ref": {"type": "string", "format": "uri-reference"}}}},
    }
    store = {META: json_schema, META + "/": json_schema, DRAFT_7: Draft7Validator.META_SCHEMA}
    resolver = RefResolver(meta_schema.get("$id", ""), meta_schema, store=store, handlers={"https": no_network, "http": no_network})
    return Draft7Validator(meta_schema, resolver=resolver)


def no_network(address):
    """Refuses to fetch anything, so that the check gives the same result on every machine."""
    raise LookupError(f"the meta-schema refers to {address}, which is not available")
