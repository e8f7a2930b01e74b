/** Delivers events as webhooks, signed according to the Standard Webhooks specification. */

import type { Clock } from '../clock.ts'
import type { Secret } from '../config/secret.ts'
import type { Fetch } from '../exchange.ts'
import type { Log } from '../log.ts'
import type { BuildTraceHeaders } from '../trace.ts'
import type { OutboxEvent } from '../outbox.ts'
import { Webhook } from 'standardwebhooks'
import { exchange } from '../exchange.ts'
import { DeliveryError } from './backend-answer.ts'

interface WebhookOptions {
  url: string
  /**
   * The signing secrets (base64 after the prefix `whsec_`): the current secret and, while secrets are rotated, the
   * previous secret. Each delivery has one signature per secret.
   */
  secrets: readonly Secret[]
  fetch: Fetch
  clock: Clock
  log: Pick<Log, 'warn'>
  traceHeaders: BuildTraceHeaders
}

const DEADLINE_MS = 15_000
/** The maximum size of the webhook's response, in bytes. Only the status of the response is used. */
const MAX_ANSWER_BYTES = 64_000

/**
 * The beginning of a page, or of an error that PHP displays. Either has HTTP 200, and has probably not handled the event.
 * The header Content-Type does not tell: PHP sends text/html by default.
 */
const HTML = /^\s*<(!doctype|html|head|body|br|b>)/i
const ANSWERED_BY_A_PAGE =
  'MERCHANT_WEBHOOK_URL accepted an event, but responded with a page: does it handle events, and did it fail?'

/** Delivers an event, and resolves with the HTTP status. Rejects with a {@link DeliveryError} if it was not accepted. */
type DeliverWebhook = (event: Pick<OutboxEvent, 'id' | 'body' | 'trace_id'>) => Promise<number>

export function webhookSink({
  url,
  secrets,
  fetch,
  clock,
  log,
  traceHeaders,
}: WebhookOptions): DeliverWebhook {
  const signers = secrets.map((secret) => new Webhook(secret.reveal()))
  return async ({ id, body, trace_id }) => {
    const now = new Date(clock.now())
    const answer = await exchange(fetch, clock, {
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': signers.map((signer) => signer.sign(id, now, body)).join(' '),
        ...traceHeaders(trace_id),
      },
      body,
      deadlineMs: DEADLINE_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    })
    if (answer.kind !== 'answer')
      throw new DeliveryError(
        `The merchant's webhook brought no response: ${answer.kind}.`,
        null,
        answer.kind,
      )
    const { status, text } = answer
    if (status < 200 || status > 299)
      throw new DeliveryError(`The merchant's webhook responded with HTTP ${status}.`, status, text)
    if (HTML.test(text)) log.warn({ id, status, trace_id }, ANSWERED_BY_A_PAGE)
    return status
  }
}
