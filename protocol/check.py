#!/usr/bin/python3
"""Checks the OpenRPC document, and checks conversations against it.

  check.py document [--meta-schema PATH]   the document itself, with all its examples
  check.py conversation < LINES            messages against the document
  check.py conversations < LINES           many conversations, each ended by an empty line; its violations are answered at once,
                                           and ended by an empty line too

A conversation has one JSON object per line:

  {"request": {…}, "response": {…}}   a request and its answer; a batch and its answers as two arrays
  {"response": {…}}                   an answer to something that could not be read as a request
  {"notification": {…}}               a notification from either side

"expectInvalid": true beside them says that the parameters are wrong on purpose. The parameters of a request
that was answered with an error are not checked.

The exit status is 0 if everything is valid, 1 if not (each violation on standard output), 2 for wrong arguments.
"""
import argparse
import pathlib
import sys

from openrpc_document import Document, Invalid, parse, violations

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = HERE / "openrpc.json"
META_SCHEMA = HERE.parent.parent / "shared" / "openrpc-meta-schema.json"


def check_document(path=DOCUMENT, meta_schema=META_SCHEMA, tell=print):
    """Returns every problem of the document; tells if there is no meta-schema to check it with."""
    meta = None
    if pathlib.Path(meta_schema).is_file():
        meta = parse(pathlib.Path(meta_schema).read_text(encoding="utf-8"))
    else:
        tell(f"note: no OpenRPC meta-schema at {meta_schema}; checking without it")
    return list(Document.read(path).check(meta))


def check_entry(document, entry):
    """Returns what is wrong with one line of a conversation."""
    known = {"request", "response", "notification", "expectInvalid"}
    if not isinstance(entry, dict) or not set(entry) <= known or not set(entry) & {"response", "notification"}:
        return ["not a line of a conversation: no response and no notification"]
    expect_invalid = entry.get("expectInvalid", False)
    if "notification" in entry:
        return check_notification(document, entry["notification"], expect_invalid)
    request, response = entry.get("request"), entry["response"]
    if isinstance(request, list) and isinstance(response, list):
        return check_batch(document, request, response, expect_invalid)
    return check_exchange(document, request, response, expect_invalid)


def check_batch(document, requests, responses, expect_invalid):
    """Checks a batch: each answer has the id of one request, and every request with an id has an answer."""
    found = []
    waiting = [r for r in requests if not isinstance(r, dict) or "id" in r or "method" not in r]
    for response in responses:
        identity = response.get("id") if isinstance(response, dict) else None
        request = next((r for r in waiting if isinstance(r, dict) and same_id(r.get("id"), identity)), None)
        if request is None:
            request = next((r for r in waiting if not isinstance(r, dict)), None)
        if request is None and not any(request is r for r in waiting):
            found.append(f"batch: an answer with the id {identity!r} of no request")
            continue
        waiting = [r for r in waiting if r is not request]
        found += check_exchange(document, request, response, expect_invalid)
    return found + [f"batch: no answer to {r!r}" for r in waiting]


def given_params(message):
    """Returns the parameters; null, which Emacs's jsonrpc.el sends, and an empty list count as none."""
    params = message.get("params")
    return {} if params is None or params == [] else params


def check_exchange(document, request, response, expect_invalid):
    """Checks a request and its answer; the request is None if it could not be read."""
    name = request.get("method") if isinstance(request, dict) else None
    name = name if isinstance(name, str) else None
    where = name or "unreadable request"
    found = check_envelope(request, response, where)
    if not isinstance(response, dict):
        return found
    if "error" in response:
        return found + check_error(document, name, response["error"], where)
    method = document.methods.get(name)
    if method is None:
        return found + [f"{where}: the document describes no such method"]
    if "result" not in method:
        return found + [f"{where}: a notification was answered"]
    if not expect_invalid:
        found += violations(document.parameter_validators[name], given_params(request), f"{where}, params")
    if "result" in response:
        found += violations(document.result_validators[name], response["result"], f"{where}, result")
    return found


