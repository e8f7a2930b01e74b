/**
 * What may follow what, for one charge.
 *
 * A charge asks somebody for money, and no rule refuses a second one under the same reference: what was sent once is
 * only ever asked about, and what the gateway then does not know needs a person.
 */

import type { ChargeResponse } from '../contract/charge.ts'
import type { CheckoutPayload } from '../contract/checkout.ts'
import type { CheckoutError } from '../contract/errors.ts'
import type { FulfilmentNews } from '../payments/fulfilment.ts'
import type { Seen } from '../payments/seen.ts'
import type { Charge, ChargeRecord, IntendedCharge, PostedCharge } from './record.ts'
import { advanceFulfilment } from '../payments/fulfilment.ts'
import { canFollow, toSeen } from '../payments/seen.ts'
import { judge } from './outcome.ts'

export type Observation =
  /** 176. [spec: Checkout errors] */
  | { kind: 'posted'; answer: ChargeResponse }
  | { kind: 'refused'; why: string; refusal: CheckoutError }
  | { kind: 'status'; payload: CheckoutPayload }
  /** 120. */
  | { kind: 'unknown' }
  | { kind: 'fulfilment'; news: FulfilmentNews }

/** The merchant hears `charge.` and this. */
export type ChargeEvent = PostedCharge['told'][number]

export interface Advanced {
  record: ChargeRecord
  event: ChargeEvent | null
  /** What happened, for the history; `null` when nothing did. */
  what: string | null
}

/** Before a person has to look for what was never acknowledged: this many questions in vain, over at least this long. */
export const ASK_BEFORE_GIVING_UP = { times: 3, overMs: 2 * 60_000 }
/** "Not known" means "not yet" for so long after it was sent; and nobody is asked for money later than they expect it. */
const PATIENCE_MS = 2 * 60_000

/** @param askedAt When the gateway was asked, in milliseconds since the Unix epoch. */
export function advance(charge: Charge, observation: Observation, askedAt: number): Advanced {
  const { record } = charge
  switch (record.phase) {
    case 'intended':
      return advanceIntended({ ...charge, record }, observation, askedAt)
    case 'posted':
      return advancePosted({ ...charge, record }, observation, askedAt)
    case 'refused':
      return unchanged(record)
  }
}

/** Sending makes a new version of a row: the first one was only stored, and its process ended before it was sent. */
export function isNeverSent({ record, version }: Charge): boolean {
  return record.phase === 'intended' && version === 1
}

export function isToBeSent(charge: Charge, now: number): boolean {
  return isNeverSent(charge) && now - charge.created_at < PATIENCE_MS
}

function advanceIntended(
  charge: Charge<IntendedCharge>,
  observation: Observation,
  askedAt: number,
): Advanced {
  const { record } = charge
  const { request } = record
  switch (observation.kind) {
    case 'posted':
      return learn(postedOf(record), observation.answer)
    case 'refused': {
      const { why, refusal } = observation
      return { record: { phase: 'refused', request, why, refusal }, event: 'failed', what: why }
    }
    case 'status':
      return see({ ...charge, record: postedOf(record) }, toSeen(observation.payload, askedAt), askedAt)
    case 'unknown':
      return miss(charge, askedAt)
    case 'fulfilment':
      return unchanged(record)
  }
}

function miss(charge: Charge<IntendedCharge>, askedAt: number): Advanced {
  const { record, created_at, sent_at } = charge
  if (isNeverSent(charge)) {
    if (askedAt - created_at < PATIENCE_MS) return unchanged(record)
    const why = 'It was never sent: the server ended before that, and the payer no longer expects it.'
    const { request } = record
    return { record: { phase: 'refused', request, why, refusal: null }, event: 'failed', what: why }
  }
  const missing = record.missing + 1
  const { times, overMs } = ASK_BEFORE_GIVING_UP
  if (record.stuck === null && missing >= times && askedAt - sent_at >= overMs) {
    const stuck = 'It was sent once, its answer was lost, and the gateway does not know it.'
    return { record: { ...record, missing, stuck }, event: 'needs_attention', what: stuck }
  }
  const what = missing <= times ? 'The gateway does not know this charge, or not yet.' : null
  return { record: { ...record, missing }, event: null, what }
}

