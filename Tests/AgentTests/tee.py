"""Stands between an agent and `quickvault mcp`: passes the messages on, and writes each into a file.

  tee.py LOG PROGRAM [ARGUMENT...]

It is the program that starts the server, so the person is asked about it.
"""
import subprocess
import sys
import threading

log, words = open(sys.argv[1], "ab", 0), sys.argv[2:]
server = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def carry(source, target, mark):
    for line in source:
        log.write(mark + line)
        try:
            target.write(line)
            target.flush()
        except OSError:
            break
    target.close()


threading.Thread(target=carry, args=(sys.stdin.buffer, server.stdin, b"> "), daemon=True).start()
carry(server.stdout, sys.stdout.buffer, b"< ")
sys.exit(server.wait())
