/**
 * Implements the transaction kind `checkout`: sends checkouts, queries their status, confirms their service and
 * computes their progress.
 */

import type { GatewayClient } from '../gateway/client.ts'
import type { Transaction } from '../store.ts'
import type { Kind } from '../transactions/kind.ts'
import type { Progress } from '../transactions/schedule.ts'
import type { ServiceConfirmation } from '../transactions/service-confirmation.ts'
import type { Rules } from '../transactions/transition.ts'
import type { Checkout } from './record.ts'
import type { CheckoutEvent, Observation } from './transition.ts'
import type { Opened } from './variants.ts'
import { GatewayError, GatewayRefusal } from '../gateway/errors.ts'
import { EXPIRY_GRACE_MS } from '../payins/outcome.ts'
import { createServiceConfirmations, payInProgress } from '../payins/service-confirmation.ts'
import { createKind } from '../transactions/kind.ts'
import { freshForMs, SECOND } from '../transactions/schedule.ts'
import { bindTransition } from '../transactions/transition.ts'
import { determineOutcome } from './outcome.ts'
import { readCheckout } from './record.ts'
import { transition } from './transition.ts'
import * as variants from './variants.ts'
import { viewOf } from './view.ts'

/**
 * Creates the transaction kind `checkout`.
 *
 * @param pageHosts Allowed hosts of the gateway's hosted page (GATEWAY_PAGE_HOSTS). A session on another host is
 * refused.
 */
export function createCheckoutKind(client: GatewayClient, pageHosts: readonly string[]): Kind {
  return {
    ...createKind(rules, { send, queryStatus }),
    serviceConfirmations: createServiceConfirmations(client, confirmationOf, observeCheckout),
  }

  async function queryStatus(checkout: Checkout): Promise<Observation> {
    const { record, reference, trace_id: traceId } = checkout
    const payload = await variants.queryStatus(client, record.requested, reference, { traceId })
    if (!payload) return { kind: 'unknown' }
    // The gateway knows the checkout, but its acknowledgement was lost: sending the same bytes again returns the URL of
    // the session.
    return record.phase === 'intended' ? send(checkout) : { kind: 'status', payload }
  }

  async function send({ record, trace_id: traceId }: Checkout): Promise<Observation> {
    if (record.phase !== 'intended') return { kind: 'unknown' }
    try {
      return readAnswer(await variants.send(client, record.submission, record.requested, { traceId }))
    } catch (error) {
      const refusal = error instanceof GatewayRefusal ? error.refusal : null
      const isRefused = error instanceof GatewayError && (refusal || error.code === 'gateway_contradiction')
      if (!isRefused) throw error
      return { kind: 'refused', why: error.message, refusal }
    }
  }

  function readAnswer(answer: Opened): Observation {
    const { host } = new URL(answer.redirect_url)
    if (pageHosts.includes(host)) return { kind: 'acknowledged', answer }
    const why = `The gateway's hosted page is on ${host}, which GATEWAY_PAGE_HOSTS does not name.`
    return { kind: 'refused', why, refusal: null }
  }
}

function confirmationOf(transaction: Transaction): ServiceConfirmation | null {
  const { record } = readCheckout(transaction)
  return record.phase === 'open' ? record.confirmation : null
}

const rules: Rules<Checkout, Observation, CheckoutEvent> = {
  read: readCheckout,
  transition,
  outcomeOf: (checkout) => determineOutcome(checkout).outcome,
  progressOf,
  requestOf: ({ requested }) => ({ amount: `${requested.amount} ${requested.currency}`, terms: requested }),
  describeEvent: (event, checkout, now) => ({ type: `checkout.${event}`, data: viewOf(checkout, now) }),
}

export const observeCheckout = bindTransition(rules)

function progressOf({ record, ...row }: Checkout): Progress {
  switch (record.phase) {
    case 'refused':
    case 'abandoned':
      return { stage: 'ended' }
    case 'intended':
      return { stage: 'unacknowledged' }
    case 'open': {
      const { expires_at } = record.session
      // The same status has another outcome after the session expires, so a query is due at expiry.
      const deadlines = [expires_at, expires_at + EXPIRY_GRACE_MS].map((at) => at + SECOND)
      return payInProgress(record, row, deadlines)
    }
  }
}

/** Returns how long a page waits until its next poll, in milliseconds: the stored state is fresh until then. */
export function pollPauseMs(checkout: Checkout, now: number): number {
  return freshForMs(progressOf(checkout), checkout, now)
}
