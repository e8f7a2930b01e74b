/** Runs one sequence: the shop makes an order, events about it are sent, and its state is read after each. */

import { eventAbout, sampleOf } from '../api/sample-event.ts'
import { Secret } from '../config/secret.ts'
import { DeliveryError } from '../outbox/deliver.ts'
import { deliverToWebhook } from '../outbox/webhook.ts'
import { EXPECTATIONS, FAILURES } from './sequences.ts'
import { AFTER_WORK, describe, FACTS, failureIn, isSame, linesAdded, linesOf, without } from './state.ts'
import { wayOf } from './ways.ts'

import type { Fetch } from '../http/exchange.ts'
import type { StoredEvent } from '../store/events.ts'
import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'
import type { Answer, Delivery, Failure, Sequence } from './sequences.ts'
import type { Lines } from './state.ts'

export interface ProveOptions {
  /** The address of the webhook. */
  url: string
  /** The secrets with which it verifies events. */
  secrets: readonly Secret[]
  /** What each order costs. */
  terms: { amount: string; currency: string }
  /** Makes an order, and resolves with its reference; `null` if the shop offers no way. */
  create: ((proposed: string) => Promise<string>) | null
  /** Cancels an order; `null` if the shop offers no way. */
  cancel: ((order: string) => Promise<unknown>) | null
  /** Resolves with the state of an order as text; `null` if the shop offers no way. */
  read: ((order: string) => Promise<string>) | null
  fetch: Fetch
  clock: Clock
  randomness: Randomness
  /** Called when an event that was sent as usual has been answered, with the milliseconds that it took. */
  onAnswer?: (ms: number) => void
}

/** What a sequence shows of a webhook. A sequence that cannot go on throws it. */
export class Ruling extends Error {
  readonly verdict: 'passed' | 'failed' | 'not proven'
  /** What failed, if the advice depends on it. */
  readonly failure: Failure | null
  constructor(verdict: Ruling['verdict'], reason: string, failure: Failure | null = null) {
    super(reason)
    this.verdict = verdict
    this.failure = failure
  }
}

type Event = Pick<StoredEvent, 'id' | 'body'>

const DAY_MS = 24 * 3_600_000
/** How long the shop has for what an event changes. */
const PATIENCE_MS = 1_500
/** The pause between two readings of the state. */
const READ_PAUSE_MS = 60
/** The pause before an event is sent again to a webhook that failed. */
const RETRY_PAUSE_MS = 300
const MAX_ATTEMPTS = 3

/** Returns what must be known to judge a sequence. What must be refused is sent in any case: its answer is judged. */
export function needOf([, ...deliveries]: Sequence): 'nothing' | 'state' | 'marks' {
  const needsMarks = ({ facts = [] }: Delivery) => facts.some((fact) => !fact.startsWith('the state'))
  if (deliveries.some(needsMarks)) {
    return 'marks'
  }
  return deliveries.every(({ facts, answer }) => !facts || answer === 'refused') ? 'nothing' : 'state'
}

/** Returns whether the shop has to cancel an order. */
export function needsCancel([, ...deliveries]: Sequence): boolean {
  return deliveries.some(({ cancelled }) => cancelled)
}

/** Returns whether a fact may be true only because the work for an event has not begun. A refused event has no work. */
export function isTrueBeforeWork([, ...deliveries]: Sequence): boolean {
  return deliveries.some(
    ({ facts = [], answer }) => answer !== 'refused' && facts.some((fact) => !AFTER_WORK.includes(fact)),
  )
}

/**
 * Sends the events of a sequence, and checks their answers and the state of the order. Resolves with what was found,
 * with what the first event has added to the state if it is a payment, and whether an event was accepted.
 *
 * @param knownMarks What one payment adds to a state; `null` if this sequence shows it.
 * @param noise What any event adds to a state.
 * @throws {Ruling} if something is not as expected, or cannot be known.
 */
