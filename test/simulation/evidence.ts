import { compare, isDecimal, sum } from '../../server/contract/decimal.ts'
import { payInState, recipientOf } from './freshness.ts'
import { referenceIn } from './gateway.ts'

import type { FetchInit } from '../../server/http/exchange.ts'
import type { AcceptedEvent } from './backend.ts'
import type { Freshness } from './freshness.ts'
import type { Story } from './story.ts'

export type Evidence = ReturnType<typeof createEvidence>

/** The longest time by which two clocks differ, in milliseconds. */
type Clocks = Readonly<{ spreadMs: number }>

interface Facts {
  /**
   * The statuses that the gateway reported. For airtime, each status is followed by the recipient's phone number:
   * `602/254700000001`.
   */
  reported: Set<string>
  /** Whether the gateway reported status 801, with payments that match the requested amount, currency and reference. */
  isPaidInFull: boolean
  isRefused: boolean
  /** Whether the payer was asked on the phone. */
  isPrompt: boolean
  /** Whether an answer to its request, which has the address of its page, arrived in time. */
  isAnswered: boolean
  sends: number
  sentAt: number
  /** When the store last marked the transaction as sent. */
  markedAt: number
  failedQueries: number
}

/**
 * A payout may be sent again only if at least `queries` status queries did not find the payout, and if at least `ms`
 * milliseconds have passed since the payout was last sent.
 */
const SEND_AGAIN = { queries: 3, ms: 2 * 60_000 }
/** The time from a send to the first query about it, in milliseconds. */
const FIRST_QUERY_MS = 20_000

/** The longest time from the mark in the store to the request, in milliseconds. */
const LONGEST_SEND_MS = 30_000

const SENDS: Record<string, 'payout' | 'charge' | 'airtime'> = {
  '/v1/payouts/initiate': 'payout',
  '/v1/payouts/imt/initiate': 'payout',
  '/v1/payouts/b2b/initiate': 'payout',
  '/v1/charges': 'charge',
  '/v1/gw/airtime/send': 'airtime',
}

