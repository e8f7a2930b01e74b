import type { CheckoutSession } from '../../demo/sandbox/sessions/session.ts'
import type { SandboxFetch, Timeline } from '../../demo/sandbox/index.ts'
import type { FetchAnswer, FetchInit } from '../../server/exchange.ts'
import type { SeededRandom } from '../support/seeded-random.ts'
import type { Story } from './story.ts'
import { entryOf } from '../../demo/sandbox/airtime/recipient.ts'
import { createApp } from '../../demo/sandbox/app.ts'
import { payoutStatusOf } from '../../demo/sandbox/payouts/payout.ts'
import { payoutPayloadOf } from '../../demo/sandbox/payouts/result.ts'
import { SEEDED_MERCHANTS } from '../../demo/sandbox/seeded-merchants.ts'
import { openPaymentOf, payloadOf, statusOf } from '../../demo/sandbox/sessions/session.ts'
import { createSimulation } from '../../demo/sandbox/world.ts'

export type Gateway = ReturnType<typeof createGateway>
type Payload = ReturnType<typeof payloadOf>

interface GatewayDeps {
  url: string
  timeline: Timeline
  seed: number
  random: SeededRandom
  story: Story
  fetch: SandboxFetch
  portal: Parameters<typeof createSimulation>[0]['portal']
}

const MISREPORTS = {
  short: (payload: Payload): object =>
    withPayments(payload, (payment) => ({ ...payment, amount: '1.00' }), '1'),
  currency: (payload: Payload): object => ({
    ...withPayments(payload, (payment) => ({ ...payment, currency_code: 'TZS' }), payload.amount),
    currency: 'TZS',
  }),
  reference: (payload: Payload): object =>
    withPayments(payload, (payment) => ({ ...payment, external_reference: 'another' }), payload.amount),
} as const

function withPayments(
  payload: Payload,
  change: (payment: Payload['payments'][number]) => object,
  amount: string,
) {
  return { ...payload, amount, payments: payload.payments.map(change) }
}

