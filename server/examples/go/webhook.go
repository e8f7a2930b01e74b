// Receives the payment server's events.  PORT=8081 INBOX=inbox go run webhook.go

package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	maxAge         = 300 * time.Second
	minSecretBytes = 24
	maxBodyBytes   = 1_000_000
)

type terms struct{ amount, currency string }

// What the orders of the shop cost now, without those that it has cancelled. Replace this with your database, whose decimal
// column gives "1500.00".
var orders = map[string]terms{"A-1042": {"1500.00", "KES"}, "INV/2026/0042": {"1500.00", "KES"}}

// Writes an amount as a number: 1500 and 1500.00 are equal.
func (t terms) String() string {
	amount, isNumber := new(big.Rat).SetString(t.amount)
	if !isNumber {
		return "unknown"
	}

	return strings.TrimSuffix(amount.FloatString(2), ".00") + " " + t.currency
}

type event struct {
	Type string          `json:"type"`
	Data json.RawMessage `json:"data"`
}

type checkout struct {
	Order      string `json:"order"`
	Payment    string `json:"merchant_transaction_id"`
	Amount     string `json:"amount"`
	AmountPaid string `json:"amount_paid"`
	Currency   string `json:"currency"`
}

func main() {
	port := os.Getenv("PORT")
	inbox := os.Getenv("INBOX")
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(os.Getenv("MERCHANT_WEBHOOK_SECRET"), "whsec_"))
	if port == "" || inbox == "" {
		log.Fatal("PORT and INBOX have to be set.")
	}
	if err != nil || len(key) < minSecretBytes {
		log.Fatal("MERCHANT_WEBHOOK_SECRET has fewer than 24 bytes, so anybody could sign.")
	}
	if err := os.MkdirAll(inbox, 0o700); err != nil {
		log.Fatal(err)
	}

	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBodyBytes))
		if err != nil || !isGenuine(request.Header, body, key) {
			response.WriteHeader(http.StatusUnauthorized)
			return
		}

		if err := take(inbox, request.Header.Get("webhook-id"), body); err != nil {
			log.Print(err)
			// The server delivers the event again later.
			response.WriteHeader(http.StatusInternalServerError)
			return
		}

		response.WriteHeader(http.StatusNoContent)
	})

	fmt.Println("listening")
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}

func isGenuine(header http.Header, body, key []byte) bool {
	id := header.Get("webhook-id")
	sent := header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if err != nil || math.Abs(time.Since(time.Unix(seconds, 0)).Seconds()) > maxAge.Seconds() {
		return false
	}

	// Standard Webhooks: HMAC-SHA256 over id, timestamp and the unparsed body.
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, sent, body)
	expected := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))

	// While a secret is being replaced, the header contains one signature for each secret.
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(signature), expected) {
			return true
		}
	}

	return false
}

// take fulfils a paid order once, and keeps what a person has to look at.
func take(inbox, id string, body []byte) error {
	var received event
	if err := json.Unmarshal(body, &received); err != nil {
		return err
	}

	isPaid := received.Type == "checkout.paid" || received.Type == "checkout.paid_late"
	if !isPaid {
		// Reversed, refunded, in part: see Events in server/README.md. Whoever ships looks for these, too.
		switch received.Type {
		case "ping", "checkout.unpaid", "checkout.expired":
			// No money came.
			return nil
		}

		return review(inbox, id, body, received.Type+": look at it")
	}

	var data checkout
	if err := json.Unmarshal(received.Data, &data); err != nil {
		return err
	}

	// The price may have changed since the page was rendered, and an event may be about no order of yours.
	paid := terms{data.Amount, data.Currency}.String()
	now := orders[data.Order].String()
	if paid != now {
		return review(inbox, id, body, fmt.Sprintf("paid %s, order %s: look at %s", paid, now, data.Order))
	}

	// This file marks the order as paid: no second event fulfils it. Its name is a digest, because a reference may be a path,
	// or too long for a name.
	name := fmt.Sprintf("%x.paid", sha256.Sum256([]byte(data.Order)))
	isFirst, err := keep(inbox, name, []byte(data.Payment))
	if err != nil {
		return err
	}

	if isFirst {
		fmt.Printf("fulfil %s: %s %s\n", data.Order, data.AmountPaid, data.Currency)
		return nil
	}

	mark, err := os.ReadFile(filepath.Join(inbox, name))
	if err != nil || string(mark) == data.Payment {
		return err
	}

	return review(inbox, id, body, "paid again: look at "+data.Order)
}

// review keeps for a person what no program decides: a second payment goes back. A repeated event is the same file.
func review(inbox, id string, body []byte, what string) error {
	isNew, err := keep(inbox, id+".json", body)
	if isNew {
		fmt.Println(what)
	}

	return err
}

// keep stores a file in inbox, and returns whether it is new. Link is atomic, so inbox has only complete files. With a
// database: one transaction for the event, the order and what follows, before you respond.
func keep(inbox, name string, content []byte) (bool, error) {
	draft := filepath.Join(inbox, fmt.Sprintf("%s.%d.draft", name, time.Now().UnixNano()))
	if err := os.WriteFile(draft, content, 0o600); err != nil {
		return false, err
	}
	defer os.Remove(draft)

	err := os.Link(draft, filepath.Join(inbox, name))
	if errors.Is(err, os.ErrExist) {
		return false, nil
	}

	return err == nil, err
}
