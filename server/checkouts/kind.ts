/** Checkout as a kind of transaction: how it is sent and asked about, and what an answer makes of it. */

import type { GatewayClient } from '../gateway/client.ts'
import type { Decision } from '../transactions/service-confirmation.ts'
import type { Kind } from '../transactions/kind.ts'
import type { BoundTransition } from '../transactions/transition.ts'
import type { CheckoutEvent, Observation } from './transition.ts'
import type { Checkout, CheckoutRecord } from './record.ts'
import type { Opened } from './variants.ts'
import { GatewayError, GatewayRefusal } from '../gateway/errors.ts'
import { sendDecision, pendingDecision } from '../payins/service-confirmation.ts'
import { bindTransition } from '../transactions/transition.ts'
import { transition } from './transition.ts'
import { determineOutcome } from './outcome.ts'
import { readCheckout } from './record.ts'
import { nextQueryAt, freshForMs } from './schedule.ts'
import * as variants from './variants.ts'
import { viewOf } from './view.ts'

/** @param pageHosts Hosts that a shopper may be sent to. */
export function createCheckoutKind(client: GatewayClient, pageHosts: readonly string[]): Kind {
  return {
    isUnsent: (transaction) => readCheckout(transaction).record.phase === 'intended',
    send: async (transaction) => observe(await send(readCheckout(transaction).record)),

    ask: async (transaction) => observe(await ask(readCheckout(transaction))),

    // [assumed] Only the shopper who waits wants it sent again; one who left is not charged by surprise.
    isToBeSentAgain: () => false,
    freshForMs: (transaction, now) => freshForMs(readCheckout(transaction), now),
    serviceConfirmations: {
      of(transaction) {
        const { record } = readCheckout(transaction)
        return record.phase === 'open' ? record.fulfilment : null
      },
      decide: (said) => observe({ kind: 'fulfilment', news: { kind: 'decided', said } }),
      confirm(transaction) {
        const { record } = readCheckout(transaction)
        const decision =
          record.phase === 'open' && record.fulfilment ? pendingDecision(record.fulfilment) : null
        return decision && say(decision)
      },
    },
  }

  async function say(decision: Decision): Promise<BoundTransition> {
    return observe({ kind: 'fulfilment', news: await sendDecision(client, decision) })
  }

  async function ask({ record, reference }: Checkout): Promise<Observation> {
    const payload = await variants.ask(client, record.asked, reference)
    if (!payload) return { kind: 'unknown' }
    // An intent that did arrive: the same bytes again bring the session whose address was lost.
    return record.phase === 'intended' ? send(record) : { kind: 'status', payload }
  }

  async function send(record: CheckoutRecord): Promise<Observation> {
    if (record.phase !== 'intended') return { kind: 'unknown' }
    try {
      return readAnswer(await variants.send(client, record.submission, record.asked))
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

const observe = bindTransition<Checkout, Observation, CheckoutEvent>({
  read: readCheckout,
  transition,
  outcomeOf: (checkout) => determineOutcome(checkout).outcome,
  nextQueryAt,
  describeEvent: (event, checkout, now) => ({ type: `checkout.${event}`, data: viewOf(checkout, now) }),
})
