"""A client of the payment server's /api: sends requests, and polls a transaction until it is settled."""

import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request


class Problem(Exception):
    """An error response of the payment server: a problem document with `code`, `detail` and `retryable`."""

    def __init__(self, document):
        super().__init__(document.get("detail"))
        self.code = document.get("code", "")
        self.retryable = document.get("retryable", True)


def send(method, path, body=None):
    """Sends a request and returns the JSON answer. Raises a Problem for an error that a retry cannot mend.

    After other failures it repeats the request up to three times, then ends the process with code 75. Repeating is
    safe: the server recognizes the reference in the body and does not pay twice. Never use a new reference for a
    retry: it would be a new payment.
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
    """Returns the transaction at the path, or None if the server has no such transaction."""
    try:
        return send("GET", path)
    except Problem as problem:
        if problem.code.startswith("unknown_"):
            return None
        raise


def follow(path):
    """Polls a transaction every second, for at most a minute, and returns it.

    Returns earlier if it is settled or its outcome is `needs_attention`. With a webhook, polling is not necessary.
    """
    for _ in range(60):
        tracked = send("GET", path)
        if tracked["settled"] or tracked["outcome"] == "needs_attention":
            break
        time.sleep(1)
    return tracked


def finish(tracked):
    """Ends the process with code 0 if the transaction succeeded, 1 if settled otherwise, 75 if not settled.

    After 75, run the same command again later.
    """
    if not tracked["settled"]:
        print("Not settled. Run the same command again, and pay by no other way.", file=sys.stderr)
        sys.exit(75)
    sys.exit(0 if tracked["outcome"] in ("succeeded", "paid") else 1)
