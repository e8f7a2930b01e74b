/** One run of one sequence: the shop makes an order, events about it are sent, and its state is read after each. */

import type { Fetch } from '../http/exchange.ts'
import type { StoredEvent } from '../store/store.ts'
import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'
import type { Delivery, Kind, Sent, Sequence } from './sequences.ts'
import type { Lines } from './state.ts'
import { ANSWERS, kindOf } from './sequences.ts'
import { describe, DONE, FACTS, gained, linesOf, oddity, same, without } from './state.ts'
import { Secret } from '../config/secret.ts'
import { DeliveryError } from '../outbox/deliver.ts'
import { deliverToWebhook } from '../outbox/webhook.ts'
import { wayOf } from './ways.ts'
import { eventAbout, sampleOf } from '../api/sample-event.ts'

export interface Proof {
  url: string
  secrets: readonly Secret[]
  /** What each order costs. */
  terms: { amount: string; currency: string }
  /** Makes an order, and resolves with its reference; `null` if the shop offers no way. */
  create: ((proposed: string) => Promise<string>) | null
  read: ((order: string) => Promise<string>) | null
  fetch: Fetch
  clock: Clock
  randomness: Randomness
  /** Called when events of a type have been answered, with the milliseconds that it took. */
  onAnswer?: (type: string, ms: number) => void
}

/** The verdict about a webhook in one sequence. */
export class Ruling extends Error {
  readonly verdict: 'passed' | 'failed' | 'not proven'
  /** What failed, if the advice depends on it. */
  readonly kind: Kind | null
  constructor(verdict: Ruling['verdict'], reason: string, kind: Kind | null = null) {
    super(reason)
    this.verdict = verdict
    this.kind = kind
  }
}

type Event = Pick<StoredEvent, 'id' | 'body'>

const DAY_MS = 24 * 3_600_000
/** How long the shop has for what an event changes, and the pause between two looks. */
const PATIENCE_MS = 1_500
const LOOK_MS = 60
const TRIES = 3

/** What must be known to judge a sequence. What must be refused is sent in any case: acceptance is a verdict, too. */
export function needOf([, ...deliveries]: Sequence = ['']): 'nothing' | 'state' | 'paid' {
  if (deliveries.some(({ facts = [] }) => facts.some((fact) => !fact.startsWith('the state')))) return 'paid'
  return deliveries.every(({ facts, answer }) => !facts || answer === 'refused') ? 'nothing' : 'state'
}

/** Whether something may seem true only because the work for an event has not begun. A refused event has none. */
export function isTrueBefore([, ...deliveries]: Sequence): boolean {
  return deliveries.some(
    ({ facts = [], answer }) => answer !== 'refused' && facts.some((fact) => !DONE.includes(fact)),
  )
}

/**
 * Resolves with what was found to be true, and with what the payment changed if the sequence begins with one.
 *
 * @param paid What one payment changes; `null` if this sequence shows it.
 * @param noise What any event changes.
 * @throws {Ruling} if something is not true, or cannot be known.
 */
export async function follow(
  proof: Proof,
  [, ...deliveries]: Sequence,
  paid: Lines | null,
  noise: Lines = new Map(),
): Promise<{ reason: string; gain: Lines | null; accepted: boolean }> {
  const { create, read, randomness } = proof
  const isUnknown = deliveries.some(({ unknown }) => unknown)
  const needsState = deliveries.some(({ facts }) => facts)
  const proposed = `PROVE-${randomness.uuid().slice(0, 13)}`
  const order = (isUnknown ? null : await create?.(proposed)) ?? proposed
  // A shop may fail when it is asked about an order that it never had.
  const tell = isUnknown && read ? (of: string) => read(of).catch(() => '') : read
  const { observe, eventOf } = about(order, { ...proof, read: tell })
  const events: Event[] = []
  const statuses: (number | null)[] = []
  let [gain, accepted]: [Lines | null, boolean] = [null, false]
  let state = needsState && create && read ? await observe(new Map(), '', {}, null) : null
  for (const [index, delivery] of deliveries.entries()) {
    const { type, again, way, times = 1, answer = 'accepted', facts = [] } = delivery
    const event = events[again ?? index] ?? eventOf(delivery)
    events.push(event)
    const sentAt = proof.clock.now()
    const answers = await Promise.all(Array.from({ length: times }, () => send(proof, event, delivery)))
    proof.onAnswer?.(type, proof.clock.now() - sentAt)
    accepted ||= answers.some((each) => each.accepted)
    statuses.push(...answers.map(({ status }) => status))
    const count = deliveries.length > 1 ? `event ${index + 1} of ${deliveries.length}, ` : ''
    const what = `${count}${type}${again === undefined ? '' : ' again'}${way ? ` ${way}` : ''}`
    const wrong = answers.find((each) => !ANSWERS[answer](each))
    if (wrong) {
      const reason = `${what}: expected that it is ${answer}. ${wrong.reason}`
      throw fault(delivery, reason, kindOf(wrong.reason))
    }
    if (!state) continue
    const now = await observe(state, what, delivery, gain ?? paid)
    if (index === 0 && (paid === null || facts.includes('the order is paid'))) {
      const added = gained(state, now)
      const own = without(added, noise)
      gain = own.size > 0 ? own : added
    }
    state = now
  }
  const told = statuses.some((status) => status !== null)
    ? `answered ${statuses.map((status) => status ?? 'not at all').join(', ')}`
    : 'no answer'
  const reason = [told, ...(deliveries.at(-1)?.facts ?? [])].join('; ')
  if (state || !needsState) return { reason, gain, accepted }
  throw new Ruling('not proven', `${told}; what became of the order is not known.`)
}

