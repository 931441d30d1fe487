#!/usr/bin/python3
"""X: imports fixtures of other projects' importers, and checks that every value is kept or named (see fixtures.txt).

    Tests/Importers/check.py FOLDER

FOLDER has a clone of each repository that fixtures.txt names, as OWNER/NAME; any commit will do. Nothing of them is copied
into this repository. Each file is imported in a dry run. It either is refused in words, or all its values are accounted for:
total = kept + named, and lost is 0.
"""

import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import programs  # noqa: E402


class Vault:
    """An empty vault behind the program's pipes."""

    def __init__(self, folder):
        self.count = 0
        self.process = subprocess.Popen(
            [programs.program("quickvault"), "--vault", f"{folder}/fixtures.quickvault"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "LC_ALL": "C.UTF-8"})
        derivation = {"algorithm": "pbkdf2-hmac-sha256", "iterations": 100000}
        self.call("vault/create", {"password": "twelve fixtures a day", "kdf": derivation})

    def call(self, method, parameters):
        """The answer to a request."""
        self.count += 1
        request = {"jsonrpc": "2.0", "id": self.count, "method": method, "params": parameters}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.count:
                return answer
        raise AssertionError("the program ended")

    def close(self):
        self.process.stdin.close()
        return self.process.wait()


def fixtures():
    """The repository and the path of each file."""
    repository = None
    for line in (HERE / "fixtures.txt").read_text().splitlines():
        if line.startswith("# "):
            continue
        if line.startswith(" "):
            yield repository, line.strip()
        elif line:
            repository = line


def content(folder, repository, path):
    """A file of a clone, with or without a work tree."""
    clone = folder / repository
    if (clone / path).is_file():
        return (clone / path).read_bytes()
    return subprocess.run(["git", "-C", str(clone), "show", f"HEAD:{path}"], check=True, capture_output=True).stdout


def main():
    folder = pathlib.Path(sys.argv[1])
    verbose = "-v" in sys.argv
    wrong, files, refused, sums = [], 0, 0, [0, 0, 0]
    with tempfile.TemporaryDirectory() as scratch:
        vault = Vault(scratch)
        for repository, path in fixtures():
            data = base64.b64encode(content(folder, repository, path)).decode()
            answer = vault.call("vault/import", {"data": data, "dryRun": True, "onError": "skip"})
            files += 1
            if "error" in answer:
                refused += 1
                error = answer["error"]
                if verbose:
                    print(f"{path}: {error['message']}")
                if not error["data"]["kind"].startswith("import."):
                    wrong.append(f"{repository} {path}: {error['message']}")
                continue
            report = answer["result"]
            values = report["values"]
            sums = [total + values[name] for total, name in zip(sums, ("total", "kept", "named"))]
            if verbose:
                print(f"{path}: {report.get('source', '')} {report['total']} {values}"
                      + "".join(f"\n  ! {warning['message']}" for warning in report["warnings"]))
            if values["lost"] != 0 or values["total"] != values["kept"] + values["named"]:
                wrong.append(f"{repository} {path}: {values}")
        status = vault.close()
    print(f"{files} files, {refused} refused; values: {sums[0]}, kept {sums[1]}, named {sums[2]}")
    print("\n".join(wrong))
    return 1 if wrong or status != 0 or files < 300 else 0


if __name__ == "__main__":
    sys.exit(main())
