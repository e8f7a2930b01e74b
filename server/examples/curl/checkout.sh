# Retrieves the checkout of an order.  sh checkout.sh A-1042
# Fulfil the order on this response or on a webhook event, never on an event in the browser.

. "$(dirname "$0")/api.sh"

plain "$@"
order=$1

nobody_pays() {
  echo "$order: nobody has begun to pay"
  exit 1
}

if ! send GET "/checkouts/$order" 2>"$folder/refusal"; then
  [ "$(field code)" != unknown_checkout ] || nobody_pays
  cat "$folder/refusal" >&2
  exit 1
fi

# The path also finds a checkout by its own id, which is no order.
[ "$(field order)" = "$order" ] || nobody_pays

echo "$order: $(field outcome), $(field amount_paid) of $(field amount) $(field currency)"
finish "$(field settled)" "$(field outcome)"
