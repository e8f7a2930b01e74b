/** Delivers events as webhooks, signed according to the Standard Webhooks specification. */

import { Webhook } from 'standardwebhooks'

import { parseJson } from '../contract/parse.ts'
import { exchange, isNotListening, isSuccess } from '../http/exchange.ts'
import { DeliveryError } from './deliver.ts'
import { TOLERANCE_MS } from './verify-webhook.ts'

import type { Secret } from '../config/secret.ts'
import type { Exchange, Fetch, BuildTraceHeaders } from '../http/exchange.ts'
import type { StoredEvent } from '../store/events.ts'
import type { Clock } from '../work/clock.ts'

interface WebhookOptions {
  url: string
  /**
   * The signing secrets (base64 after the prefix `whsec_`): the current secret and, while secrets are rotated, the
   * previous secret. Each delivery has one signature per secret.
   */
  secrets: readonly Secret[]
  fetch: Fetch
  clock: Clock
  traceHeaders: BuildTraceHeaders
}

/** The time within which the webhook must respond, in milliseconds. */
const DEADLINE_MS = 15_000
/** The maximum size of the webhook's response, in bytes. */
const MAX_ANSWER_BYTES = 64_000
/** What happened if there is no complete answer, and what the merchant can do. */
const INCOMPLETE = {
  timeout: (failure: string) => `${failure}. Answer first, and do the work in a job.`,
  unreachable: (failure: string) => `${failure}.`,
  too_large: (failure: string) => `${failure}. An event that is handled is answered with an empty body.`,
} as const
/** Why a 2xx with another body does not accept an event, and what the merchant can do. */
const acceptsNothing = (status: number) =>
  `The merchant's webhook responded with HTTP ${status} and a body that accepts nothing: an event that is handled is answered with an empty body, JSON, or one line of plain words. MERCHANT_WEBHOOK_URL may lead to a login page, or to another page of the shop; or PHP displays an error or a warning: mend it, and set display_errors=Off, so that an error is answered with 500.`

/** The bodies beside JSON that accept an event: none, or one line of words such as OK, Created, Webhook Handled. */
const PLAIN_WORDS = /^[\p{L}\p{M}\p{N} .,!_-]{0,100}$/u
/** How a page of a framework begins. */
const PAGE = /^\s*<(!doctype html|html)\b/i

/** The statuses by which a backend refuses a signature. */
const UNVERIFIED: ReadonlySet<number> = new Set([401, 403])
/**
 * The statuses by which a framework's CSRF check refuses a request, with a page: 403 in Django and Express, 419 in
 * Laravel, 400 in Flask, 422 in Rails. No CSRF check responds with 401.
 *
 * [assumed] A handler of events that refuses one of them responds without a page.
 */
const BLOCKED: ReadonlySet<number> = new Set([400, 403, 419, 422])
/**
 * The statuses by which a backend may refuse a forged event. It should respond with 401, but what it verifies with may
 * respond with another of these. A 404 or 5xx says nothing of a signature.
 */
export const REFUSES_FORGED: ReadonlySet<number> = new Set([400, 401, 403, 422])

/**
 * Delivers an event, and resolves with the HTTP status. Rejects with a {@link DeliveryError} if it was not accepted.
 */
type DeliverWebhook = (event: Pick<StoredEvent, 'id' | 'body' | 'trace_id'>) => Promise<number>

export function deliverToWebhook({
  url,
  secrets,
  fetch,
  clock,
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

    // A status that refuses the event says more than that the rest of the answer is missing.
    if (answer.status !== null && !isSuccess(answer.status)) {
      const { code, reason } = explainRefusal(answer.status, answer, now.getTime())
      const text = answer.kind === 'answer' ? answer.mask(answer.text) : answer.kind
      throw new DeliveryError(reason, code, answer.status, text)
    }

    if (answer.kind !== 'answer') {
      const { kind } = answer
      const code = kind === 'unreachable' && isNotListening(answer.cause) ? 'not_listening' : kind
      const failure = `The merchant's webhook ${answer.summary}`
      throw new DeliveryError(INCOMPLETE[kind](failure), code, answer.status, kind)
    }

    const { status, text, mask } = answer
    if (!isAcceptance(text)) {
      throw new DeliveryError(acceptsNothing(status), 'no_acceptance', status, mask(text))
    }
    return status
  }
}

interface Refusal {
  code: 'refused' | 'blocked' | 'unverified'
  reason: string
}

/** Says why a backend probably refuses an event. The header `Date` of its answer tells whether its clock is right. */
function explainRefusal(status: number, answer: Exchange, now: number): Refusal {
  const { headers, text } = answer.kind === 'answer' ? answer : { headers: undefined, text: '' }
  const failure = `The merchant's webhook ${answer.summary}`

  if (status < 400) {
    const reason = `${failure}: set MERCHANT_WEBHOOK_URL to where it leads, unless that is a login.`
    return { code: 'refused', reason }
  }

  if (status >= 500) {
    return { code: 'refused', reason: `${failure}: its log says why.` }
  }

  if (BLOCKED.has(status) && PAGE.test(text)) {
    const reason = `${failure} and a page: a check before the handler has probably refused it, such as a CSRF check, a login or a firewall. Exempt the address from the CSRF check: csrf_exempt in Django, csrf.exempt in Flask, validateCsrfTokens in Laravel, skip_forgery_protection in Rails. A handler refuses with 401 and an empty body.`
    return { code: 'blocked', reason }
  }

  if (!UNVERIFIED.has(status)) {
    return { code: 'refused', reason: `${failure}.` }
  }

  const ahead = Date.parse(headers?.get('date') ?? '') - now
  if (Math.abs(ahead) > TOLERANCE_MS) {
    const side = ahead > 0 ? 'ahead of' : 'behind'
    const minutes = Math.round(Math.abs(ahead) / 60_000)
    const reason = `${failure}: its clock is ${minutes} minutes ${side} this server's, and a signature lives five minutes. Set both clocks by NTP.`
    return { code: 'refused', reason }
  }

  const unverified = `${failure}: it probably has another MERCHANT_WEBHOOK_SECRET than this server, takes the text of the secret for the key (which is the base64 decoding of what follows whsec_), or verifies a parsed body`
  const isClockKnown = !Number.isNaN(ahead)
  return {
    code: 'unverified',
    reason: isClockKnown
      ? `${unverified}. The webhook's clock is right.`
      : `${unverified}, or its clock is wrong.`,
  }
}

/**
 * Returns whether the body of a 2xx accepts an event. After a login page, the page of an app, or an error that PHP
 * displays, wherever in the body, the backend has probably not handled the event. The header Content-Type does not
 * tell: PHP sends text/html even with an empty body. What a JSON text says is not read.
 *
 * [assumed] A backend accepts an event with an empty body, JSON, or one line of plain words.
 */
function isAcceptance(text: string): boolean {
  const body = text.trim()
  return PLAIN_WORDS.test(body) || parseJson(body) !== undefined
}
