<?php
// The shop: a page with the tag, the price of an order, and what happens when it is paid.

const OLDEST_SECONDS = 300;
const LARGEST_BODY = 1_000_000;

if (!is_dir('orders')) {
    mkdir('orders');
}

$path = (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
match (true) {
    $path === '/' => readfile('shop.html'),
    $path === '/order' && $_SERVER['REQUEST_METHOD'] === 'POST' => createOrder(),
    str_starts_with($path, '/order/') => showOrder(substr($path, strlen('/order/'))),
    str_starts_with($path, '/orders/') => answerOrder(substr($path, strlen('/orders/'))),
    $path === '/events' => receiveEvent((string) file_get_contents('php://input', length: LARGEST_BODY + 1)),
    default => http_response_code(404),
};

/** Creates an order. Whoever knows a reference can pay the order and see its outcome, so a reference is random. */
function createOrder(): void
{
    $reference = bin2hex(random_bytes(16));
    $order = ['order' => $reference, 'amount' => '1500', 'currency' => 'KES', 'narration' => 'Two kangas'];
    file_put_contents("orders/$reference.json", json_encode($order));
    header("Location: /order/$reference", true, 303);
}

/** Shows the page of an order, which can be reloaded. The shopper returns to it after paying. */
function showOrder(string $reference): void
{
    if (!findOrder($reference)) {
        http_response_code(404);
        return;
    }

    $page = (string) file_get_contents('order.html');
    echo strtr($page, [
        '{{server}}' => rtrim(getenv('PUBLIC_URL'), '/'),
        '{{order}}' => $reference,
        '{{methods}}' => (string) getenv('MERCHANT_METHODS'),
    ]);
}

/** Answers the payment server, which asks for the price, so no browser can change it. */
function answerOrder(string $reference): void
{
    $token = getenv('ORDERS_TOKEN');
    if (!$token) {
        throw new RuntimeException('ORDERS_TOKEN is not set.');
    }

    $isAllowed = hash_equals("Bearer $token", $_SERVER['HTTP_AUTHORIZATION'] ?? '');
    if (!$isAllowed) {
        http_response_code(401);
        return;
    }

    $order = findOrder($reference);
    if (!$order) {
        http_response_code(404);
        return;
    }

    header('content-type: application/json');
    echo json_encode($order);
}

/** Receives each outcome at least once. Orders are fulfilled here, never by the page. */
function receiveEvent(string $body): void
{
    // Any failure below is answered with 500, and the payment server sends the event again later.
    http_response_code(500);
    if (!isGenuine($body)) {
        http_response_code(401);
        return;
    }

    $event = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
    fulfil($_SERVER['HTTP_WEBHOOK_ID'], $event['type'], $event['data'] ?? []);
    http_response_code(204);
}

/** Fulfils a paid order once. Throws if a file could not be written, and the event is sent again. */
function fulfil(string $id, string $type, array $data): void
{
    // What ended without money needs nobody, and payouts and the like have no order.
    $reference = $data['order'] ?? '';
    if (!$reference || in_array($type, ['checkout.unpaid', 'checkout.expired'], true)) {
        error_log($type);
        return;
    }

    if (!in_array($type, ['checkout.paid', 'checkout.paid_late'], true)) {
        review($id, "$type: look at order $reference");
        return;
    }

    $order = findOrder($reference);
    if (!$order) {
        review($id, "$type: there is no order $reference");
        return;
    }

    // As numbers, because a decimal column gives "1500.00".
    $write = fn (array $terms): string => (float) $terms['amount'] . " {$terms['currency']}";
    $paid = $write($data);
    $now = $write($order);
    if ($paid !== $now) {
        review($id, "paid $paid, order $now: look at order $reference");
        return;
    }

    // This file marks the order as paid, and a repeated event finds it. Ship what is marked, in a job that leaves out
    // orders with checkout.reversed or checkout.refunded: the process may die at any line. Of two requests at once, one finds
    // the other's mark.
    $mark = "orders/$reference.paid";
    $payment = $data['merchant_transaction_id'];
    if (keep($mark, $payment)) {
        error_log("paid: fulfil order $reference");
    } elseif (file_get_contents($mark) !== $payment) {
        review($id, "paid again: look at order $reference");
    }
}

/** Keeps for a person what no program decides: a second payment goes back. A repeated event is the same file. */
function review(string $id, string $what): void
{
    $file = "orders/$id.review";
    if (file_put_contents($file, $what) !== strlen($what)) {
        throw new RuntimeException("$file could not be written.");
    }

    error_log($what);
}

/** Stores a file, and returns whether it is new. `link` is atomic, so a full disk leaves no empty file. */
function keep(string $file, string $content): bool
{
    // A power cut may have left an empty one.
    if (is_file($file) && filesize($file) === 0) {
        unlink($file);
    }

    $draft = "$file." . bin2hex(random_bytes(8)) . '.draft';
    $isWritten = file_put_contents($draft, $content) === strlen($content);
    $isNew = $isWritten && @link($draft, $file);
    @unlink($draft);
    if (!$isNew && !is_file($file)) {
        throw new RuntimeException("$file could not be written.");
    }

    return $isNew;
}

/**
 * Returns an order as it is stored, with the stored reference. Compare text: an integer column finds 1042 for "01042". Return
 * null for an order that was cancelled: a payment of it is then kept for a person.
 */
function findOrder(string $reference): ?array
{
    $file = "orders/$reference.json";
    if (!ctype_xdigit($reference) || !is_file($file)) {
        return null;
    }

    return json_decode((string) file_get_contents($file), true);
}

/** Returns whether the signature (Standard Webhooks) is valid, and at most five minutes old. */
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

    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$time.$body", $key, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return true;
        }
    }

    return false;
}
