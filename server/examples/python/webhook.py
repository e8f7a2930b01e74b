"""Receives the payment server's events.  PORT=8081 INBOX=inbox python3 webhook.py"""

import base64
import hashlib
import hmac
import json
import os
import threading
import time
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

INBOX = Path(os.environ["INBOX"])
KEY = base64.b64decode(os.environ["MERCHANT_WEBHOOK_SECRET"].removeprefix("whsec_"))
if len(KEY) < 24:
    raise SystemExit("MERCHANT_WEBHOOK_SECRET has fewer than 24 bytes, so anybody could sign.")

OLDEST_SECONDS = 300
LARGEST_BODY = 1_000_000
# No money came.
NEED_NOBODY = ("ping", "checkout.unpaid", "checkout.expired")

# What the orders of the shop cost now, without those that it has cancelled. Replace this with your database, whose decimal
# column gives "1500.00".
TERMS = {"amount": "1500.00", "currency": "KES"}
ORDERS = {"A-1042": TERMS, "INV/2026/0042": TERMS}


def is_genuine(headers, body):
    """Returns whether the event is signed by Standard Webhooks, and its timestamp is at most five minutes from now.

    The signature is HMAC-SHA256 over id, timestamp and the unparsed body.
    """
    moment = headers.get("webhook-timestamp", "")
    if not moment.isdecimal() or abs(time.time() - int(moment)) > OLDEST_SECONDS:
        return False

    signed = f"{headers.get('webhook-id', '')}.{moment}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    # While a secret is being replaced, the header contains one signature for each secret.
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(each, expected) for each in given)


def write(terms):
    """Writes an amount as a number: 1500 and 1500.00 are equal."""
    if not terms:
        return "unknown"

    return f"{Decimal(str(terms['amount'])).normalize():f} {terms['currency']}"


def take(event_id, body):
    """Fulfils a paid order once, and keeps what a person has to look at."""
    event = json.loads(body)
    if event["type"] not in ("checkout.paid", "checkout.paid_late"):
        # Reversed, refunded, in part: see Events in server/README.md. Whoever ships looks for these, too.
        if event["type"] not in NEED_NOBODY:
            review(event_id, body, f"{event['type']}: look at it")

        return

    data = event["data"]
    order = data["order"]
    payment = data["merchant_transaction_id"]

    # The price may have changed since the page was rendered, and an event may be about no order of yours.
    paid = write(data)
    now = write(ORDERS.get(order))
    if paid != now:
        review(event_id, body, f"paid {paid}, order {now}: look at {order}")
        return

    # This file marks the order as paid: no second event fulfils it. Its name is a digest, because a reference may be a path,
    # or too long for a name.
    mark = hashlib.sha256(order.encode()).hexdigest() + ".paid"
    if keep(mark, payment.encode()):
        print(f"fulfil {order}: {data['amount_paid']} {data['currency']}", flush=True)
    elif (INBOX / mark).read_text() != payment:
        review(event_id, body, f"paid again: look at {order}")


def review(event_id, body, what):
    """Keeps for a person what no program decides: a second payment goes back. A repeated event is the same file."""
    if keep(f"{event_id}.json", body):
        print(what, flush=True)


def keep(name, content):
    """Stores a file in INBOX, and returns whether it is new. `link` is atomic, so INBOX has only complete files.

    With a database: one transaction for the event, the order and what follows, before you answer.
    """
    draft = INBOX / f"{name}.{threading.get_ident()}.draft"
    draft.write_bytes(content)
    try:
        os.link(draft, INBOX / name)
        return True
    except FileExistsError:
        return False
    finally:
        draft.unlink()


class Webhook(BaseHTTPRequestHandler):
    def do_POST(self):
        # The server delivers the event again later.
        status = 500
        try:
            length = int(self.headers["content-length"])
            body = self.rfile.read(length) if 0 <= length <= LARGEST_BODY else b""
            status = 204 if is_genuine(self.headers, body) else 401
            if status == 204:
                take(self.headers["webhook-id"], body)
        except Exception:
            status = 500
            raise
        finally:
            self.send_response(status)
            self.end_headers()


INBOX.mkdir(parents=True, exist_ok=True)
server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Webhook)
print("listening", flush=True)
server.serve_forever()
