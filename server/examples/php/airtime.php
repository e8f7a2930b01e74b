<?php
// Sends airtime to the recipients in a file with `phone_number,amount` lines.  php airtime.php BONUS-2026-11 list.csv

require __DIR__ . '/api.php';

[, $reference, $file] = $argv;

// Amounts stay text. If a line is invalid, the server names the line and sends no airtime at all.
$recipients = [];
foreach (file($file, FILE_IGNORE_NEW_LINES | FILE_SKIP_EMPTY_LINES) as $line) {
    [$phone, $amount] = str_getcsv($line);
    $recipients[] = ['phone_number' => $phone, 'amount' => $amount];
}

send('POST', '/airtime', ['reference' => $reference, 'recipients' => $recipients]);

$airtime = follow('/airtime/' . rawurlencode($reference));
['succeeded' => $succeeded, 'total' => $total] = $airtime['summary'];
echo "$reference: {$airtime['outcome']}, {$succeeded['count']} of {$total['count']} have it\n";
echo "{$succeeded['amount']} of {$total['amount']} sent\n";
foreach ($airtime['recipients'] as $recipient) {
    if ($recipient['outcome'] !== 'succeeded') echo "{$recipient['phone_number']}: {$recipient['outcome']}\n";
}
finish($airtime);
