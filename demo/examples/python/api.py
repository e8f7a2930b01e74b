"""The payment server's /api: a request is sent once under your reference, then followed to its end."""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request


class Problem(Exception):
    """What the payment server refused, in its own words: a document with `code`, `detail` and `retryable`."""

    def __init__(self, document):
        super().__init__(document.get("detail"))
        self.code = document.get("code", "")
        self.retryable = document.get("retryable", True)


def send(method, path, body=None):
    """Repeats the same request while no answer comes.

    That pays nothing twice: the server knows the reference in it. A new reference would be a new payment, so never
    make one up because an answer is missing.
    """
    for attempt in range(4):
        time.sleep(attempt)
        try:
            return ask(method, path, body)
        except (Problem, OSError, ValueError, http.client.HTTPException) as error:
            if isinstance(error, Problem) and not error.retryable:
                raise
            print(f"No answer: {error}", file=sys.stderr)
    print("Not known yet. Run the same command again, and pay by no other way.", file=sys.stderr)
    sys.exit(75)


def ask(method, path, body):
    request = urllib.request.Request(
        os.environ["PUBLIC_URL"] + "/api" + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["MERCHANT_API_KEY"],
            "Content-Type": "application/json",
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refusal:
        raise Problem(json.load(refusal)) from None


def find(path):
    """What the server knows of this reference; None when it was never sent."""
    try:
        return send("GET", path)
    except Problem as problem:
        if problem.code.startswith("unknown_"):
            return None
        raise


def follow(path):
    """Polls for at most a minute, until the outcome is settled or needs a person. A webhook needs no polling."""
    for _ in range(60):
        tracked = send("GET", path)
        if tracked["settled"] or tracked["outcome"] == "needs_attention":
            break
        time.sleep(1)
    return tracked


def finish(tracked):
    """Exit code 0: it succeeded. 1: it ended otherwise. 75: not settled, so run the same command again later."""
    if not tracked["settled"]:
        print("Not settled. Run the same command again, and pay by no other way.", file=sys.stderr)
        sys.exit(75)
    sys.exit(0 if tracked["outcome"] in ("succeeded", "paid") else 1)
