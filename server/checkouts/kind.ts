/** Checkout as a kind of transaction: how it is sent and asked about, and what an answer makes of it. */

import type { InitiateRequest } from '../contract/checkout.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Kind } from '../transactions/kind.ts'
import type { Observation } from './advance.ts'
import { GatewayError, GatewayRefusal } from '../gateway/errors.ts'
import { advance } from './advance.ts'
import { readCheckout } from './record.ts'
import { askAt, freshForMs, retryAt } from './schedule.ts'
import { viewOf } from './view.ts'

/** Sends an intent, for the first time or again with the same bytes. @throws {GatewayError} when the answer is unknown. */
export type SendIntent = (request: InitiateRequest, currency: string) => Promise<Observation>

export function createSendIntent(client: GatewayClient, pageHosts: readonly string[]): SendIntent {
  return async (request, currency) => {
    try {
      const answer = await client.initiateCheckout(request, { currency })
      const { host } = new URL(answer.redirect_url)
      if (pageHosts.includes(host)) return { kind: 'acknowledged', answer }
      const why = `The gateway's hosted page is on ${host}, which GATEWAY_PAGE_HOSTS does not name.`
      return { kind: 'refused', why, refusal: null, contradicts: true }
    } catch (error) {
      if (error instanceof GatewayRefusal) {
        return { kind: 'refused', why: error.message, refusal: error.refusal, contradicts: false }
      }
      if (error instanceof GatewayError && error.code === 'gateway_contradiction') {
        return { kind: 'refused', why: error.message, refusal: null, contradicts: true }
      }
      throw error
    }
  }
}

export function createCheckoutKind(client: GatewayClient, send: SendIntent): Kind<Observation> {
  return {
    async ask(transaction) {
      const { record, reference } = readCheckout(transaction)
      const payload = await client.getCheckoutStatus(reference)
      if (!payload) return { kind: 'unknown' }
      // An intent that did arrive: the same bytes again bring the session whose address was lost.
      if (record.phase === 'intended') return send(record.request, record.asked.currency)
      return { kind: 'status', payload }
    },

    advance(transaction, observation, { askedAt, now }) {
      const checkout = readCheckout(transaction)
      const { record, events, what } = advance(checkout, observation, askedAt)
      const isNew = what !== null && record !== checkout.record
      const next = isNew ? { ...checkout, record, version: checkout.version + 1, updated_at: now } : checkout
      return {
        ...(isNew && { record }),
        due_at: askAt({ ...next, record }, now),
        what,
        events: events.map((event) => {
          const type = `checkout.${event}`
          return {
            type,
            body: JSON.stringify({ type, timestamp: new Date(now).toISOString(), data: viewOf(next, now) }),
          }
        }),
      }
    },

    retryAt: (transaction, now) => retryAt(transaction.failures, now),
    freshForMs: (transaction, now) => freshForMs(readCheckout(transaction), now),
  }
}
