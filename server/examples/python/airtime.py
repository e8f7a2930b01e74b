"""Sends airtime to the recipients in a file with `phone_number,amount` lines.

python3 airtime.py BONUS-2026-11 list.csv
"""

import csv
import sys
from urllib.parse import quote

from api import finish, follow, send

reference, file = sys.argv[1:]

# Amounts stay text. If a line is invalid, the server names the line and sends no airtime at all.
with open(file, newline="") as lines:
    recipients = [{"phone_number": phone, "amount": amount} for phone, amount in csv.reader(lines)]

send("POST", "/airtime", {"reference": reference, "recipients": recipients})

airtime = follow("/airtime/" + quote(reference, safe=""))
succeeded, total = airtime["summary"]["succeeded"], airtime["summary"]["total"]
print(f"{reference}: {airtime['outcome']}, {succeeded['count']} of {total['count']} have it")
print(f"{succeeded['amount']} of {total['amount']} sent")
for recipient in airtime["recipients"]:
    if recipient["outcome"] != "succeeded":
        print(f"{recipient['phone_number']}: {recipient['outcome']}")
finish(airtime)
