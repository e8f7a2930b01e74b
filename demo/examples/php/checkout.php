<?php
// Asks what became of an order. The page may say thanks; only this, or a webhook, says paid.  php checkout.php A-1042

require __DIR__ . '/api.php';

[, $order] = $argv;

$checkout = find('/checkouts/' . rawurlencode($order));
if ($checkout === null) {
    echo "$order: nobody has begun to pay\n";
    exit(1);
}
echo "$order: {$checkout['outcome']}, {$checkout['amount_paid']} of {$checkout['amount']} {$checkout['currency']}\n";
finish($checkout);
