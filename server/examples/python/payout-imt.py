"""Sends money abroad at the current exchange rate.  python3 payout-imt.py FAMILY-77 2000.00 256700000001"""

import sys
from urllib.parse import quote

from api import find, finish, follow, send

reference, amount, phone = sys.argv[1:]
path = "/payouts/" + quote(reference, safe="")

# Rates change hourly, so a repeated request would differ. If the reference is known, only poll its status.
if not find(path):
    rate = send("GET", f"/fx/quote?from=KES&to=UGX&amount={quote(amount)}")
    send("POST", "/payouts/imt", {
        "payout_reference": reference,
        "service_code": "IMT-KES",
        "sender_first_name": "Juma",
        "sender_last_name": "Mwangi",
        "sender_type": "INDIVIDUAL",
        "sender_document_type": "PASSPORT",
        "sender_document_number": "A1234567",
        "sender_country_code": "KEN",
        "sender_phone_number": "254700000002",
        "recipient_first_name": "Asha",
        "recipient_last_name": "Otieno",
        "recipient_type": "INDIVIDUAL",
        "recipient_phone_number": phone,
        "recipient_account_number": phone,
        "recipient_account_name": "Asha Otieno",
        "recipient_occupation": "Teacher",
        "destination_type": "MOBILE",
        "destination_name": "MOMO_UGA",
        # Copy amounts and rate as text. Converting them to floats could lose digits.
        "source_currency": rate["source_currency"],
        "destination_currency": rate["destination_currency"],
        "exchange_rate": rate["exchange_rate"],
        "sender_amount": rate["sender_amount"],
        "recipient_amount": rate["recipient_amount"],
        "income_source": "Salary",
        "fund_purpose": "Family support",
        "payment_description": "School fees",
    })

payout = follow(path)
print(f"{reference}: {payout['outcome']}, {payout['amount']} {payout['currency']}")
why = payout["attention"] or payout["error_code"]
if why:
    print(why)
finish(payout)
