"""A server on loopback that a vault is carried to: prints what to sign in with, one fact a line, and ends with its input.

account_server.py password    # the URL, of rclone
account_server.py tls         # the URL, of Apache, and the file of the authority of its certificate
account_server.py forgetful   # the URL, of a Nextcloud that waits for a line of input, and fails to forget a sign-in
account_server.py device      # the URL, the provider's, the client and the scope; waits for a line with the page's URL and its code
account_server.py code        # the same; waits for a line with the page's URL
"""

import sys

import dav
import provider
import unforgetting


def run(server, facts, let_in):
    try:
        print(*facts, sep="\n", flush=True)
        for line in sys.stdin:
            let_in(line.strip())
    finally:
        server.stop()


def password():
    server = dav.Server("rclone")
    run(server, [server.url], lambda _: None)


def tls():
    server = dav.Server("apache-tls")
    run(server, [server.url, server.certificate], lambda _: None)


def forgetful():
    server = unforgetting.UnforgettingCloud()
    poll = "POST", "/index.php/login/v2/poll"
    answer = server.answers[poll]
    server.answers[poll] = lambda *_: (404, [])
    run(server, [server.url], lambda _: server.answers.update({poll: answer}))


def openid(let_in):
    identity = provider.Provider()
    try:
        server = dav.Server("apache-oauth2", identity)
        run(server, [server.url, identity.issuer, provider.CLIENT, provider.SCOPE], lambda line: let_in(identity, line))
    finally:
        identity.stop()


def device():
    openid(lambda identity, line: identity.approve_device({"urlWithCode": line}))


def code():
    openid(lambda identity, line: identity.approve_code({"url": line}))


globals()[sys.argv[1]]()