/** Makes events about an order, and observes its state. */
function about(order: string, { read, clock, randomness, terms }: Proof) {
  const names = new Map([
    [order, '{order}'],
    [terms.amount, '{amount}'],
  ])
  const checkouts = [1, 2].map((attempt) => {
    const ids = { checkout_id: randomness.token(), merchant_transaction_id: randomness.uuid() }
    for (const [name, id] of Object.entries(ids)) names.set(id, `{${name}}`)
    return { ...ids, attempt }
  })
  return { observe, eventOf }

  /** Resolves with the state when two looks agree and the facts are true. */
  async function observe(
    before: Lines,
    what: string,
    delivery: Partial<Delivery>,
    paid: Lines | null,
  ): Promise<Lines> {
    const { facts = [], immediately } = delivery
    const until = clock.now() + (immediately ? 0 : PATIENCE_MS)
    for (let last: Lines | null = null; ; await clock.sleep(LOOK_MS)) {
      const now = linesOf((await read?.(order)) ?? '', names)
      const gains = paid ?? gained(before, now)
      const wrong = facts.find((fact) => !FACTS[fact](before, now, gains))
      const isOver = clock.now() >= until
      if (wrong && isOver) {
        const when = immediately ? ' when it is answered' : ''
        const odd = oddity(wrong, now, gains)
        const isLost = odd === 'paid too rarely'
        const seen = describe(before, now, isLost ? gains : null)
        const kind = isLost && delivery.type !== 'checkout.paid' ? null : odd
        throw fault(delivery, `${what}: expected${when} that ${wrong}. ${seen}`, kind)
      }
      if (!wrong && (isOver || (last && same(last, now)))) return now
      last = now
    }
  }

  function eventOf({ type, data, checkout = 1, days = 0 }: Delivery): Event {
    const id = `evt_${randomness.token()}`
    names.set(id, '{event}')
    const sample =
      type === 'ping' ? {} : sampleOf(type === 'checkout.sketched' ? 'checkout.paid' : type, order)
    const view = { order, ...terms, amount_paid: terms.amount, ...checkouts[checkout - 1], ...data }
    const full = type.startsWith('checkout.') ? { ...sample, ...view } : sample
    return { id, body: eventAbout(type, full, clock.now() - days * DAY_MS) }
  }
}

/** Sends an event as the server does, and again if the webhook fails, which a moment later it may not. */
async function send(proof: Proof, event: Event, delivery: Delivery): Promise<Sent> {
  const { url, secrets, clock, fetch, randomness } = proof
  const way = wayOf(delivery.way)
  const other = new Secret(`whsec_${Buffer.from(randomness.token()).toString('base64')}`)
  const deliver = deliverToWebhook({
    url,
    secrets: way.secrets?.(secrets, other) ?? secrets,
    fetch: way.fetch?.(fetch, clock) ?? fetch,
    clock: { ...clock, now: () => clock.now() + (way.shiftMs ?? 0) },
    log: { warn: () => {} },
    traceHeaders: () => ({}),
  })
  for (let left = (delivery.answer ?? 'accepted') === 'accepted' ? TRIES : 1; ; left -= 1) {
    try {
      const status = await deliver({ ...event, trace_id: null })
      return { accepted: true, status, reason: answered(status) }
    } catch (error) {
      if (!(error instanceof DeliveryError)) throw error
      const { status, text } = error.answer
      // The cause that the message supposes is that of an event that is sent as usual.
      const isUsual = !delivery.way || status === null
      const reason = isUsual ? [error.message, status && text].filter(Boolean).join(' ') : answered(status)
      if (left === 1 || status === null || status < 500) return { accepted: false, status, reason }
    }
    await clock.sleep(LOOK_MS * 5)
  }
}

function answered(status: number): string {
  return `It is answered with HTTP ${status}.`
}

function fault({ see }: Partial<Delivery>, reason: string, kind: Kind | null): Ruling {
  return see === undefined
    ? new Ruling('failed', reason, kind)
    : new Ruling('not proven', `see "${see}". ${reason}`)
}
