"""Pays a business by its paybill number.  python3 payout-b2b.py SUPPLIER-31 25000.00 400200"""

import sys
from urllib.parse import quote

from api import finish, follow, send

reference, amount, paybill = sys.argv[1:]

send("POST", "/payouts/b2b", {
    "payout_reference": reference,
    "service_code": "B2B-KES",
    "payment_account_reference": "INV-7731",
    "recipient_name": "Pwani Textiles",
    "recipient_type": "PAYBILL",
    "recipient_account_number": paybill,
    "amount": amount,
    "currency_code": "KES",
    "country_code": "KEN",
    "payment_method": "MOMO_B2B",
    "payment_description": "Two bales of kanga cloth",
})

payout = follow("/payouts/" + quote(reference, safe=""))
print(f"{reference}: {payout['outcome']}, {payout['amount']} {payout['currency']}")
why = payout["attention"] or payout["error_code"]
if why:
    print(why)
finish(payout)
