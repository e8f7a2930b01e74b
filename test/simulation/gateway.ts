import { createApp } from '../../demo/sandbox/app.ts'
import { SEEDED_MERCHANTS } from '../../demo/sandbox/merchants/seeded-merchants.ts'
import { entryOf } from '../../demo/sandbox/money-out/airtime-recipient.ts'
import { payoutPayloadOf, payoutStatusOf } from '../../demo/sandbox/money-out/payout.ts'
import { openPaymentOf, payloadOf, statusOf } from '../../demo/sandbox/sessions/session.ts'
import { createSimulation } from '../../demo/sandbox/world.ts'

import type { SandboxFetch, Timeline } from '../../demo/sandbox/index.ts'
import type { Clock } from '../../demo/sandbox/journal/state-clock.ts'
import type { CheckoutSession } from '../../demo/sandbox/sessions/session.ts'
import type { FetchAnswer, FetchInit } from '../../server/http/exchange.ts'
import type { SeededRandom } from '../support/seeded-random.ts'
import type { Story } from './story.ts'

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

type Misreport = (payload: Payload) => object

/** Misreports of a checkout or a charge that was paid in full. */
const MISREPORTS: Record<string, Misreport> = {
  short: (payload) => ({ ...withPayments(payload, { amount: '1.00' }), amount: '1' }),
  currency: (payload) => ({ ...withPayments(payload, { currency_code: 'TZS' }), currency: 'TZS' }),
  reference: (payload) => withPayments(payload, { external_reference: 'another' }),
}
/** Reports that the specification does not show, and gateways send all the same. */
const ODDITIES: Record<string, Misreport> = {
  'missing amount': (payload) => ({ ...payload, amount: null }),
  'missing payments': (payload) => ({ ...payload, payments: null }),
  'missing reference': (payload) => ({ ...payload, checkout_reference: null }),
  'unreadable amount': (payload) => ({ ...payload, amount: `KES ${payload.amount}` }),
  'unreadable payments': (payload) => under(803, withPayments(payload, { amount: 'KES 1' })),
  'unlisted payments': (payload) => under(803, withPayments(payload, { payment_status: 709 })),
  'money under 803': (payload) => under(803, payload),
  'money under 820': (payload) => under(820, { ...payload, payments: [] }),
}

const withPayments = (payload: Payload, fields: object) => ({
  ...payload,
  payments: payload.payments.map((payment) => ({ ...payment, ...fields })),
})

const isPaid = ({ status }: { status: number }) => status === 801 || status === 802

const under = (status: number, payload: Omit<Payload, 'payments'> & { payments: object[] }) =>
  isPaid(payload) ? { ...payload, status } : payload

/** The clock of a gateway whose state the simulation also changes directly. */
function clockOf(timeline: Timeline): Clock {
  return {
    now: () => timeline.now(),
    isLive: () => true,
    speed: () => timeline.speed(),
    after: (ms, task) => timeline.after(ms, task),
    sleep: (ms) => timeline.sleep(ms).then(() => true),
    ask: async (call, proceed) => proceed(await call()),
  }
}