function advancePosted(charge: Charge<PostedCharge>, observation: Observation, askedAt: number): Advanced {
  const { record, sent_at } = charge
  switch (observation.kind) {
    case 'posted':
      return record.answer === null ? learn(record, observation.answer) : unchanged(record)
    case 'refused':
      return unchanged(record)
    case 'status':
      return see(charge, toSeen(observation.payload, askedAt), askedAt)
    case 'unknown':
      if (askedAt - sent_at < PATIENCE_MS) return unchanged(record)
      return contradict(record, 'The gateway does not know this charge, which it once acknowledged.')
    case 'fulfilment': {
      const { fulfilment, what } = advanceFulfilment(record.fulfilment, observation.news, record.seen)
      return what === null ? unchanged(record) : follow(charge, { ...record, fulfilment }, what, askedAt)
    }
  }
}

/** The answer to the post, also when the charge was seen before it came. */
function learn(record: PostedCharge, answer: ChargeResponse): Advanced {
  const { charge_request_id, total_amount, redirect_url = null, expires_at } = answer
  const until = expires_at === undefined ? null : Date.parse(expires_at)
  return {
    record: { ...record, answer: { charge_request_id, total_amount, redirect_url, expires_at: until } },
    event: null,
    what: `The gateway took it as ${charge_request_id}.`,
  }
}

function postedOf({ request }: IntendedCharge): PostedCharge {
  return {
    phase: 'posted',
    request,
    answer: null,
    seen: null,
    settled_at: null,
    fulfilment: { stage: 'open' },
    told: [],
    contradiction: null,
  }
}

function see(charge: Charge<PostedCharge>, seen: Seen, askedAt: number): Advanced {
  const { record } = charge
  if (!canFollow(record.seen, seen)) {
    return contradict(record, `The gateway said ${seen.status} after ${record.seen?.status}, which is kept.`)
  }
  const next = { ...record, seen, contradiction: null }
  const isSame =
    record.seen !== null &&
    record.contradiction === null &&
    JSON.stringify({ ...record.seen, at: 0 }) === JSON.stringify({ ...seen, at: 0 })
  const { outcome } = judge({ ...charge, record: next })
  const isNews = !isSame || outcome !== judge(charge).outcome
  return follow(
    charge,
    next,
    isNews ? `The gateway says ${seen.status}, ${seen.amount} received: ${outcome}.` : null,
    askedAt,
  )
}

/** The record with what its outcome is worth. Each outcome is told once, but for what needs a person. */
function follow(
  charge: Charge<PostedCharge>,
  next: PostedCharge,
  what: string | null,
  askedAt: number,
): Advanced {
  const before = judge(charge)
  const { outcome, settled } = judge({ ...charge, record: next })
  const became = outcome !== before.outcome
  const { stage } = next.fulfilment
  const isRefused = stage === 'refused' && charge.record.fulfilment.stage !== 'refused'
  const event =
    (became || isRefused) &&
    outcome !== 'pending' &&
    outcome !== 'sending' &&
    isUntold(charge.record, outcome)
      ? outcome
      : null
  const settled_at = settled ? (became ? askedAt : (charge.record.settled_at ?? askedAt)) : null
  const told = event ? [...next.told, event] : next.told
  return { record: { ...next, settled_at, told }, event, what }
}

function isUntold({ told }: PostedCharge, event: ChargeEvent): boolean {
  return event === 'needs_attention' || !told.includes(event)
}

/** Told once, however often it is seen. */
function contradict(record: PostedCharge, contradiction: string): Advanced {
  if (record.contradiction === contradiction) return unchanged(record)
  const event = record.contradiction === null ? 'needs_attention' : null
  return { record: { ...record, contradiction }, event, what: contradiction }
}

function unchanged(record: ChargeRecord): Advanced {
  return { record, event: null, what: null }
}
