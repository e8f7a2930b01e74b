/** Checkout as a kind of transaction: how it is sent and asked about, and what an answer makes of it. */

import type { InitiateResponse } from '../contract/checkout.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Kind } from '../transactions/kind.ts'
import type { Observation } from './advance.ts'
import type { Checkout, CheckoutRecord } from './record.ts'
import { GatewayError, GatewayRefusal } from '../gateway/errors.ts'
import { createObserved } from '../transactions/kind.ts'
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

const observed = createObserved<Checkout, Observation>({
  read: readCheckout,
  advance(checkout, observation, askedAt) {
    const { record, events, what } = advance(checkout, observation, askedAt)
    return { record, events: events.map((event) => `checkout.${event}`), what }
  },
  outcomeOf: (checkout) => judge(checkout).outcome,
  askAt,
  show: viewOf,
})
