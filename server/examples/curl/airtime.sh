# Sends airtime to the recipients in a file with `phone_number,amount` lines.  sh airtime.sh BONUS-2026-11 list.csv

. "$(dirname "$0")/api.sh"

plain "$1"
reference=$1
file=$2

if grep -nvE '^[0-9+]+,[0-9.]+.?$' "$file" >&2; then
  echo 'These lines are no phone_number,amount. Nothing was sent.' >&2
  exit 65
fi

# Amounts stay text. If a line is invalid, the server names the line and sends no airtime at all.
{
  printf '{"reference":"%s","recipients":[' "$reference"
  tr -d '\r' <"$file" | sed -e 's/\(.*\),\(.*\)/{"phone_number":"\1","amount":"\2"}/' -e '$!s/$/,/'
  printf ']}'
} >"$folder/airtime"

send POST /airtime "$folder/airtime"

follow "/airtime/$reference"
settled=$(field settled)
outcome=$(field outcome)

# One line for each object, so that `share NAME 1` prints a count of "summary", and `share NAME 2` an amount.
printf '%s' "$answer" | sed 's/{/\
{/g' >"$folder/objects"
share() {
  sed -n "/\"$1\":\$/{n;s/.*\"count\":\([0-9]*\),\"amount\":\"\([0-9.]*\)\".*/\\$2/p;q;}" "$folder/objects"
}

echo "$reference: $outcome, $(share succeeded 1) of $(share total 1) have it"
echo "$(share succeeded 2) of $(share total 2) sent"
grep '"phone_number":' "$folder/objects" | grep -v '"outcome":"succeeded"' |
  sed 's/.*"phone_number":"\([^"]*\)".*"outcome":"\([a-z_]*\)".*/\1: \2/'

finish "$settled" "$outcome"
