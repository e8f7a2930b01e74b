# Pays a business by its paybill number.  sh payout-b2b.sh SUPPLIER-31 25000.00 400200

. "$(dirname "$0")/api.sh"

plain "$@"
reference=$1
amount=$2
paybill=$3

cat >"$folder/payout" <<JSON
{
  "payout_reference": "$reference",
  "service_code": "B2B-KES",
  "payment_account_reference": "INV-7731",
  "recipient_name": "Pwani Textiles",
  "recipient_type": "PAYBILL",
  "recipient_account_number": "$paybill",
  "amount": "$amount",
  "currency_code": "KES",
  "country_code": "KEN",
  "payment_method": "MOMO_B2B",
  "payment_description": "Two bales of kanga cloth"
}
JSON

send POST /payouts/b2b "$folder/payout"

finish_payout "$reference"
