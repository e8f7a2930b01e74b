<?php
// Retrieves the checkout of an order.  php checkout.php A-1042
// Fulfil the order on this response or on a webhook event, never on an event in the browser.

foreach (['PUBLIC_URL', 'MERCHANT_API_KEY'] as $name) {
    if (!getenv($name)) {
        throw new RuntimeException("$name is not set.");
    }
}
if (!preg_match('~^(https://|http://(localhost|127\.0\.0\.1|\[::1])(:\d+)?(/|$))~D', getenv('PUBLIC_URL'))) {
    throw new RuntimeException('PUBLIC_URL has to be https, but for this machine: anybody on the way could answer.');
}

// As the payment server reads it: without slashes at the end.
$server = rtrim(getenv('PUBLIC_URL'), '/');

[, $order] = $argv;

$context = stream_context_create(['http' => [
    'header' => 'Authorization: Bearer ' . getenv('MERCHANT_API_KEY'),
    'ignore_errors' => true, // A refusal has a body, too.
    'follow_location' => 0, // Only the payment server itself is believed.
    'timeout' => 30,
]]);
$answer = @file_get_contents($server . '/api/checkouts/' . rawurlencode($order), false, $context);
$checkout = json_decode((string) $answer, true);

// The path also finds a checkout by its own id, which is no order.
if (($checkout['code'] ?? '') === 'unknown_checkout' || ($checkout['order'] ?? $order) !== $order) {
    echo "$order: nobody has begun to pay\n";
    exit(1);
}

// A wrong key or address: the same command is refused again.
if (($checkout['retryable'] ?? true) === false) {
    fwrite(STDERR, "{$checkout['detail']}\n");
    exit(1);
}

if (!isset($checkout['outcome'])) {
    fwrite(STDERR, ($checkout['detail'] ?? 'No answer.') . " Not known yet: run the same command again.\n");
    exit(75);
}

echo "$order: {$checkout['outcome']}, {$checkout['amount_paid']} of {$checkout['amount']} {$checkout['currency']}\n";
// Run the same command again later.
if (!$checkout['settled']) {
    exit(75);
}

exit($checkout['outcome'] === 'paid' ? 0 : 1);
