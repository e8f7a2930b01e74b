<?php
// Signs an order and prints the tag for your page, so that no browser can change the price.  php order.php A-1042

const LIFETIME_SECONDS = 3600;

foreach (['PUBLIC_URL', 'ORDER_SIGNING_KEY'] as $name) {
    if (!getenv($name)) {
        throw new RuntimeException("$name is not set.");
    }
}

// As the payment server reads it: without slashes at the end.
$server = rtrim(getenv('PUBLIC_URL'), '/');

[, $reference] = $argv;
$now = time();

// The price comes from your database, as decimal text in whole units: "1500" is KES 1,500.00. So does the reference, as it
// is stored there. Find it by text: an integer column finds 1042 for "01042", and each spelling could be paid.
$order = ['order' => $reference, 'amount' => '1500', 'currency' => 'KES', 'narration' => 'Two kangas'];

$header = ['alg' => 'HS256'];
$claims = [...$order, 'aud' => $server, 'iat' => $now, 'exp' => $now + LIFETIME_SECONDS];
$signed = encode(json_encode($header)) . '.' . encode(json_encode($claims, JSON_THROW_ON_ERROR));
$signature = encode(hash_hmac('sha256', $signed, getenv('ORDER_SIGNING_KEY'), true));

echo "<gateway-checkout order=\"$signed.$signature\"></gateway-checkout>\n";

function encode(string $bytes): string
{
    return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
}
