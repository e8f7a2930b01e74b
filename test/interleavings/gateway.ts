/**
 * A gateway that answers at once, and whose truth changes only when a scenario says so. It repeats nothing, refuses
 * nothing, and keeps what it was sent.
 */

import { AIRTIME } from '../support/spec/airtime.ts'
import { authAnswer, checkoutPayload, initiateAnswer, paymentRecord } from '../support/spec/shapes.ts'

import type { Fetch, FetchAnswer } from '../../server/http/exchange.ts'

/** The requests that the gateway recognizes by their reference, and those that take effect each time. */
const SENDS = {
  '/v2/checkout/initiate': { name: 'checkout', field: 'merchant_transaction_id', isIdempotent: true },
  '/v1/payouts/initiate': { name: 'payout', field: 'payout_reference', isIdempotent: true },
  '/v1/charges': { name: 'charge', field: 'external_reference', isIdempotent: false },
  '/v1/mobile-money/charge': { name: 'charge', field: 'external_reference', isIdempotent: false },
  [AIRTIME]: { name: 'airtime', field: 'reference', isIdempotent: false },
} as const

interface Send {
  name: string
  reference: string
  isIdempotent: boolean
  body: string
  /** What the gateway had under the reference before; `null` if nothing. */
  statusBefore: number | null
}

/** What the gateway has under one reference. */
interface Entry {
  name: string
  reference: string
  id: string
  arrivedAt: number
  /** Overall status of a checkout or a charge, or the payment status of a payout or of airtime. */
  status: number
  body: Record<string, unknown>
}

/** Something that the gateway saw, in the order of time. */
export type Sight =
  | { kind: 'query'; reference: string }
  | { kind: 'truth'; reference: string; status: number }
  | { kind: 'callback'; reference: string; isAccepted: boolean }

const AMOUNTS = { 801: '1500.00', 802: '500.00', 803: '0', 820: '0', 840: '0', 841: '0', 850: '0', 851: '0' }
const PAYMENTS = { 801: 700, 802: 700, 840: 702, 841: 705, 850: 704, 851: 703 }

export type ScriptedGateway = ReturnType<typeof createGateway>

