<?php
// Charges a payer, splits the money, and confirms service.  php charge.php ORDER-7731 1500.00 254700000001

require __DIR__ . '/api.php';

[, $reference, $amount, $phone] = $argv;
$path = '/charges/' . rawurlencode($reference);

send('POST', '/charges', [
    'external_reference' => $reference,
    'payer_msisdn' => $phone,
    'currency_code' => 'KES',
    'country_code' => 'KEN',
    'amount' => $amount,
    'payment_method_code' => 'MOMO_KEN', // The phone asks for the PIN at once.
    'description' => 'Two kangas',
    'extra_data' => [
        'split_settlements' => [
            ['account' => 'PARTNER-001', 'amount' => '1000.00', 'reason' => 'Cloth'],
            ['account' => 'PARTNER-002', 'amount' => '250.50', 'reason' => 'Delivery'],
        ],
    ],
]);

$charge = follow($path);
echo "$reference: {$charge['outcome']}, {$charge['amount_paid']} of {$charge['amount']} {$charge['currency']}\n";
$why = $charge['attention'] ?? $charge['refusal']['message'] ?? null;
if ($why !== null) echo "$why\n";

// The gateway holds the money until you confirm service. The first answer is final; FAILED refunds the payer.
if ($charge['outcome'] === 'succeeded') {
    $said = serve()
        ? ['status' => 'SUCCESSFUL', 'narration' => 'Delivered']
        : ['status' => 'FAILED', 'narration' => 'Out of stock'];
    $fulfilment = send('POST', "$path/acknowledge", $said);
    echo "{$fulfilment['status']}: {$fulfilment['stage']}\n"; // "decided" is on its way, and goes on by itself.
}
finish($charge);

// Replace this function with your code: deliver the goods once, store that, and return false if you cannot.
function serve(): bool
{
    return true;
}
