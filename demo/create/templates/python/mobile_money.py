"""The orders of the shop, what happens when one is paid, and who may ask and tell. Any framework can import it."""

import base64
import hashlib
import hmac
import json
import os
import secrets
import time
from decimal import Decimal
from pathlib import Path

TOKEN = os.environ["ORDERS_TOKEN"]
KEY = base64.b64decode(os.environ["MERCHANT_WEBHOOK_SECRET"].removeprefix("whsec_"))
if len(KEY) < 24 or not TOKEN:
    raise SystemExit("MERCHANT_WEBHOOK_SECRET of 24 bytes and ORDERS_TOKEN are needed, or anybody could sign and ask.")

OLDEST_SECONDS = 300
ORDER_PAGE = Path(__file__).with_name("order.html").read_text()

# The orders of the shop: files, which outlive a restart. Replace them with your database.
ORDERS = Path(__file__).with_name("orders")
ORDERS.mkdir(exist_ok=True)


def create_order():
    """Whoever knows a reference can pay the order and see its outcome, so a reference is random."""
    reference = secrets.token_hex(16)
    order = {"order": reference, "amount": "1500", "currency": "KES", "narration": "Two kangas"}
    (ORDERS / f"{reference}.json").write_text(json.dumps(order))
    return reference


def find_order(reference):
    """Returns an order as it is stored, with the stored reference. Compare text: an integer column finds 1042 for "01042".

    Return None for an order that was cancelled: a payment of it is then kept for a person.
    """
    file = ORDERS / f"{reference}.json"
    is_known = reference.isalnum() and file.is_file()
    if not is_known:
        return None

    return json.loads(file.read_text())


def receive(event_id, event):
    """Receives each outcome at least once. Orders are fulfilled here, never by the page."""
    kind = event["type"]
    reference = (event.get("data") or {}).get("order")
    # What ended without money needs nobody, and payouts and the like have no order.
    if not reference or kind in ("checkout.unpaid", "checkout.expired"):
        print(kind, flush=True)
        return

    if kind not in ("checkout.paid", "checkout.paid_late"):
        review(event_id, f"{kind}: look at order {reference}")
        return

    data = event["data"]
    order = find_order(reference)
    if not order:
        review(event_id, f"{kind}: there is no order {reference}")
        return

    paid = write(data)
    now = write(order)
    if paid != now:
        review(event_id, f"paid {paid}, order {now}: look at order {reference}")
        return

    # This file marks the order as paid, and a repeated event finds it. Ship what is marked, in a job that leaves out orders
    # with checkout.reversed or checkout.refunded: the process may die at any line. If a file cannot be written, the
    # answer is 500. Of two requests at once, one finds the other's mark.
    mark = ORDERS / f"{reference}.paid"
    payment = data["merchant_transaction_id"]
    if keep(mark, payment):
        print(f"paid: fulfil order {reference}", flush=True)
    elif mark.read_text() != payment:
        review(event_id, f"paid again: look at order {reference}")


def review(event_id, what):
    """Keeps for a person what no program decides: a second payment goes back. A repeated event is the same file."""
    (ORDERS / f"{event_id}.review").write_text(what)
    print(what, flush=True)


def keep(file, content):
    """Stores a file, and returns whether it is new. `link` is atomic, so a full disk leaves no empty file."""
    # A power cut may have left an empty one.
    if file.exists() and file.stat().st_size == 0:
        file.unlink()

    draft = file.with_name(f"{file.name}.{secrets.token_hex(8)}.draft")
    try:
        draft.write_text(content)
        os.link(draft, file)
        return True
    except FileExistsError:
        return False
    finally:
        draft.unlink(missing_ok=True)


def write(terms):
    """Writes an amount as a number, because a decimal column gives "1500.00"."""
    return f"{Decimal(str(terms['amount'])).normalize():f} {terms['currency']}"


def page_of(reference):
    """Returns the page of an order, with the tag."""
    values = {
        "{{server}}": os.environ["PUBLIC_URL"].rstrip("/"),
        "{{order}}": reference,
        "{{methods}}": os.environ.get("MERCHANT_METHODS", ""),
    }
    page = ORDER_PAGE
    for name, value in values.items():
        page = page.replace(name, value)

    return page


def may_ask(headers):
    """Returns whether the payment server asks, which has the token."""
    return hmac.compare_digest(headers.get("authorization", "").encode(), f"Bearer {TOKEN}".encode())


def is_genuine(headers, body):
    """Returns whether the signature (Standard Webhooks) is valid, and at most five minutes old."""
    moment = headers.get("webhook-timestamp", "")
    if not moment.isdecimal() or abs(time.time() - int(moment)) > OLDEST_SECONDS:
        return False

    signed = f"{headers.get('webhook-id', '')}.{moment}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest())
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(each, expected) for each in given)
