#!/bin/sh
# Receives the payment server's events: a CGI program for any web server.
# Environment variables: INBOX (an existing folder) and MERCHANT_WEBHOOK_SECRET. Messages go to standard error.
# openssl takes the key as an argument, which other users of the machine can see: use a machine without other users.

set -eu
oldest_seconds=300
largest_body=1000000

# Without one of these the web server answers 500, and the event is delivered again later.
answer() {
  printf 'Status: %s\r\n\r\n' "$1"
  exit 0
}

id=${HTTP_WEBHOOK_ID:-}
time=${HTTP_WEBHOOK_TIMESTAMP:-}
draft=$(mktemp "$INBOX/draft.XXXXXX")
trap 'rm -f "$draft"' EXIT
[ "$CONTENT_LENGTH" -le "$largest_body" ] || answer 401
head -c "$CONTENT_LENGTH" >"$draft"

# Verifies the signature by Standard Webhooks: HMAC-SHA256 over id, timestamp and the unparsed body.
case $time in
  '' | *[!0-9]* | ???????????*) answer 401 ;;
esac
age=$(($(date +%s) - time))
[ "${age#-}" -le "$oldest_seconds" ] || answer 401

key=$(printf '%s' "${MERCHANT_WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
if [ "${#key}" -lt 48 ]; then
  echo 'MERCHANT_WEBHOOK_SECRET has fewer than 24 bytes, so anybody could sign.' >&2
  exit 1
fi

signature=v1,$(printf '%s.%s.' "$id" "$time" | cat - "$draft" |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)

# While a secret is being replaced, the header contains one signature for each secret. Comparing digests
# instead of signatures hides from attackers how many characters were right.
digest() {
  line=$(printf '%s' "$1" | openssl dgst -sha256 -r)
  printf '%s' "${line%% *}"
}

expected=$(digest "$signature")
genuine=no
set -f
for given in ${HTTP_WEBHOOK_SIGNATURE:-}; do
  [ "$(digest "$given")" != "$expected" ] || genuine=yes
done

[ "$genuine" = yes ] || answer 401

# Stores the draft in INBOX under a name, and succeeds if it is new. `ln` is atomic, so INBOX has only complete files. With a database: one
# transaction for the event, the order and what follows, before you answer.
keep() {
  ln "$draft" "$INBOX/$1" 2>/dev/null && return
  [ -e "$INBOX/$1" ] || exit 1
  return 1
}

# Keeps for a person what no program decides: a second payment goes back. A repeated event is the same file.
review() {
  if keep "$id.json"; then
    echo "$1" >&2
  fi
}

# The texts in the event, in its order. The first of a name counts: the payments have fields of the same names.
texts=$(grep -oE '"[a-z_]+":"[^"]*"' "$draft")
field() {
  case $texts in
    *"\"$1\":\""*) ;;
    *) return ;;
  esac

  rest=${texts#*"\"$1\":\""}
  printf '%s' "${rest%%\"*}"
}

type=$(field type)
order=$(field order)
payment=$(field merchant_transaction_id)
# Without the zeros of a decimal column: 1500.00 and 1500 are equal.
number() {
  printf '%s\n' "$1" | sed -E '/\./s/\.?0+$//'
}

paid="$(number "$(field amount)") $(field currency)"
# What the order costs now. Replace this with your database. The price may have changed since the page was rendered, and an
# event may be about no order of yours.
case $order in
  A-1042 | INV/2026/0042) now="$(number 1500.00) KES" ;;
  *) now=unknown ;;
esac

# The name is a digest, because a reference may be a path, or too long for a name.
mark=$(digest "$order").paid
case $type in
  checkout.paid | checkout.paid_late)
    # This file marks the order as paid: no second event fulfils it.
    if [ "$paid" != "$now" ]; then
      review "paid $paid, order $now: look at $order"
    elif keep "$mark"; then
      echo "fulfil $order: $(field amount_paid) $(field currency)" >&2
    elif ! grep -qF "\"merchant_transaction_id\":\"$payment\"" "$INBOX/$mark"; then
      review "paid again: look at $order"
    fi
    ;;
  # No money came.
  ping | checkout.unpaid | checkout.expired) ;;
  # Reversed, refunded, in part: see Events in server/README.md. Whoever ships looks for these, too.
  *) review "$type: look at it" ;;
esac

answer 204