export async function runSequence(
  options: ProveOptions,
  [, ...deliveries]: Sequence,
  knownMarks: Lines | null,
  noise: Lines = new Map(),
): Promise<{ reason: string; marks: Lines | null; isAccepted: boolean }> {
  const { create, read, clock, randomness } = options
  const isUnknown = deliveries.some(({ unknown }) => unknown)
  const needsState = deliveries.some(({ facts }) => facts)
  const proposed = `PROVE-${randomness.uuid().slice(0, 13)}`
  const order = (isUnknown ? null : await create?.(proposed)) ?? proposed
  // A shop may fail when it is asked about an order that it never had.
  const readState = isUnknown && read ? (reference: string) => read(reference).catch(() => '') : read
  const { observe, cancelBefore, createEvent } = createProbe(order, { ...options, read: readState })
  const events: Event[] = []
  const statuses: (number | null)[] = []
  let [marks, isAccepted]: [Lines | null, boolean] = [null, false]
  // Without facts, the state only has to stand still.
  let state = needsState && create && read ? await observe(new Map(), '', {}, null) : null
  for (const [index, delivery] of deliveries.entries()) {
    const { again, times = 1, answer: expected = 'accepted', facts = [] } = delivery
    state = await cancelBefore(delivery, state)
    const event = events[again ?? index] ?? createEvent(delivery)
    events.push(event)
    const sentAt = clock.now()
    const answers = await Promise.all(Array.from({ length: times }, () => send(options, event, delivery)))
    // Some ways of sending take their time themselves.
    if (delivery.way === undefined) {
      options.onAnswer?.(clock.now() - sentAt)
    }

    isAccepted ||= answers.some(({ refusal }) => refusal === null)
    statuses.push(...answers.map(({ status }) => status))
    const position = deliveries.length > 1 ? `event ${index + 1} of ${deliveries.length}, ` : ''
    const name = position + nameOf(delivery)
    const wrong = answers.find((answer) => !EXPECTATIONS[expected](answer))
    if (wrong) {
      const reason = `${name}: expected that it is ${expected}. ${wrong.reason}`
      throw rulingOn(delivery, reason, (wrong.refusal && FAILURES[wrong.refusal]) ?? null)
    }
    if (!state) {
      continue
    }

    const after = await observe(state, name, delivery, marks ?? knownMarks)
    if (index === 0 && (knownMarks === null || facts.includes('the order is paid'))) {
      marks = marksBetween(state, after, noise)
    }

    state = after
  }

  const answered = statuses.some((status) => status !== null)
    ? `answered ${statuses.map((status) => status ?? 'not at all').join(', ')}`
    : 'no answer'
  const reason = [answered, ...(deliveries.at(-1)?.facts ?? [])].join('; ')
  if (state || !needsState) {
    return { reason, marks, isAccepted }
  }
  throw new Ruling('not proven', `${answered}; what became of the order is not known.`)
}

/** Returns the lines that a payment has added; those that any event adds only if there are no others. */
function marksBetween(before: Lines, after: Lines, noise: Lines): Lines {
  const added = linesAdded(before, after)
  const ownLines = without(added, noise)
  return ownLines.size > 0 ? ownLines : added
}

function nameOf({ type, again, way }: Delivery): string {
  return `${type}${again === undefined ? '' : ' again'}${way ? ` ${way}` : ''}`
}

