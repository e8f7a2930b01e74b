<?php
// Pays a business by its paybill number.  php payout-b2b.php SUPPLIER-31 25000.00 400200

require __DIR__ . '/api.php';

[, $reference, $amount, $paybill] = $argv;

send('POST', '/payouts/b2b', [
    'payout_reference' => $reference,
    'service_code' => 'B2B-KES',
    'payment_account_reference' => 'INV-7731',
    'recipient_name' => 'Pwani Textiles',
    'recipient_type' => 'PAYBILL',
    'recipient_account_number' => $paybill,
    'amount' => $amount,
    'currency_code' => 'KES',
    'country_code' => 'KEN',
    'payment_method' => 'MOMO_B2B',
    'payment_description' => 'Two bales of kanga cloth',
]);

$payout = follow('/payouts/' . rawurlencode($reference));
echo "$reference: {$payout['outcome']}, {$payout['amount']} {$payout['currency']}\n";
$why = $payout['attention'] ?? $payout['error_code'];
if ($why !== null) echo "$why\n";
finish($payout);
