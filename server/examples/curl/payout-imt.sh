# Sends money abroad at the current exchange rate.  sh payout-imt.sh FAMILY-77 2000.00 256700000001

. "$(dirname "$0")/api.sh"

plain "$@"
reference=$1
amount=$2
phone=$3

# Rates change hourly, so a repeated request would differ. If the reference is known, only poll its status.
if ! send GET "/payouts/$reference" 2>"$folder/refusal"; then
  if [ "$(field code)" != unknown_payout ]; then
    cat "$folder/refusal" >&2
    exit 1
  fi

  send GET "/fx/quote?from=KES&to=UGX&amount=$amount"
  # Copy amounts and rate as text. Shell arithmetic would lose digits.
  cat >"$folder/payout" <<JSON
{
  "payout_reference": "$reference",
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
  "recipient_phone_number": "$phone",
  "recipient_account_number": "$phone",
  "recipient_account_name": "Asha Otieno",
  "recipient_occupation": "Teacher",
  "destination_type": "MOBILE",
  "destination_name": "MOMO_UGA",
  "source_currency": "$(field source_currency)",
  "destination_currency": "$(field destination_currency)",
  "exchange_rate": "$(field exchange_rate)",
  "sender_amount": "$(field sender_amount)",
  "recipient_amount": "$(field recipient_amount)",
  "income_source": "Salary",
  "fund_purpose": "Family support",
  "payment_description": "School fees"
}
JSON
  send POST /payouts/imt "$folder/payout"
fi

finish_payout "$reference"
