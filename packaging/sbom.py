#!/usr/bin/python3
"""Writes the software bill of materials of a program to standard output, as SPDX 2.3 in JSON.

    sbom.py NAME VERSION SECONDS PROGRAM     SECONDS: the time of the source, since 1970

It lists what is linked into the program and the Debian packages of the shared libraries that it loads. The same program on
the same system gives the same bytes.
"""
import datetime
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

LICENSE = "Apache-2.0"
# The version that Sources/CText/readings.inc was made from.
UNIHAN = "15.0.0"
# The release of zxcvbn for Python whose list of passwords is in the sources.
ZXCVBN = "4.5.0"


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def package(identifier, name, version, license, *references, **more):
    return {
        "SPDXID": "SPDXRef-" + re.sub("[^A-Za-z0-9.-]", "-", identifier), "name": name, "versionInfo": version,
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "NOASSERTION",
        "licenseDeclared": license, "copyrightText": "NOASSERTION", **more,
        **({"externalRefs": [
            {"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": reference}
            for reference in references]} if references else {}),
    }


def shared_libraries(program):
    """The Debian packages of the libraries that the program names, each once."""
    found = {}
    for line in output("ldd", program).splitlines():
        match = re.match(r"\s*(\S+) => (/\S+)", line)
        if match and match[1] in needed(program):
            # dpkg knows a file by the path it was installed under, which may lie behind a link such as /lib.
            names = {match[2], os.path.realpath(match[2]), match[2].removeprefix("/usr"), "/usr" + match[2]}
            owner = subprocess.run(["dpkg-query", "-S", *sorted(names)], capture_output=True, text=True).stdout
            name, version, architecture = output(
                "dpkg-query", "-W", "-f", "${source:Package}\t${Version}\t${Architecture}\n",
                owner.splitlines()[0].split(": ")[0]).splitlines()[0].split("\t")
            binary = owner.split(":")[0]
            found[binary] = package(
                "Library-" + binary, binary, version, "NOASSERTION",
                f"pkg:deb/debian/{binary}@{version}?arch={architecture}", sourceInfo=f"Debian source package {name}")
    return [found[name] for name in sorted(found)]


def needed(program):
    return re.findall(r"\(NEEDED\).*\[(.*)\]", output("readelf", "-d", program))


def compiled_in(name):
    """What the program contains that others wrote."""
    swift = re.search(r"Swift version (\S+)", output("swift", "--version"))[1]
    yield package("Swift-runtime", "Swift runtime library", swift, "Apache-2.0 WITH Swift-exception",
                  f"pkg:swift/github.com/swiftlang/swift@{swift}")
    if name == "quickvault":
        yield package("Unihan", "Readings of the Unicode Han Database", UNIHAN, "Unicode-DFS-2016")
        yield package("zxcvbn", "Common passwords of zxcvbn", ZXCVBN, "MIT", f"pkg:pypi/zxcvbn@{ZXCVBN}")


def document(name, version, seconds, program):
    digest = hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()
    built_in, libraries = list(compiled_in(name)), shared_libraries(program)
    this = package("Package", name, version, LICENSE, checksums=[{"algorithm": "SHA256", "checksumValue": digest}],
                   primaryPackagePurpose="APPLICATION")
    described = {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"{name}-{version}",
        "creationInfo": {
            "created": datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: quickvault-sbom"]},
        "packages": [this, *built_in, *libraries],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": this["SPDXID"]},
            *[{"spdxElementId": this["SPDXID"], "relationshipType": kind, "relatedSpdxElement": other["SPDXID"]}
              for kind, others in [("CONTAINS", built_in), ("DYNAMIC_LINK", libraries)] for other in others]],
    }
    contents = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(described, sort_keys=True))
    return {**described, "documentNamespace": f"urn:uuid:{contents}"}


if __name__ == "__main__":
    name, version, seconds, program = sys.argv[1:]
    json.dump(document(name, version, int(seconds), program), sys.stdout, indent=2)
    print()
