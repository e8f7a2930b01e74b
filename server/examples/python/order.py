"""Signs an order and prints the tag for your page, so that no browser can change the price.

python3 order.py A-1042
"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time

LIFETIME_SECONDS = 3600


def encode(part):
    return encode_bytes(json.dumps(part).encode())


def encode_bytes(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


(reference,) = sys.argv[1:]
now = int(time.time())

# As the payment server reads it: without slashes at the end.
server = os.environ["PUBLIC_URL"].rstrip("/")

# The price comes from your database, as decimal text in whole units: "1500" is KES 1,500.00. So does the reference, as it
# is stored there. Find it by text: an integer column finds 1042 for "01042", and each spelling could be paid.
order = {"order": reference, "amount": "1500", "currency": "KES", "narration": "Two kangas"}

header = {"alg": "HS256"}
claims = {**order, "aud": server, "iat": now, "exp": now + LIFETIME_SECONDS}
signed = f"{encode(header)}.{encode(claims)}"
signature = hmac.new(os.environ["ORDER_SIGNING_KEY"].encode(), signed.encode(), hashlib.sha256).digest()

print(f'<gateway-checkout order="{signed}.{encode_bytes(signature)}"></gateway-checkout>')
