<?php
// Receives the payment server's events.  INBOX=inbox php -S 127.0.0.1:8081 webhook.php

const OLDEST_SECONDS = 300;
const LARGEST_BODY = 1_000_000;
// No money came.
const NEED_NOBODY = ['ping', 'checkout.unpaid', 'checkout.expired'];

// What the orders of the shop cost now, without those that it has cancelled. Replace this with your database, whose decimal
// column gives "1500.00".
const TERMS = ['amount' => '1500.00', 'currency' => 'KES'];
const ORDERS = ['A-1042' => TERMS, 'INV/2026/0042' => TERMS];

// On any failure the response is 500, and the server delivers the event again later.
http_response_code(500);
$body = file_get_contents('php://input', length: LARGEST_BODY + 1);
if (isGenuine($body)) {
    take($_SERVER['HTTP_WEBHOOK_ID'], $body);
    http_response_code(204);
} else {
    http_response_code(401);
}

/** Returns whether the signature is valid and the timestamp is at most five minutes from now. */
function isGenuine(string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $time = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (strlen($body) > LARGEST_BODY || !ctype_digit($time) || abs(time() - (int) $time) > OLDEST_SECONDS) {
        return false;
    }

    $key = base64_decode(preg_replace('/^whsec_/', '', (string) getenv('MERCHANT_WEBHOOK_SECRET')));
    if (strlen($key) < 24) {
        throw new RuntimeException('MERCHANT_WEBHOOK_SECRET has fewer than 24 bytes, so anybody could sign.');
    }

    // Standard Webhooks: HMAC-SHA256 over id, timestamp and the unparsed body.
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    // While a secret is being replaced, the header contains one signature for each secret.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }

    return false;
}

/** Fulfils a paid order once, and keeps what a person has to look at. */
function take(string $id, string $body): void
{
    $event = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
    $type = $event['type'];
    if (!in_array($type, ['checkout.paid', 'checkout.paid_late'], true)) {
        // Reversed, refunded, in part: see Events in server/README.md. Whoever ships looks for these, too.
        if (!in_array($type, NEED_NOBODY, true)) {
            review($id, $body, "$type: look at it");
        }

        return;
    }

    $data = $event['data'];
    $order = $data['order'];
    $payment = $data['merchant_transaction_id'];

    // The price may have changed since the page was rendered, and an event may be about no order of yours.
    $write = fn (?array $terms): string => $terms ? (float) $terms['amount'] . " {$terms['currency']}" : 'unknown';
    $paid = $write($data);
    $now = $write(ORDERS[$order] ?? null);
    if ($paid !== $now) {
        review($id, $body, "paid $paid, order $now: look at $order");
        return;
    }

    // This file marks the order as paid: no second event fulfils it. Its name is a digest, because a reference may be a
    // path, or too long for a name.
    $mark = hash('sha256', $order) . '.paid';
    if (keep($mark, $payment)) {
        error_log("fulfil $order: {$data['amount_paid']} {$data['currency']}");
    } elseif (file_get_contents(getenv('INBOX') . "/$mark") !== $payment) {
        review($id, $body, "paid again: look at $order");
    }
}

/** Keeps for a person what no program decides: a second payment goes back. A repeated event is the same file. */
function review(string $id, string $body, string $what): void
{
    if (keep("$id.json", $body)) {
        error_log($what);
    }
}

/** Stores a file in INBOX, and returns whether it is new. `link` is atomic, so INBOX has only complete files. */
function keep(string $name, string $content): bool
{
    $inbox = getenv('INBOX');
    if (!$inbox) {
        throw new RuntimeException('INBOX is not set.');
    }

    if (!is_dir($inbox)) {
        @mkdir($inbox, recursive: true);
    }

    $draft = tempnam($inbox, 'draft');
    $isWritten = file_put_contents($draft, $content) === strlen($content);
    // With a database: one transaction for the event, the order and what follows, before you respond.
    $isNew = $isWritten && @link($draft, "$inbox/$name");
    unlink($draft);
    if (!$isNew && !file_exists("$inbox/$name")) {
        throw new RuntimeException("$name could not be stored.");
    }

    return $isNew;
}
