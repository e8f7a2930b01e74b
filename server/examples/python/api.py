"""A client of the payment server's /api: sends requests, and polls until a transaction is settled."""

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
    """Sends a request and returns the JSON response.

    Raises a Problem if a retry cannot help; ends the process with code 75 after four failed attempts.
    """
    # Repeating is safe: the server recognizes the reference in the body and does not pay twice. Never use a new
    # reference for a retry: a new reference is a new payment.
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
    """Returns a transaction, or None if the server does not know the transaction."""
    try:
        return send("GET", path)
    except Problem as problem:
        if problem.code.startswith("unknown_"):
            return None
        raise


def follow(path):
    """Polls every second until the transaction is settled or needs attention, for at most a minute.

    With a webhook, polling is not necessary.
    """
    for _ in range(60):
        tracked = send("GET", path)
        if tracked["settled"] or tracked["outcome"] == "needs_attention":
            break
        time.sleep(1)
    return tracked


def finish(tracked):
    """Ends the process with code 0 after success, 1 after another settled outcome, 75 if not settled.

    After 75, run the same command again later.
    """
    if not tracked["settled"]:
        print("Not settled. Run the same command again, and pay by no other way.", file=sys.stderr)
        sys.exit(75)
    sys.exit(0 if tracked["outcome"] in ("succeeded", "paid") else 1)
