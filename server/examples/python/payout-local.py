"""Pays a mobile wallet in your own country.  python3 payout-local.py WAGES-2026-11-ASHA 1500.00 254700000001"""

import sys
from urllib.parse import quote

from api import finish, follow, send

# Your reference from your database. A payment keeps its reference; a new reference is a new payment.
reference, amount, phone = sys.argv[1:]

send("POST", "/payouts", {
    "payout_reference": reference,
    "service_code": "PAYOUT-KES",
    "recipient_first_name": "Asha",
    "recipient_last_name": "Otieno",
    "destination_type": "MOBILE",
    "destination_name": "MOMO_KEN",
    "recipient_phone_number": phone,
    "recipient_account_number": phone,
    "recipient_account_name": "Asha Otieno",
    "source_currency": "KES",
    "destination_currency": "KES",
    "exchange_rate": "1",
    "sender_amount": amount,
    "recipient_amount": amount,
    "sender_country_code": "KEN",
    "payment_description": "Wages for November",
})

payout = follow("/payouts/" + quote(reference, safe=""))
print(f"{reference}: {payout['outcome']}, {payout['amount']} {payout['currency']}")
why = payout["attention"] or payout["error_code"]
if why:
    print(why)
finish(payout)
