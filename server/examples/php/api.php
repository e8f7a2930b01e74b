<?php
// A client of the payment server's `/api`: sends requests, and polls a transaction until the transaction is settled.

// An uncaught exception prints its message and sets the exit code to 1.
set_exception_handler(function (Throwable $problem) {
    fwrite(STDERR, $problem->getMessage() . "\n");
    exit(1);
});

foreach (['PUBLIC_URL', 'MERCHANT_API_KEY'] as $name) {
    if (!getenv($name)) throw new RuntimeException("$name is not set.");
}

/** Error response of the payment server, with the `code` of the problem document. */
class Refused extends Exception
{
    public function __construct(string $detail, public readonly string $problem)
    {
        parent::__construct($detail);
    }
}

/**
 * Sends a request and returns the JSON response. Throws a Refused if a retry cannot help; ends the process with code
 * 75 after four failed attempts.
 */
function send(string $method, string $path, ?array $body = null): array
{
    // Repeating is safe: the server recognizes the reference in the body and does not pay twice. Never use a new
    // reference for a retry: a new reference is a new payment.
    for ($attempt = 0; $attempt < 4; $attempt++) {
        sleep($attempt);
        $context = stream_context_create(['http' => [
            'method' => $method,
            'header' => [
                'Authorization: Bearer ' . getenv('MERCHANT_API_KEY'),
                'Content-Type: application/json',
            ],
            'content' => $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR),
            'ignore_errors' => true, // A refusal has a body, too.
            'timeout' => 30,
        ]]);
        $http_response_header = ['no answer'];
        $answer = json_decode((string) @file_get_contents(getenv('PUBLIC_URL') . "/api$path", false, $context), true);
        $status = $http_response_header[0];
        if (is_array($answer)) {
            if (preg_match('/^HTTP\S+ 2/', $status)) return $answer;
            if (($answer['retryable'] ?? null) === false) throw new Refused($answer['detail'], $answer['code']);
        }
        fwrite(STDERR, "No answer: $status\n");
    }
    fwrite(STDERR, "Not known yet. Run the same command again, and pay by no other way.\n");
    exit(75);
}

/** Returns a transaction, or null if the server does not know the transaction. */
function find(string $path): ?array
{
    try {
        return send('GET', $path);
    } catch (Refused $refused) {
        if (str_starts_with($refused->problem, 'unknown_')) return null;
        throw $refused;
    }
}

/**
 * Polls every second until the transaction is settled or needs attention, for at most a minute. With a webhook,
 * polling is not necessary.
 */
function follow(string $path): array
{
    for ($asked = 1; ; $asked++) {
        $tracked = send('GET', $path);
        if ($tracked['settled'] || $tracked['outcome'] === 'needs_attention' || $asked === 60) return $tracked;
        sleep(1);
    }
}

/**
 * Ends the process with code 0 after success, 1 after another settled outcome, 75 if the transaction is not settled.
 * After 75, run the same command again later.
 */
function finish(array $tracked): never
{
    if (!$tracked['settled']) {
        fwrite(STDERR, "Not settled. Run the same command again, and pay by no other way.\n");
        exit(75);
    }
    exit(in_array($tracked['outcome'], ['succeeded', 'paid'], true) ? 0 : 1);
}
