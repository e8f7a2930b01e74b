# Pays a mobile wallet in your own country.  sh payout-local.sh WAGES-2026-11-ASHA 1500.00 254700000001

. "$(dirname "$0")/api.sh"

# Your reference from your database. A payment keeps its reference; a new reference is a new payment.
plain "$@"
reference=$1
amount=$2
phone=$3

cat >"$folder/payout" <<JSON
{
  "payout_reference": "$reference",
  "service_code": "PAYOUT-KES",
  "recipient_first_name": "Asha",
  "recipient_last_name": "Otieno",
  "destination_type": "MOBILE",
  "destination_name": "MOMO_KEN",
  "recipient_phone_number": "$phone",
  "recipient_account_number": "$phone",
  "recipient_account_name": "Asha Otieno",
  "source_currency": "KES",
  "destination_currency": "KES",
  "exchange_rate": "1",
  "sender_amount": "$amount",
  "recipient_amount": "$amount",
  "sender_country_code": "KEN",
  "payment_description": "Wages for November"
}
JSON

send POST /payouts "$folder/payout"

finish_payout "$reference"
