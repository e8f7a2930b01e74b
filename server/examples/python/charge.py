"""Charges a payer, splits the money, and confirms service.

python3 charge.py ORDER-7731 1500.00 254700000001
"""

import sys
from urllib.parse import quote

from api import finish, follow, send


def serve():
    """Delivers the goods; returns False if you cannot.

    Replace this function with your code: deliver the goods once, and store that you did.
    """
    return True


reference, amount, phone = sys.argv[1:]
path = "/charges/" + quote(reference, safe="")

send("POST", "/charges", {
    "external_reference": reference,
    "payer_msisdn": phone,
    "currency_code": "KES",
    "country_code": "KEN",
    "amount": amount,
    "payment_method_code": "MOMO_KEN",  # The payer's phone asks for the PIN at once.
    "description": "Two kangas",
    "extra_data": {
        "split_settlements": [
            {"account": "PARTNER-001", "amount": "1000.00", "reason": "Cloth"},
            {"account": "PARTNER-002", "amount": "250.50", "reason": "Delivery"},
        ],
    },
})

charge = follow(path)
print(f"{reference}: {charge['outcome']}, {charge['amount_paid']} of {charge['amount']} {charge['currency']}")
why = charge["attention"] or (charge["refusal"] or {}).get("message")
if why:
    print(why)

# The gateway holds the money until you confirm service. The first answer is final; FAILED refunds the payer.
if charge["outcome"] == "succeeded":
    said = (
        {"status": "SUCCESSFUL", "narration": "Delivered"}
        if serve()
        else {"status": "FAILED", "narration": "Out of stock"}
    )
    fulfilment = send("POST", path + "/acknowledge", said)
    # "decided": the server is still sending your answer to the gateway.
    print(f"{fulfilment['status']}: {fulfilment['stage']}")
finish(charge)
