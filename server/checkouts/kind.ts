/** Implements the transaction kind `checkout`. */

import type { GatewayClient } from '../gateway/client.ts'
import type { Kind } from '../transactions/kind.ts'
import type { Progress } from '../transactions/schedule.ts'
import type { Checkout, CheckoutRecord } from './record.ts'
import type { CheckoutEvent, Observation } from './transition.ts'
import type { Opened } from './variants.ts'
import { GatewayError, GatewayRefusal } from '../gateway/errors.ts'
import { EXPIRY_GRACE_MS } from '../payins/outcome.ts'
import { createServiceConfirmations, isConfirming, isRefundDue } from '../payins/service-confirmation.ts'
import { freshForMs, SECOND } from '../transactions/schedule.ts'
import { bindTransition } from '../transactions/transition.ts'
import { determineOutcome } from './outcome.ts'
import { readCheckout } from './record.ts'
import { transition } from './transition.ts'
import * as variants from './variants.ts'
import { viewOf } from './view.ts'

/** @param pageHosts Hosts that a shopper may be sent to. */
export function createCheckoutKind(client: GatewayClient, pageHosts: readonly string[]): Kind {
  return {
    submissionOf(transaction) {
      const { record } = readCheckout(transaction)
      return record.phase === 'intended' ? record : null
    },
    progressOf: (transaction) => progressOf(readCheckout(transaction)),
    send: async (transaction) => observeCheckout(await send(readCheckout(transaction).record)),
    queryStatus: async (transaction) => observeCheckout(await queryStatus(readCheckout(transaction))),
    serviceConfirmations: createServiceConfirmations(
      client,
      (transaction) => {
        const { record } = readCheckout(transaction)
        return record.phase === 'open' ? record.confirmation : null
      },
      observeCheckout,
    ),
  }

  async function queryStatus({ record, reference }: Checkout): Promise<Observation> {
    const payload = await variants.queryStatus(client, record.requested, reference)
    if (!payload) return { kind: 'unknown' }
    // The gateway has the checkout, but its acknowledgement was lost: a resend of the same bytes returns the session's
    // URL.
    return record.phase === 'intended' ? send(record) : { kind: 'status', payload }
  }

  async function send(record: CheckoutRecord): Promise<Observation> {
    if (record.phase !== 'intended') return { kind: 'unknown' }
    try {
      return readAnswer(await variants.send(client, record.submission, record.requested))
    } catch (error) {
      if (error instanceof GatewayRefusal)
        return { kind: 'refused', why: error.message, refusal: error.refusal }
      const contradicts = error instanceof GatewayError && error.code === 'gateway_contradiction'
      if (contradicts) return { kind: 'refused', why: error.message, refusal: null }
      throw error
    }
  }

  function readAnswer(answer: Opened): Observation {
    const { host } = new URL(answer.redirect_url)
    if (pageHosts.includes(host)) return { kind: 'acknowledged', answer }
    const why = `The gateway's hosted page is on ${host}, which GATEWAY_PAGE_HOSTS does not name.`
    return { kind: 'refused', why, refusal: null }
  }
}

export const observeCheckout = bindTransition<Checkout, Observation, CheckoutEvent>({
  read: readCheckout,
  transition,
  outcomeOf: (checkout) => determineOutcome(checkout).outcome,
  progressOf,
  describeEvent: (event, checkout, now) => ({ type: `checkout.${event}`, data: viewOf(checkout, now) }),
})

function progressOf({ record, created_at, updated_at }: Checkout): Progress {
  switch (record.phase) {
    case 'refused':
    case 'abandoned':
      return { stage: 'ended' }
    case 'intended':
      return { stage: 'unacknowledged' }
    case 'open': {
      const { session, settled_at, confirmation, reported } = record
      if (isConfirming(confirmation)) return { stage: 'confirming' }
      if (settled_at !== null) {
        if (isRefundDue(confirmation, reported)) return { stage: 'open', since: updated_at }
        return { stage: 'settled', at: settled_at }
      }
      // A status means something else after the session expires, so a query is due then.
      const deadlines = [session.expires_at, session.expires_at + EXPIRY_GRACE_MS].map((at) => at + SECOND)
      return { stage: 'open', since: created_at, deadlines }
    }
  }
}

/** Returns how long the stored state is fresh for a page that polls, in milliseconds. */
export function pollPauseMs(checkout: Checkout, now: number): number {
  return freshForMs(progressOf(checkout), checkout, now)
}