export function createGateway({ url, timeline, seed, random, story, fetch, portal }: GatewayDeps) {
  const simulation = createSimulation({
    merchants: SEEDED_MERCHANTS.sandbox,
    users: [],
    timeline,
    fetch,
    seed,
    callbackHosts: [],
    portal,
  })
  const app = createApp(simulation, url)
  const world = simulation.world()
  /**
   * For each reference, the time from which status queries find the transaction, in milliseconds since the Unix epoch.
   */
  const knownFrom = new Map<string, number>()
  const misreported = new Map<string, keyof typeof MISREPORTS>()

  const gateway = {
    world,
    otherWorlds: simulation.worlds().slice(1),
    state: 'up' as 'up' | 'refusing',
    /** The longest time, in milliseconds, from an acknowledgement until status queries find the transaction. */
    longestLagMs: 0,
    misreportProbability: 0,

    async receive(target: string, init: FetchInit): Promise<FetchAnswer & { text: string }> {
      if (gateway.state === 'refusing') return answer(503, '<h1>Maintenance</h1>')
      const { pathname } = new URL(target)
      const reference = referenceIn(pathname, init.body)
      if (init.method === 'GET' && reference !== null && (knownFrom.get(reference) ?? 0) > timeline.now())
        return answer(404, unknown(pathname, reference))
      const found = init.method === 'GET' && reference !== null ? statusOfAny(pathname, reference) : null
      // Shortcut for status queries, which are most requests: the sandbox's routes take 0.3 ms each.
      if (found && reference !== null && !world.tokens.failureOf(init.headers['x-access-token']))
        return answer(200, reportOf(reference, JSON.stringify(found)))
      const given = await app.request(target, init)
      const text = await given.text()
      if (init.method === 'POST' && reference !== null && !knownFrom.has(reference) && given.ok)
        accept(reference)
      return answer(given.status, text)
    },

    payload(reference: string): Payload | null {
      const session = world.sessions.get(reference)
      return session
        ? JSON.parse(reportOf(reference, JSON.stringify(payloadOf(session, timeline.now()))))
        : null
    },

    isPayable(reference: string): boolean {
      const session = world.sessions.get(reference)
      if (!session || timeline.now() >= session.expiresAt || isAnsweredPrompt(session)) return false
      return [802, 803].includes(statusOf(session, timeline.now()))
    },

    payoutStatus(reference: string): number | null {
      const payout = world.payouts.get(reference)
      return payout ? payoutStatusOf(payout) : null
    },

    airtimeStatus(reference: string, phoneNumber: string): number | null {
      const recipient = world.airtime.get(reference)?.recipients.get(phoneNumber)
      return recipient ? entryOf(recipient).service_status : null
    },
  }
  return gateway

  function statusOfAny(pathname: string, reference: string): object | null {
    const airtime = pathname.startsWith('/v1/gw/airtime/') ? world.airtime.get(reference) : undefined
    if (airtime) return [...airtime.recipients.values()].map(entryOf)
    const payout = pathname.startsWith('/v1/payouts/') ? world.payouts.get(reference) : undefined
    if (payout) return payoutPayloadOf(payout)
    const session = world.sessions.get(reference)
    const isFor = pathname.startsWith('/v1/charges/') ? 'charge' : 'checkout'
    return session?.instruction.kind === isFor ? payloadOf(session, timeline.now()) : null
  }

  function accept(reference: string): void {
    // The servers give up a checkout if the gateway does not know it two minutes after it was sent.
    const most = world.sessions.has(reference) ? Math.min(gateway.longestLagMs, 20_000) : gateway.longestLagMs
    const lagMs = random.between(0, most)
    knownFrom.set(reference, timeline.now() + lagMs)
    if (lagMs > 0) story.fault('gateway lags', `The gateway finds ${reference} only after ${lagMs} ms`)
    if (!world.sessions.has(reference) || !random.happens(gateway.misreportProbability)) return
    const as = random.pick(Object.keys(MISREPORTS) as (keyof typeof MISREPORTS)[])
    misreported.set(reference, as)
    story.fault('misreported payment', `The gateway will misreport the ${as} of ${reference}`)
  }

  function reportOf(reference: string | null, text: string): string {
    const as = misreported.get(reference ?? '')
    if (as === undefined) return text
    const payload: Payload = JSON.parse(text)
    return payload.status === 801 ? JSON.stringify(MISREPORTS[as](payload)) : text
  }
}

/**
 * Returns whether the shopper has answered the prompt of an order. [assumed] The gateway prompts the payer of a direct
 * charge once. The charges of the merchant's backend (`C-…`) may be prompted again, which the server has to survive.
 */
export function isAnsweredPrompt(session: CheckoutSession): boolean {
  const { instruction, id } = session
  const isPrompt = instruction.kind === 'charge' && instruction.request.payment_method_code !== undefined
  return isPrompt && !id.startsWith('C-') && openPaymentOf(session) === undefined
}

const FIELDS = ['merchant_transaction_id', 'payout_reference', 'external_reference', 'reference']

export function referenceIn(pathname: string, body: string | undefined): string | null {
  const queried =
    /\/([^/]+)\/status$/.exec(pathname)?.[1] ?? /\/checkout\/status\/([^/]+)$/.exec(pathname)?.[1]
  if (queried !== undefined) return queried
  if (body === undefined) return null
  const fields: Record<string, unknown> = JSON.parse(body)
  const field = FIELDS.find((name) => typeof fields[name] === 'string')
  return field === undefined ? null : String(fields[field])
}

function unknown(pathname: string, reference: string): string {
  const described = {
    response_code: 723,
    response_description: 'Not found',
    error_code: 'RESOURCE_NOT_FOUND',
  }
  if (pathname.startsWith('/v1/payouts/'))
    return JSON.stringify({ payout_reference: reference, ...described })
  if (pathname.startsWith('/v1/gw/airtime/')) return JSON.stringify({ reference, ...described })
  return JSON.stringify({ status_code: 120, status_description: 'Transaction not found', message: reference })
}

const encoder = new TextEncoder()

function answer(status: number, text: string) {
  return {
    status,
    text,
    body: {
      async *[Symbol.asyncIterator]() {
        yield encoder.encode(text)
      },
    },
  }
}
