# A client of the payment server's /api: sends a request under your reference, then polls until it is settled.
# The other scripts include this file. $answer contains the server's last answer.

set -eu
: "${PUBLIC_URL:?}" "${MERCHANT_API_KEY:?}"
printf '%s\n' "$PUBLIC_URL" | grep -qE '^(https://|http://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]+)?(/|$))' || {
  echo 'PUBLIC_URL has to be https, but for this machine: anybody on the way could answer.' >&2
  exit 64
}

# As the payment server reads it: without slashes at the end.
server=$(printf '%s' "$PUBLIC_URL" | sed 's:/*$::')

# Standard error, also where a script redirects that of `send` into a file.
exec 3>&2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Refuses special characters: the scripts insert their arguments into JSON and URLs without escaping.
plain() {
  for each; do
    case $each in
      '' | *[!A-Za-z0-9._-]*)
        echo "Only letters, digits, '.', '_' and '-': $each" >&2
        exit 64
        ;;
    esac
  done
}

# send METHOD PATH [BODY_FILE]
# Sends a request, and repeats it up to three times if no answer arrives. Repeating is safe: the server recognizes the
# reference in the body and does not pay twice. Never use a new reference for a retry: it would be a new payment.
send() {
  # The key is passed on standard input, because other users can see the arguments of a process. Without --disable, a file
  # .curlrc could follow redirects.
  status=$(printf 'header = "Authorization: Bearer %s"\n' "$MERCHANT_API_KEY" |
    curl --disable --silent --show-error --config - --max-time 30 --retry 3 --retry-all-errors \
      --request "$1" --header 'Content-Type: application/json' ${3:+--data-binary "@$3"} \
      --output "$folder/answer" --write-out '%{http_code}' "$server/api$2" 2>&3) || not_known
  answer=$(cat "$folder/answer")
  case $status in
    2??) return 0 ;;
  esac

  [ "$(field retryable)" = false ] || not_known
  field detail >&2
  return 1
}

not_known() {
  echo 'Not known yet. Run the same command again, and pay by no other way.' >&3
  exit 75
}

# Prints the first field of this name in the answer. An outer field precedes inner fields of the same name.
field() {
  printf '%s' "$answer" | grep -oE "\"$1\":(\"([^\"\\\\]|\\\\.)*\"|[a-z0-9]+)" | head -n 1 |
    sed -e 's/^"[a-z_]*"://' -e 's/^"//' -e 's/"$//'
}

# Polls for at most a minute, until the outcome is settled or needs a person. With a webhook, you need not poll.
follow() {
  requests=1
  send GET "$1"
  while [ "$(field settled)" = false ] && [ "$(field outcome)" != needs_attention ] && [ "$requests" -lt 60 ]; do
    sleep 1
    requests=$((requests + 1))
    send GET "$1"
  done
}

# Sets the exit code. 0: succeeded. 1: settled otherwise. 75: not settled; run the same command again later.
finish() {
  case "$1 $2" in
    'true succeeded' | 'true paid') exit 0 ;;
    true*) exit 1 ;;
  esac

  echo 'Not settled. Run the same command again, and pay by no other way.' >&2
  exit 75
}

# Polls a payout, prints what became of it, and sets the exit code as finish does.
finish_payout() {
  follow "/payouts/$1"
  echo "$1: $(field outcome), $(field amount) $(field currency)"
  for reason in attention error_code; do
    [ "$(field "$reason")" = null ] || field "$reason"
  done

  finish "$(field settled)" "$(field outcome)"
}
