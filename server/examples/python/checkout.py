"""Retrieves the checkout of an order.

Fulfil the order on this response or on a webhook event, never on an event in the browser.

python3 checkout.py A-1042
"""

import sys
from urllib.parse import quote

from api import find, finish

(order,) = sys.argv[1:]

checkout = find("/checkouts/" + quote(order, safe=""))
if not checkout:
    print(f"{order}: nobody has begun to pay")
    sys.exit(1)
print(f"{order}: {checkout['outcome']}, {checkout['amount_paid']} of {checkout['amount']} {checkout['currency']}")
finish(checkout)