export function createGateway(now: () => number) {
  const entries = new Map<string, Entry>()
  const sends: Send[] = []
  const confirmations: { payment_id: string; status: string }[] = []
  const sights: Sight[] = []
  const gateway = {
    fetch,
    entries,
    sends,
    confirmations,
    sights,
    /** Whether nobody can log in. */
    isAway: false,
    /** Whether a payment can be confirmed only once: the gateway refuses what it gets then. */
    confirmsOnce: false,
    /** Whether the answers to what is sent are lost. */
    losesAnswers: false,
    /** The id of the payment that is reported for all that is paid; `null` if each thing has a payment of its own. */
    payment: null as string | null,
    /** The time after which a status query finds what was sent, in milliseconds. */
    lagMs: 0,
    report,
    only,
    payable,
  }
  return gateway

  async function fetch(...[url, { method, body }]: Parameters<Fetch>): Promise<FetchAnswer> {
    const path = new URL(url).pathname
    if (path === '/v1/auth') {
      return gateway.isAway ? json({ message: 'away' }, 503) : json(authAnswer)
    }
    if (method === 'GET') {
      return query(path)
    }

    const request: Record<string, unknown> = JSON.parse(body ?? '{}')
    if (path === '/transactions/acknowledge') {
      return confirm(request)
    }

    const answer = send(path, request, body ?? '')
    return gateway.losesAnswers ? json({ message: 'lost' }, 502) : answer
  }

  function send(path: string, request: Record<string, unknown>, body: string): FetchAnswer {
    const known = isKey(SENDS, path) ? SENDS[path] : null
    if (!known) {
      return json({ message: `nothing is at ${path}` }, 404)
    }

    const { name, field, isIdempotent } = known
    const reference = String(request[field])
    const isRepeated = entries.has(reference)
    sends.push({ name, reference, isIdempotent, body, statusBefore: entries.get(reference)?.status ?? null })
    const first = { payout: 703, airtime: 601 }[name as string] ?? 803
    const entry = entries.get(reference) ?? {
      name,
      reference,
      id: `ID-${entries.size + 1}`,
      arrivedAt: now(),
      status: first,
      body: request,
    }
    entries.set(reference, entry)
    if (name === 'payout') {
      return json({
        payout_reference: reference,
        response_code: isRepeated ? 722 : 720,
        response_description: 'Accepted',
        ...(isRepeated && { error_code: 'DUPLICATE_IGNORED' }),
      })
    }
    if (name === 'airtime') {
      return json({ reference, response_code: 720, response_description: 'Accepted' })
    }
    return name === 'checkout' ? json(sessionOf(entry)) : json(chargeAnswerOf(entry))
  }

  function sessionOf({ reference, id, body }: Entry) {
    return {
      ...initiateAnswer,
      merchant_transaction_id: reference,
      checkout_reference: id,
      amount: body['amount'],
      expires_at: new Date(now() + 30 * 60_000).toISOString(),
      redirect_url: `http://127.0.0.1:4010/pay/${id}`,
    }
  }

  function chargeAnswerOf({ reference, id, body }: Entry) {
    return {
      status_code: 176,
      status_description: 'Charge posted successfully',
      charge_request_id: id,
      external_reference: reference,
      total_amount: String(body['amount']),
      currency_code: 'KES',
      redirect_url: body['payment_method_code'] ? null : `http://127.0.0.1:4010/pay/${id}`,
    }
  }

  function query(path: string): FetchAnswer {
    const parts = path.split('/').map(decodeURIComponent)
    const named = parts.find((part) => entries.has(part))
    const found = [...entries.values()].find(({ id, reference }) => reference === named || parts.includes(id))
    const reference = found?.reference ?? path
    const entry = found && now() - found.arrivedAt >= gateway.lagMs ? found : null
    sights.push({ kind: 'query', reference })
    if (!entry) {
      const isPayout = path.startsWith('/v1/payouts') || path.startsWith('/v1/gw')
      const unknown = { status_code: 120, status_description: 'Transaction not found', message: 'Unknown.' }
      return isPayout
        ? json({ payout_reference: parts[3], response_code: 723, response_description: 'Not found' }, 404)
        : json(unknown, 404)
    }
    return json(statusOf(entry))
  }

  function statusOf({ name, reference, id, status, body }: Entry): unknown {
    if (name === 'payout') {
      return {
        payout_reference: reference,
        destination: 'MOBILE',
        data: { payment_id: id, payment_status: status, amount: body['recipient_amount'], currency: 'KES' },
      }
    }
    if (name === 'airtime') {
      return recipientsOf(body).map((each) => ({
        ...each,
        service_status: status,
        external_reference: reference,
      }))
    }

    const amount = isKey(AMOUNTS, status) ? AMOUNTS[status] : '0'
    const whole = String(body['amount'])
    const payment = isKey(PAYMENTS, status) ? PAYMENTS[status] : null
    const own = {
      ...paymentRecord,
      transaction_id: gateway.payment ?? `PAY-${id}`,
      external_reference: reference,
      charge_request_id: id,
    }
    return {
      ...checkoutPayload,
      amount: status === 801 ? whole : amount,
      checkout_reference: name === 'checkout' ? id : null,
      merchant_transaction_id: reference,
      payments:
        payment === null
          ? []
          : [{ ...own, amount: status === 802 ? amount : whole, payment_status: payment }],
      status,
    }
  }

  function confirm({ payment_id, status }: Record<string, unknown>): FetchAnswer {
    const isKnown = confirmations.some((each) => each.payment_id === payment_id)
    confirmations.push({ payment_id: String(payment_id), status: String(status) })
    return gateway.confirmsOnce && isKnown
      ? json({ status_code: 174, status_description: 'Generic failure', message: 'Confirmed before' }, 400)
      : json({ payment_id, message: 'Accepted' })
  }

  /** Changes the truth about one reference. */
  function report(reference: string, status: number): void {
    const entry = entries.get(reference)
    if (!entry) {
      throw new Error(`The gateway does not know ${reference}.`)
    }

    entry.status = status
    sights.push({ kind: 'truth', reference, status })
  }

  /** Returns the only thing that the gateway has. */
  function only(): Entry {
    const [entry, ...others] = entries.values()
    if (!entry || others.length > 0) {
      throw new Error(`The gateway has ${entries.size} entries instead of one.`)
    }
    return entry
  }

  /** Returns the checkouts and charges that can be paid, or hold money. */
  function payable(): Entry[] {
    return [...entries.values()].filter(
      ({ name, status }) =>
        (name === 'checkout' || name === 'charge') && [801, 802, 803, 850, 851].includes(status),
    )
  }
}

function recipientsOf({ recipients }: Record<string, unknown>): object[] {
  return Array.isArray(recipients)
    ? recipients.map((each: { phone_number: string; amount: string }) => ({
        ...each,
        amount: Number(each.amount),
      }))
    : []
}

export function json(body: unknown, status = 200): FetchAnswer {
  return { status, body: chunks(JSON.stringify(body)) }
}

async function* chunks(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

function isKey<Table extends object>(table: Table, key: PropertyKey): key is keyof Table {
  return Object.hasOwn(table, key)
}