def check_envelope(request, response, where):
    """Checks the members that JSON-RPC 2.0 prescribes for an answer; any other breaks strict clients."""
    if not isinstance(response, dict):
        return [f"{where}: the answer is not an object"]
    found = []
    if response.get("jsonrpc") != "2.0":
        found.append(f"{where}: the answer's jsonrpc is not \"2.0\"")
    if ("result" in response) == ("error" in response):
        found.append(f"{where}: the answer needs either a result or an error")
    for member in sorted(set(response) - {"jsonrpc", "id", "result", "error"}):
        found.append(f"{where}: the answer has the unknown member {member!r}")
    if "id" not in response:
        found.append(f"{where}: the answer has no id")
    elif isinstance(request, dict) and "id" in request and not same_id(request["id"], response["id"]):
        # A malformed request may be answered with the id null.
        if response["id"] is not None or "error" not in response:
            found.append(f"{where}: asked with the id {request['id']!r}, answered with {response['id']!r}")
    return found


def same_id(one, other):
    """Whether two ids are equal; unlike in Python, true is not 1."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def check_error(document, name, error, where):
    """Checks that an error is declared for the method or the connection, with the described data and messages."""
    if not isinstance(error, dict) or not isinstance(error.get("code"), int) or not isinstance(error.get("message"), str):
        return [f"{where}: the error has no code or no message"]
    found = [f"{where}: the error has the unknown member {m!r}" for m in sorted(set(error) - {"code", "message", "data"})]
    data = error.get("data")
    kind = data.get("kind") if isinstance(data, dict) else None
    identity = document.error_names.get((error["code"], kind if isinstance(kind, str) else None))
    if identity is None:
        return found + [f"{where}: the error {error['code']} with the kind {kind!r} is not described"]
    declared = document.connection_errors + document.methods.get(name, {}).get("errors", [])
    if document.errors[identity] not in declared:
        found.append(f"{where}: the method does not declare the error {error['code']} {kind}")
    found += violations(document.error_validators[identity], data, f"{where}, error {kind}, data")
    messages = data.get("messages")
    if isinstance(messages, dict) and error["message"] not in messages.values():
        found.append(f"{where}: the message of {kind} is neither of its two messages")
    return found


def check_notification(document, notification, expect_invalid):
    """Checks a notification from either side."""
    name = notification.get("method") if isinstance(notification, dict) else None
    if not isinstance(name, str) or notification.get("jsonrpc") != "2.0":
        return ["a notification without a method or with a wrong jsonrpc"]
    found = [f"{name}: the notification has the unknown member {m!r}"
             for m in sorted(set(notification) - {"jsonrpc", "method", "params"})]
    method = document.methods.get(name)
    if method is None or "x-direction" not in method:
        return found + ([] if expect_invalid else [f"{name}: the document describes no such notification"])
    if not expect_invalid:
        found += violations(document.parameter_validators[name], given_params(notification), f"{name}, params")
    return found


def check_conversation(lines, document):
    """Yields every violation in the lines, with the number of the line."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            found = check_entry(document, parse(line))
        except Invalid as error:
            found = [str(error)]
        for violation in found:
            yield f"line {number}: {violation}"


def check_conversations(lines, document, answer):
    """Answers the violations of each conversation and an empty line."""
    conversation = []
    for line in lines:
        if line.strip():
            conversation.append(line)
            continue
        answer("".join(f"{violation}\n" for violation in check_conversation(conversation, document)))
        conversation = []


def main(arguments=None):
    """Runs the command line and returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["document", "conversation", "conversations"])
    parser.add_argument("--document", default=DOCUMENT, help="the OpenRPC document (default: the one beside this file)")
    parser.add_argument("--meta-schema", default=META_SCHEMA, help="OpenRPC's meta-schema, for `document`")
    options = parser.parse_args(arguments)
    if not pathlib.Path(options.document).is_file():
        parser.error(f"no document at {options.document}")
    try:
        if options.what == "document":
            found = check_document(options.document, options.meta_schema)
        else:
            document = Document.read(options.document)
            found = list(document.problems)
            if options.what == "conversations":
                check_conversations(sys.stdin, document, lambda text: print(text, flush=True))
            elif not found:
                found = list(check_conversation(sys.stdin, document))
    except Invalid as error:
        found = [f"document: {error}"]
    for violation in found:
        print(violation)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
