"""Retrieves the checkout of an order.

Fulfil the order on this response or on a webhook event, never on an event in the browser.

python3 checkout.py A-1042
"""

import http.client
import json
import os
import re
import sys
import urllib.error
import urllib.request
from urllib.parse import quote

(order,) = sys.argv[1:]
if not re.match(r"(https://|http://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(/|$))", os.environ["PUBLIC_URL"]):
    raise SystemExit("PUBLIC_URL has to be https, but for this machine: anybody on the way could answer.")

# As the payment server reads it: without slashes at the end.
server = os.environ["PUBLIC_URL"].rstrip("/")


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """Only the payment server itself is believed."""

    def redirect_request(self, *_):
        return None


request = urllib.request.Request(
    f"{server}/api/checkouts/{quote(order, safe='')}",
    headers={"Authorization": f"Bearer {os.environ['MERCHANT_API_KEY']}"},
)

try:
    try:
        with urllib.request.build_opener(NoRedirects).open(request, timeout=30) as answer:
            checkout = json.load(answer)
    except urllib.error.HTTPError as refusal:
        checkout = json.load(refusal)
except (OSError, http.client.HTTPException, ValueError) as error:
    checkout = {"detail": f"No answer: {error}."}

# The path also finds a checkout by its own id, which is no order.
if checkout.get("code") == "unknown_checkout" or checkout.get("order", order) != order:
    print(f"{order}: nobody has begun to pay")
    sys.exit(1)

# A wrong key or address: the same command is refused again.
if checkout.get("retryable") is False:
    print(checkout["detail"], file=sys.stderr)
    sys.exit(1)

if "outcome" not in checkout:
    print(f"{checkout.get('detail', 'No answer.')} Not known yet: run the same command again.", file=sys.stderr)
    sys.exit(75)

print(f"{order}: {checkout['outcome']}, {checkout['amount_paid']} of {checkout['amount']} {checkout['currency']}")
# Run the same command again later.
if not checkout["settled"]:
    sys.exit(75)

sys.exit(0 if checkout["outcome"] == "paid" else 1)
