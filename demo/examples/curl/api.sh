# The payment server's /api: a request is sent once under your reference, then followed to its end.
# Each script here reads this file. What the server answered last is in $answer.

set -eu
: "${PUBLIC_URL:?}" "${MERCHANT_API_KEY:?}"
exec 3>&2 # For what is said also where a refusal is kept to be read.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# These scripts put their arguments into JSON and addresses as they are.
plain() {
  for each; do
    case $each in '' | *[!A-Za-z0-9._-]*) echo "Only letters, digits, '.', '_' and '-': $each" >&2; exit 64 ;; esac
  done
}

# send METHOD PATH [BODY_FILE]
# Repeats the same request while no answer comes. That pays nothing twice: the server knows the reference in it.
# A new reference would be a new payment, so never make one up because an answer is missing.
send() {
  # The key comes by standard input: whoever lists processes would see an argument.
  status=$(printf 'header = "Authorization: Bearer %s"\n' "$MERCHANT_API_KEY" |
    curl --silent --show-error --config - --max-time 30 --retry 3 --retry-all-errors \
      --request "$1" --header 'Content-Type: application/json' ${3:+--data-binary "@$3"} \
      --output "$folder/answer" --write-out '%{http_code}' "$PUBLIC_URL/api$2" 2>&3) || not_known
  answer=$(cat "$folder/answer")
  case $status in 2??) return 0 ;; esac
  [ "$(field retryable)" = false ] || not_known
  field detail >&2
  return 1
}

not_known() {
  echo 'Not known yet. Run the same command again, and pay by no other way.' >&3
  exit 75
}

# The first field of that name in the answer: where two have it, the outer one is written first.
field() {
  printf '%s' "$answer" | grep -oE "\"$1\":(\"([^\"\\\\]|\\\\.)*\"|[a-z0-9]+)" | head -n 1 |
    sed -e 's/^"[a-z_]*"://' -e 's/^"//' -e 's/"$//'
}

# Polls for at most a minute, until the outcome is settled or needs a person. A webhook needs no polling.
follow() {
  asked=1
  send GET "$1"
  while [ "$(field settled)" = false ] && [ "$(field outcome)" != needs_attention ] && [ "$asked" -lt 60 ]; do
    sleep 1
    asked=$((asked + 1))
    send GET "$1"
  done
}

# Exit code 0: it succeeded. 1: it ended otherwise. 75: not settled, so run the same command again later.
finish() {
  case "$1 $2" in
    'true succeeded' | 'true paid') exit 0 ;;
    true*) exit 1 ;;
  esac
  echo 'Not settled. Run the same command again, and pay by no other way.' >&2
  exit 75
}