export function createGateway({ url, timeline, seed, random, story, fetch, portal }: GatewayDeps) {
  const simulation = createSimulation({
    merchants: SEEDED_MERCHANTS.sandbox,
    users: [],
    clock: clockOf(timeline),
    fetch,
    seed,
    callbackHosts: [],
    portal,
    charges: 'spec',
    environment: 'sandbox',
  })
  const app = createApp(simulation, url)
  const world = simulation.world()
  /**
   * For each reference, the time from which status queries find the transaction, in milliseconds since the Unix epoch.
   */
  const knownFrom = new Map<string, number>()
  const misreported = new Map<string, Misreport>()
  /** What the gateway has, although it answered that it rejects it. */
  const rejected = new Set<string>()

  const gateway = {
    world,
    otherWorlds: simulation.worlds().slice(1),
    state: 'up' as 'up' | 'refusing',
    /** The longest time, in milliseconds, from an acknowledgement until status queries find the transaction. */
    longestLagMs: 0,
    misreportProbability: 0,
    oddProbability: 0,
    rejectProbability: 0,
    rejected,
    /** The beginning of the paths that answer 503. */
    deadPath: null as string | null,

    async receive(target: string, init: FetchInit): Promise<FetchAnswer & { text: string }> {
      if (gateway.state === 'refusing') {
        return answer(503, '<h1>Maintenance</h1>')
      }

      const { pathname } = new URL(target)
      if (gateway.deadPath !== null && pathname.startsWith(gateway.deadPath)) {
        return answer(503, '')
      }

      const reference = referenceIn(pathname, init.body)
      if (init.method === 'GET' && reference !== null && (knownFrom.get(reference) ?? 0) > timeline.now()) {
        return answer(404, refusal(pathname, reference, UNKNOWN))
      }

      const found = init.method === 'GET' && reference !== null ? statusOfAny(pathname, reference) : null
      // Shortcut for status queries, which are most requests: the sandbox's routes take 0.3 ms each.
      if (found && reference !== null && !world.tokens.failureOf(init.headers['x-access-token'])) {
        return answer(200, reportOf(reference, JSON.stringify(found)))
      }

      const posted = init.method === 'POST' && reference !== null ? world.sessions.get(reference) : undefined
      // [assumed] The gateway does not open a session again that was paid.
      if (posted && isPaid(payloadOf(posted, timeline.now()))) {
        return answer(400, refusal(pathname, posted.id, REJECTED))
      }

      const given = await app.request(target, init)
      const text = await given.text()
      if (init.method === 'POST' && reference !== null && !knownFrom.has(reference) && given.ok) {
        accept(reference)
        if (rejected.has(reference)) {
          return answer(400, refusal(pathname, reference, REJECTED))
        }
      }
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
      if (!session || timeline.now() >= session.expiresAt || isAnsweredPrompt(session)) {
        return false
      }
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
    if (airtime) {
      return [...airtime.recipients.values()].map(entryOf)
    }

    const payout = pathname.startsWith('/v1/payouts/') ? world.payouts.get(reference) : undefined
    if (payout) {
      return payoutPayloadOf(payout)
    }

    const session = world.sessions.get(reference)
    const isFor = pathname.startsWith('/v1/charges/') ? 'charge' : 'checkout'
    return session?.instruction.kind === isFor ? payloadOf(session, timeline.now()) : null
  }

  function accept(reference: string): void {
    // The servers give up a checkout if the gateway does not know it two minutes after it was sent.
    const most = world.sessions.has(reference) ? Math.min(gateway.longestLagMs, 20_000) : gateway.longestLagMs
    const lagMs = random.between(0, most)
    knownFrom.set(reference, timeline.now() + lagMs)
    if (lagMs > 0) {
      story.fault('gateway lags', `The gateway finds ${reference} only after ${lagMs} ms`)
    }

    const { rejectProbability, oddProbability, misreportProbability } = gateway
    if (rejectProbability > 0 && /^[PTC]-/.test(reference) && random.happens(rejectProbability)) {
      rejected.add(reference)
      story.fault('false rejection', `The gateway has ${reference}, and answers that it rejects it`)
      // The server believes a rejection of airtime once a status query does not find the airtime.
      if (world.airtime.has(reference)) {
        knownFrom.set(reference, timeline.now() + 2_000)
      }
    }
    if (!world.sessions.has(reference)) {
      return
    }
    if (oddProbability > 0 && random.happens(oddProbability)) {
      misreport(reference, ODDITIES)
    } else if (random.happens(misreportProbability)) {
      misreport(reference, MISREPORTS)
    }
  }

  function misreport(reference: string, table: Record<string, Misreport>): void {
    const [as, report] = random.pick(Object.entries(table))
    misreported.set(reference, (payload) =>
      table === ODDITIES || payload.status === 801 ? report(payload) : payload,
    )
    story.fault('misreported payment', `The gateway will misreport the ${as} of ${reference}`)
  }

  function reportOf(reference: string | null, text: string): string {
    const misreport = misreported.get(reference ?? '')
    return misreport ? JSON.stringify(misreport(JSON.parse(text))) : text
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
  if (queried !== undefined) {
    return queried
  }
  if (body === undefined) {
    return null
  }

  const fields: Record<string, unknown> = JSON.parse(body)
  const field = FIELDS.find((name) => typeof fields[name] === 'string')
  return field === undefined ? null : String(fields[field])
}

const UNKNOWN = {
  code: 120,
  response_code: 723,
  response_description: 'Not found',
  error_code: 'RESOURCE_NOT_FOUND',
}
const REJECTED = { code: 172, response_code: 721, response_description: 'Failed', error_code: 'FAILED' }

function refusal(pathname: string, reference: string, { code, ...described }: typeof UNKNOWN): string {
  if (pathname.startsWith('/v1/payouts/')) {
    return JSON.stringify({ payout_reference: reference, ...described })
  }
  if (pathname.startsWith('/v1/gw/airtime/')) {
    return JSON.stringify({ reference, ...described })
  }

  const status_description = described.response_description
  return JSON.stringify({ status_code: code, status_description, message: reference })
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
