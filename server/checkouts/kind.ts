/**
 * Implements the transaction kind `checkout`: sends checkouts to the gateway, queries their status, sends service
 * confirmations and computes when the next status query is due.
 */

import type { GatewayClient } from '../gateway/client.ts'
import type { GatewaySettings } from '../config/gateway.ts'
import type { Kind, Rules } from '../transactions/kind.ts'
import type { Progress } from '../transactions/schedule.ts'
import type { Checkout } from './record.ts'
import type { CheckoutEvent, Observation } from './transition.ts'
import type { Opened } from './variants.ts'
import { GatewayError, GatewayRefusal } from '../gateway/errors.ts'
import { EXPIRY_GRACE_MS, LONGEST_IN_FLIGHT_MS } from '../payins/outcome.ts'
import { hasMoney, moneyOf } from '../payins/money.ts'
import { redactRefusal } from '../payins/payer.ts'
import { CANNOT_OPEN } from '../privacy/personal.ts'
import { toReportedState } from '../payins/reported-state.ts'
import { payInProgress, sendDecision } from '../payins/service-confirmation.ts'
import { freshForMs, SECOND } from '../transactions/schedule.ts'
import { submissionProgress } from '../transactions/submission.ts'
import { determineOutcome } from './outcome.ts'
import { isCharge, readCheckout } from './record.ts'
import { announce, transition } from './transition.ts'
import * as variants from './variants.ts'
import { viewOf } from './view.ts'

/**
 * Creates the transaction kind `checkout`.
 *
 * @param gateway The URL of a hosted page is allowed only if it has the protocol of `baseUrl` and a host in
 * `pageHosts`.
 */
export function createCheckoutKind(
  client: GatewayClient,
  gateway: Pick<GatewaySettings, 'baseUrl' | 'pageHosts'>,
): Kind<Checkout, Observation, CheckoutEvent> {
  return {
    ...rules,
    send,
    queryStatus,
    familyOf: (transaction) => (isCharge(readCheckout(transaction).record) ? 'charge' : 'checkout'),
    confirmation: {
      of: ({ record }) => (record.phase === 'open' ? record.confirmation : null),
      send: ({ trace_id }, decision) => sendDecision(client, decision, trace_id),
    },
  }

  async function queryStatus(checkout: Checkout): Promise<Observation> {
    const { record } = checkout
    const payload = await variants.queryStatus(client, checkout)
    if (typeof payload === 'string') return { kind: payload }
    const money = moneyOf(toReportedState(payload, 0, record.requested.currency))
    const isPaid = hasMoney(money) || money.returned
    if (record.phase !== 'intended' || isCharge(record) || isPaid) return { kind: 'status', payload }
    // The gateway knows the checkout, but the acknowledgement was lost. If the same bytes are sent again, the gateway
    // responds with the URL of the hosted page, or refuses the duplicate. For a charge, it could create a second one.
    const answer = await post({ ...checkout, sent_at: null })
    return answer.kind === 'refused' ? { kind: 'status', payload } : answer
  }

  async function send(checkout: Checkout): Promise<Observation> {
    const answer = await post(checkout)
    if (answer.kind !== 'refused' || answer.refusal === null) return answer
    // The spec shows no code for a duplicate. [assumed] Any refusal may be one: of a send whose answer was lost, or of an
    // attempt that the store has lost. The status shows whether the gateway has the checkout.
    const payload = await variants.queryStatus(client, checkout)
    return typeof payload === 'string' ? answer : { kind: 'status', payload }
  }

  async function post({ record, trace_id: traceId, sent_at: sentAt }: Checkout): Promise<Observation> {
    if (record.phase !== 'intended') return { kind: 'unknown' }
    const { submission } = record
    if (submission.request === null) return { kind: 'refused', why: CANNOT_OPEN, refusal: null }
    try {
      return readAnswer(await variants.send(client, submission, record.requested, { traceId, sentAt }))
    } catch (error) {
      if (error instanceof GatewayRefusal)
        return { kind: 'refused', ...redactRefusal(error, submission.request) }
      if (!(error instanceof GatewayError) || error.code !== 'gateway_contradiction') throw error
      // The payer of a prompt may have been charged: the status queries show the result.
      if (submission.variant === 'prompt') throw error
      return { kind: 'refused', why: error.message, refusal: null }
    }
  }

  function readAnswer(answer: Opened): Observation {
    if (answer.redirect_url === null) return { kind: 'acknowledged', answer }
    const why = findPageError(answer.redirect_url, gateway)
    if (why !== null) return { kind: 'refused', why, refusal: null }
    // In `href`, characters that a `Location` header must not contain are percent-encoded.
    return { kind: 'acknowledged', answer: { ...answer, redirect_url: new URL(answer.redirect_url).href } }
  }
}

/**
 * Returns the reason why the URL of a hosted page is not allowed, as a sentence; `null` if the URL is allowed. The URL
 * must have the protocol of GATEWAY_BASE_URL: an attacker could change a page that is sent over `http:`.
 */
function findPageError(
  redirectUrl: string,
  { baseUrl, pageHosts }: Pick<GatewaySettings, 'baseUrl' | 'pageHosts'>,
): string | null {
  const { protocol, host, username, password } = new URL(redirectUrl)
  const page = "The URL of the gateway's hosted page"
  if (!pageHosts.includes(host)) return `${page} is on ${host}, which GATEWAY_PAGE_HOSTS does not name.`
  if (protocol !== new URL(baseUrl).protocol) return `${page} has another protocol than GATEWAY_BASE_URL.`
  if (username || password) return `${page} contains a user name or a password.`
  return null
}

export const rules: Rules<Checkout, Observation, CheckoutEvent> = {
  read: readCheckout,
  transition,
  announce,
  outcomeOf: (checkout) => determineOutcome(checkout).outcome,
  progressOf,
  requestOf: ({ requested }) => ({ amount: `${requested.amount} ${requested.currency}`, terms: requested }),
  describeEvent: (event, checkout, now) => ({ type: `checkout.${event}`, data: viewOf(checkout, now) }),
}

function progressOf({ record, ...row }: Checkout): Progress {
  switch (record.phase) {
    case 'refused':
      // The gateway may have the prompt all the same, and then a person has to return the money.
      return record.prompt && row.sent_at !== null
        ? { stage: 'settled', at: row.sent_at }
        : { stage: 'ended' }
    case 'abandoned':
      return { stage: 'ended' }
    case 'intended':
      return submissionProgress(record, row)
    case 'open': {
      const { expires_at } = record.session
      // After the session expires, the same status can mean another outcome. A status query is therefore due at expiry,
      // after the grace period, and when no payment is in flight any more.
      const deadlines = [0, EXPIRY_GRACE_MS, LONGEST_IN_FLIGHT_MS].map((ms) => expires_at + ms + SECOND)
      return payInProgress(record, row, deadlines)
    }
  }
}

/**
 * Returns how long a page waits before it polls the checkout again, in milliseconds. During this time, a poll returns
 * the stored state and does not query the gateway.
 */
export function pollPauseMs(checkout: Checkout, now: number): number {
  return freshForMs(progressOf(checkout), checkout, now)
}