export function createEvidence(story: Story, freshness: Freshness, now: () => number, clocks: Clocks) {
  const all = new Map<string, Facts>()
  const expected = new Map<string, { amount: string; currency: string; expiresAt: number }>()
  const confirmations = new Map<string, string>()

  return {
    of,
    expect: (reference: string, terms: { amount: string; currency: string; expiresAt: number }) =>
      void expected.set(reference, terms),

    sending(path: string, init: FetchInit): void {
      const reference = referenceIn(path, init.body)
      if (reference?.startsWith('FOREIGN')) {
        story.violation(`${reference} of another environment was touched.`)
      }
      if (path === '/transactions/acknowledge') {
        return decide(JSON.parse(init.body ?? '{}'))
      }

      const kind = init.method === 'POST' ? SENDS[path] : undefined
      if (kind === undefined || reference === null) {
        return
      }

      const facts = of(reference)
      const elapsedMs = now() - facts.sentAt
      // A replica whose clock is far ahead may ask before the request of another one arrives.
      const least = SEND_AGAIN.queries - (clocks.spreadMs > FIRST_QUERY_MS ? 1 : 0)
      const isTooSoon = facts.failedQueries < least || elapsedMs < SEND_AGAIN.ms - clocks.spreadMs
      const isOrder = kind === 'charge' && !reference.startsWith('C-')
      if (isOrder && JSON.parse(init.body ?? '{}').payment_method_code) {
        facts.isPrompt = true
      }

      const waitedMs = now() - facts.markedAt
      if (waitedMs > LONGEST_SEND_MS) {
        story.violation(`${kind} ${reference} was sent ${waitedMs} ms after it was marked as sent.`)
      }
      if (facts.sends > 0 && (kind !== 'payout' || isTooSoon)) {
        story.violation(
          `${kind} ${reference} was sent again after ${elapsedMs} ms and ${facts.failedQueries} queries that did not find it.`,
        )
      }

      facts.sends += 1
      facts.sentAt = now()
      facts.failedQueries = 0
    },

    arrived(path: string, init: FetchInit): void {
      const reference = referenceIn(path, init.body)
      const isInTime = !init.signal.aborted
      if (init.method === 'POST' && reference !== null && isInTime) {
        of(reference).isAnswered = true
      }
    },

    answered(path: string, init: FetchInit, status: number, text: string): void {
      const reference = referenceIn(path, init.body)
      const body = parse(text)
      if (path === '/transactions/acknowledge') {
        const { payment_id } = JSON.parse(init.body ?? '{}')
        if (status >= 400) {
          confirmations.delete(payment_id)
        }
      }
      if (reference === null || body === null) {
        return
      }

      const facts = of(reference)
      if (init.method === 'POST') {
        // The gateway did not accept a request with an expired token. The server sends it again with a new token.
        const isTokenExpired = status === 401
        if (isTokenExpired && SENDS[path]) {
          facts.sends -= 1
        }
        if (status >= 400 && !isTokenExpired && status < 500) {
          facts.isRefused = true
        }
        return
      }
      if (status >= 400) {
        return void (facts.failedQueries += 1)
      }

      for (const entry of [body].flat()) {
        record(facts, reference, entry)
      }
    },

    marked: (reference: string) => void (of(reference).markedAt = now()),

    /** Forgets what a store that was restored may not know. */
    forget(): void {
      confirmations.clear()
      // The gateway ignores a payout that it has. [spec: Payout acknowledgement codes, 722]
      for (const [reference, facts] of all) {
        if (reference.startsWith('P-')) {
          facts.sends = 0
        }
      }
    },

    /** Returns why the gateway's responses do not justify an event; `null` if the responses justify the event. */
    missingFor({ type, data }: AcceptedEvent): string | null {
      const [subject, outcome = ''] = type.split('.')
      const reference = String(
        data['merchant_transaction_id'] ?? data['payout_reference'] ?? data['external_reference'],
      )
      const facts = of(reference)
      const suffix = subject === 'airtime' ? `/${String(data['phone_number'])}` : ''
      const isReported = (...statuses: number[]) =>
        statuses.some((status) => facts.reported.has(`${status}${suffix}`))
      const isPayIn = subject === 'checkout' || subject === 'charge'
      switch (outcome) {
        case 'paid':
        case 'paid_late':
          return facts.isPaidInFull ? null : 'the gateway never reported a full, agreeing payment'
        case 'succeeded':
          if (isPayIn) {
            return facts.isPaidInFull ? null : 'the gateway never reported a full, agreeing payment'
          }
          return isReported(700, 602) ? null : 'the gateway never reported it'
        case 'failed':
          if (facts.isRefused || facts.sends === 0) {
            return null
          }
          return isReported(701, 603, 803, 820) ? null : 'the gateway never reported a failure'
        case 'unpaid':
        case 'expired': {
          const endsAt = (expected.get(reference)?.expiresAt ?? 0) - clocks.spreadMs
          if (now() < endsAt && !facts.isPrompt) {
            return 'the session is still open'
          }
          return facts.isRefused || isReported(803, 820) ? null : 'the gateway never reported it'
        }
        case 'reversed':
          return isReported(840, 702, 605) ? null : 'the gateway never reported it'
        case 'refunded':
          return isReported(841, 705, 606) ? null : 'the gateway never reported it'
        case 'partial':
          return isReported(802) ? null : 'the gateway never reported it'
        default:
          return null
      }
    },
  }

  function of(reference: string): Facts {
    const known = all.get(reference)
    if (known) {
      return known
    }

    const facts = {
      reported: new Set<string>(),
      isPaidInFull: false,
      isRefused: false,
      isPrompt: false,
      isAnswered: false,
      sends: 0,
      sentAt: 0,
      markedAt: Infinity,
      failedQueries: 0,
    }
    all.set(reference, facts)
    return facts
  }

  function decide({ payment_id, status }: { payment_id: string; status: string }): void {
    const before = confirmations.get(payment_id)
    if (before !== undefined && before !== status) {
      story.violation(`Payment ${payment_id} was confirmed as ${before} and as ${status}.`)
    }

    confirmations.set(payment_id, status)
  }

  function record(facts: Facts, reference: string, report: Report): void {
    const { phone_number, service_status, data, currency, amount } = report
    if (phone_number !== undefined) {
      freshness.report(recipientOf(reference, phone_number), String(service_status))
      return void facts.reported.add(`${service_status}/${phone_number}`)
    }

    const { status = data?.payment_status ?? report.payment_status } = report
    facts.reported.add(String(status))
    const isPayIn = report.status !== undefined
    freshness.report(reference, isPayIn ? payInState(Number(status), amount) : String(status))
    const terms = expected.get(reference)
    if (!terms || status !== 801) {
      return
    }

    const received = (report.payments ?? []).filter(({ payment_status }) => payment_status === 700)
    const isOwn = received.every(
      ({ currency_code, external_reference }) =>
        currency_code === terms.currency && external_reference === reference,
    )
    const total = sum(received.map((payment) => payment.amount).filter(isDecimal))
    if (isOwn && currency === terms.currency && compare(total, terms.amount) >= 0) {
      facts.isPaidInFull = true
    }
  }
}

interface Report {
  status?: number
  payment_status?: number
  data?: { payment_status: number }
  phone_number?: string
  service_status?: number
  currency?: string
  amount?: string | null
  payments?:
    | null
    | { payment_status: number; amount: string; currency_code: string; external_reference: string }[]
}

function parse(text: string): Report | Report[] | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
