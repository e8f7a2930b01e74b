/** Checkout as a kind of transaction: how it is sent and asked about, and what an answer makes of it. */

import type { InitiateResponse } from '../contract/checkout.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Kind, Observed } from '../transactions/kind.ts'
import type { Observation } from './advance.ts'
import type { CheckoutRecord } from './record.ts'
import { GatewayError, GatewayRefusal } from '../gateway/errors.ts'
import { advance } from './advance.ts'
import { judge } from './outcome.ts'
import { readCheckout } from './record.ts'
import { askAt, freshForMs } from './schedule.ts'
import { viewOf } from './view.ts'

/** @param pageHosts Hosts that a shopper may be sent to. */
export function createCheckoutKind(client: GatewayClient, pageHosts: readonly string[]): Kind {
  return {
    isUnsent: (transaction) => readCheckout(transaction).record.phase === 'intended',
    send: async (transaction) => observed(await send(readCheckout(transaction).record)),

    async ask(transaction) {
      const { record, reference } = readCheckout(transaction)
      const payload = await client.getCheckoutStatus(reference)
      if (!payload) return observed({ kind: 'unknown' })
      // An intent that did arrive: the same bytes again bring the session whose address was lost.
      return observed(record.phase === 'intended' ? await send(record) : { kind: 'status', payload })
    },

    // [assumed] Only the shopper who waits wants it sent again; one who left is not charged by surprise.
    isToBeSentAgain: () => false,
    freshForMs: (transaction, now) => freshForMs(readCheckout(transaction), now),
  }

  async function send(record: CheckoutRecord): Promise<Observation> {
    if (record.phase !== 'intended') return { kind: 'unknown' }
    try {
      const { currency } = record.asked
      return readAnswer(await client.initiateCheckout(record.request, { currency }))
    } catch (error) {
      if (error instanceof GatewayRefusal)
        return { kind: 'refused', why: error.message, refusal: error.refusal }
      const contradicts = error instanceof GatewayError && error.code === 'gateway_contradiction'
      if (contradicts) return { kind: 'refused', why: error.message, refusal: null }
      throw error
    }
  }

  function readAnswer(answer: InitiateResponse): Observation {
    const { host } = new URL(answer.redirect_url)
    if (pageHosts.includes(host)) return { kind: 'acknowledged', answer }
    const why = `The gateway's hosted page is on ${host}, which GATEWAY_PAGE_HOSTS does not name.`
    return { kind: 'refused', why, refusal: null }
  }
}

function observed(observation: Observation): Observed {
  return (transaction, { askedAt, now }) => {
    const checkout = readCheckout(transaction)
    const { record, events, what } = advance(checkout, observation, askedAt)
    const isNew = what !== null && record !== checkout.record
    const next = isNew ? { ...checkout, record, version: checkout.version + 1, updated_at: now } : checkout
    return {
      ...(isNew && { record, outcome: judge(next).outcome }),
      due_at: askAt({ ...next, record }, now),
      what,
      events: events.map((event) => {
        const type = `checkout.${event}`
        const timestamp = new Date(now).toISOString()
        return { type, body: JSON.stringify({ type, timestamp, data: viewOf(next, now) }) }
      }),
    }
  }
}
