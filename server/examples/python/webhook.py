"""Receives the payment server's events.  PORT=8081 INBOX=inbox python3 webhook.py"""

import base64
import hashlib
import hmac
import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

INBOX = Path(os.environ["INBOX"])
KEY = base64.b64decode(os.environ["MERCHANT_WEBHOOK_SECRET"].removeprefix("whsec_"))
if not KEY:
    raise SystemExit("MERCHANT_WEBHOOK_SECRET has no key, so anybody could sign.")
OLDEST_SECONDS = 300


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


def take(event_id, body):
    """Stores an event in a file named by the event's id. If the file exists, nothing changes.

    `link` is atomic, so after a crash INBOX contains only complete events. With a database, store the id and your
    changes in one transaction before you answer.
    """
    draft = INBOX / f"{event_id}.{threading.get_ident()}.draft"
    draft.write_bytes(body)
    try:
        os.link(draft, INBOX / f"{event_id}.json")
    except FileExistsError:
        return
    finally:
        draft.unlink()
    event = json.loads(body)
    data = event["data"]
    if event["type"] in ("checkout.paid", "checkout.paid_late") and is_current(data):
        print(f"fulfil {data['order']}: {data['amount_paid']} {data['currency']}", flush=True)
    else:  # Reversed, refunded, in part, other terms: see Events in server/README.md.
        print(f"{event['type']}: look at it", flush=True)


def is_current(data):
    """Returns whether the shopper paid what the order costs now.

    The terms may have changed since the page was rendered.
    """
    order = {"amount": "1500", "currency": "KES"}  # from your database, as text, as you gave it to the payment server
    return (data["amount"], data["currency"]) == (order["amount"], order["currency"])


class Webhook(BaseHTTPRequestHandler):
    def do_POST(self):
        status = 500  # The server delivers the event again later.
        try:
            body = self.rfile.read(int(self.headers["content-length"]))
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
