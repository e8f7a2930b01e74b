<?php
// Retrieves the checkout of an order.  php checkout.php A-1042
// Fulfil the order on this response or on a webhook event, never on an event in the browser.

require __DIR__ . '/api.php';

[, $order] = $argv;

$checkout = find('/checkouts/' . rawurlencode($order));
if ($checkout === null) {
    echo "$order: nobody has begun to pay\n";
    exit(1);
}
echo "$order: {$checkout['outcome']}, {$checkout['amount_paid']} of {$checkout['amount']} {$checkout['currency']}\n";
finish($checkout);