/** Returns functions that make events about an order, cancel it, and observe its state. */
function createProbe(order: string, { cancel, read, clock, randomness, terms }: ProveOptions) {
  /** What differs from order to order, by what takes its place when states are compared. */
  const placeholders = new Map([
    [order, '{order}'],
    [terms.amount, '{amount}'],
  ])
  const checkouts = [1, 2].map((attempt) => {
    const ids = { checkout_id: randomness.token(), merchant_transaction_id: randomness.uuid() }
    for (const [name, id] of Object.entries(ids)) {
      placeholders.set(id, `{${name}}`)
    }

    return { ...ids, attempt }
  })
  return { observe, cancelBefore, createEvent }

  /** Resolves with the state when two readings agree and the facts are true. */
  async function observe(before: Lines, name: string, delivery: Partial<Delivery>, knownMarks: Lines | null) {
    const { facts = [], immediately } = delivery
    const until = clock.now() + (immediately ? 0 : PATIENCE_MS)
    for (let previous: Lines | null = null; ; await clock.sleep(READ_PAUSE_MS)) {
      const now = linesOf((await read?.(order)) ?? '', placeholders)
      const marks = knownMarks ?? linesAdded(before, now)
      const wrong = facts.find((fact) => !FACTS[fact](before, now, marks))
      const isOver = clock.now() >= until
      if (wrong && isOver) {
        const moment = immediately ? ' when it is answered' : ''
        const failure = failureIn(wrong, now, marks)
        const isLost = failure === 'paid too rarely'
        const change = describe(before, now, isLost ? marks : null)
        // After another event than a payment, the sequence's own advice says better why the mark is not there.
        const advised = isLost && delivery.type !== 'checkout.paid' ? null : failure
        throw rulingOn(delivery, `${name}: expected${moment} that ${wrong}. ${change}`, advised)
      }
      if (!wrong && (isOver || (previous && isSame(previous, now)))) {
        return now
      }

      previous = now
    }
  }

  /** Cancels the order if the delivery is about one that is cancelled. Resolves with the state then. */
  async function cancelBefore({ cancelled }: Delivery, state: Lines | null): Promise<Lines | null> {
    if (!cancelled) {
      return state
    }

    await cancel?.(order)
    return state && observe(new Map(), '', {}, null)
  }

  function createEvent({ type, data, checkout = 1, daysAgo = 0 }: Delivery): Event {
    const id = `evt_${randomness.token()}`
    placeholders.set(id, '{event}')
    const body = (about: object) => eventAbout(type, about, clock.now() - daysAgo * DAY_MS)
    if (type === 'ping') {
      return { id, body: body({}) }
    }

    const sample = sampleOf(type === 'checkout.sketched' ? 'checkout.paid' : type, order, {
      ...terms,
      ...data,
    })
    const view = { ...checkouts[checkout - 1], ...data }
    return { id, body: body(type.startsWith('checkout.') ? { ...sample, ...view } : sample) }
  }
}

/** Sends an event as the server does, and again if the webhook fails, which a moment later it may not. */
async function send(options: ProveOptions, event: Event, delivery: Delivery): Promise<Answer> {
  const { url, secrets, clock, fetch, randomness } = options
  const way = wayOf(delivery.way)
  const unknownSecret = new Secret(`whsec_${Buffer.from(randomness.token()).toString('base64')}`)
  const deliver = deliverToWebhook({
    url,
    secrets: way.secrets?.(secrets, unknownSecret) ?? secrets,
    fetch: way.fetch?.(fetch, clock) ?? fetch,
    clock: { ...clock, now: () => clock.now() + (way.shiftMs ?? 0) },
    traceHeaders: () => ({}),
  })
  const { answer: expected = 'accepted' } = delivery
  for (let attemptsLeft = expected === 'accepted' ? MAX_ATTEMPTS : 1; ; attemptsLeft -= 1) {
    try {
      const status = await deliver({ ...event, trace_id: null })
      return { refusal: null, status, reason: describeStatus(status) }
    } catch (error) {
      if (!(error instanceof DeliveryError)) {
        throw error
      }

      const { code: refusal } = error
      const { status, text } = error.answer
      // The message supposes a cause, which is right only for an event that is sent as usual.
      const isUnusual = delivery.way !== undefined
      const usualReason = [error.message, status && text].filter(Boolean).join(' ')
      const reason = isUnusual && status !== null ? describeStatus(status) : usualReason
      const mayBeRetried = status !== null && status >= 500
      if (attemptsLeft === 1 || !mayBeRetried) {
        return { refusal, status, reason }
      }
    }

    await clock.sleep(RETRY_PAUSE_MS)
  }
}

function describeStatus(status: number): string {
  return `It is answered with HTTP ${status}.`
}

/** Returns a failure; or where another sequence is about the delivery, that this one proves nothing. */
function rulingOn({ see }: Partial<Delivery>, reason: string, failure: Failure | null): Ruling {
  return see === undefined
    ? new Ruling('failed', reason, failure)
    : new Ruling('not proven', `see "${see}". ${reason}`, failure)
}
