# Charges a payer, splits the money, and confirms service.  sh charge.sh ORDER-7731 1500.00 254700000001

. "$(dirname "$0")/api.sh"

# Replace with your code: deliver the goods once, and store that you did.
serve() { true; }

plain "$@"
reference=$1
amount=$2
phone=$3

# With a payment method, the payer's phone asks for the PIN at once.
cat >"$folder/charge" <<JSON
{
  "external_reference": "$reference",
  "payer_msisdn": "$phone",
  "currency_code": "KES",
  "country_code": "KEN",
  "amount": "$amount",
  "payment_method_code": "MOMO_KEN",
  "description": "Two kangas",
  "extra_data": {
    "split_settlements": [
      { "account": "PARTNER-001", "amount": "1000.00", "reason": "Cloth" },
      { "account": "PARTNER-002", "amount": "250.50", "reason": "Delivery" }
    ]
  }
}
JSON

send POST /charges "$folder/charge"

follow "/charges/$reference"
settled=$(field settled)
outcome=$(field outcome)
echo "$reference: $outcome, $(field amount_paid) of $(field amount) $(field currency)"
[ "$(field attention)" = null ] || field attention
[ "$(field refusal)" = null ] || printf '%s\n' "$answer"

# The gateway holds the money until you confirm service. The first answer is final; FAILED refunds the payer.
if [ "$outcome" = succeeded ]; then
  if serve; then
    echo '{ "status": "SUCCESSFUL", "narration": "Delivered" }' >"$folder/said"
  else
    echo '{ "status": "FAILED", "narration": "Out of stock" }' >"$folder/said"
  fi

  send POST "/charges/$reference/acknowledge" "$folder/said"
  # "decided": the server is still sending your answer to the gateway.
  echo "$(field status): $(field stage)"
fi

finish "$settled" "$outcome"
