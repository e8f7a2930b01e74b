# Signs an order and prints the tag for your page, so that no browser can change the price.  sh order.sh A-1042
# openssl takes the key as an argument, which other users of the machine can see: use a machine without other users.

set -eu
: "${PUBLIC_URL:?}" "${ORDER_SIGNING_KEY:?}"
# As the payment server reads it: without slashes at the end.
server=$(printf '%s' "$PUBLIC_URL" | sed 's:/*$::')
lifetime_seconds=3600
reference=$1
case $reference in
  *[!A-Za-z0-9._-]*)
    echo "Only letters, digits, '.', '_' and '-'." >&2
    exit 64
    ;;
esac

encode() {
  openssl base64 -A | tr '+/' '-_' | tr -d '='
}

now=$(date +%s)
# The price comes from your database, as decimal text in whole units: "1500" is KES 1,500.00. So does the reference, as it
# is stored there. Find it by text: an integer column finds 1042 for "01042", and each spelling could be paid.
order='"order":"'$reference'","amount":"1500","currency":"KES","narration":"Two kangas"'
claims="{$order,\"aud\":\"$server\",\"iat\":$now,\"exp\":$((now + lifetime_seconds))}"

key=$(printf '%s' "$ORDER_SIGNING_KEY" | od -An -v -tx1 | tr -d ' \n')
signed=$(printf '{"alg":"HS256"}' | encode).$(printf '%s' "$claims" | encode)
signature=$(printf '%s' "$signed" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | encode)

echo "<gateway-checkout order=\"$signed.$signature\"></gateway-checkout>"
