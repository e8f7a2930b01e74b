"""Retrieves the checkout of an order.

Fulfil the order on this response or on a webhook event, never on an event in the browser.

python3 checkout.py A-1042
"""

import json
import os
import sys
import urllib.error
import urllib.request
from urllib.parse import quote

(order,) = sys.argv[1:]
request = urllib.request.Request(
    f"{os.environ['PUBLIC_URL']}/api/checkouts/{quote(order, safe='')}",
    headers={"Authorization": f"Bearer {os.environ['MERCHANT_API_KEY']}"},
)

try:
    with urllib.request.urlopen(request, timeout=30) as answer:
        checkout = json.load(answer)
except urllib.error.HTTPError as refusal:
    problem = json.load(refusal)
    if problem["code"] == "unknown_checkout":
        print(f"{order}: nobody has begun to pay")
        sys.exit(1)
    print(f"{problem['detail']} Not known yet: run the same command again.", file=sys.stderr)
    sys.exit(75)
except OSError as error:
    print(f"{error}. Not known yet: run the same command again.", file=sys.stderr)
    sys.exit(75)

# The id of a checkout is no order.
if checkout["order"] != order:
    print(f"{order}: nobody has begun to pay")
    sys.exit(1)
print(f"{order}: {checkout['outcome']}, {checkout['amount_paid']} of {checkout['amount']} {checkout['currency']}")
# 75: not settled. Run the same command again later.
sys.exit(75 if not checkout["settled"] else 0 if checkout["outcome"] == "paid" else 1)
