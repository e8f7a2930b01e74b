<?php
/** A client of the payment server's /api: sends requests, and polls a transaction until it is settled. */

// An uncaught exception prints its message and sets the exit code to 1.
set_exception_handler(function (Throwable $problem) {
    fwrite(STDERR, $problem->getMessage() . "\n");
    exit(1);
});

foreach (['PUBLIC_URL', 'MERCHANT_API_KEY'] as $name) {
    if (!getenv($name)) throw new RuntimeException("$name is not set.");
}

/** An error response of the payment server, with the `code` of its problem document. */
class Refused extends Exception
{
    public function __construct(string $detail, public readonly string $problem)
    {
        parent::__construct($detail);
    }
}

/**
 * Sends a request and returns the JSON answer. Throws a Refused if the server answers with an error that a retry
 * cannot mend. After other failures it repeats the request up to three times, then ends the process with code 75.
 *
 * Repeating is safe: the server recognizes the reference in the body and does not pay twice. Never use a new
 * reference for a retry: it would be a new payment.
 */
function send(string $method, string $path, ?array $body = null): array
{
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

/** Returns the transaction at the path, or null if the server has no such transaction. */
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
 * Polls a transaction every second, for at most a minute. Returns the transaction once it is settled or its outcome
 * is `needs_attention`, otherwise after a minute. With a webhook, polling is not necessary.
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
 * Ends the process with code 0 if the transaction succeeded, 1 if it was settled otherwise, 75 if it is not settled.
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
