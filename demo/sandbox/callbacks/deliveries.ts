/**
 * Callbacks to the merchant. [spec: Events]
 *
 * Each delivery is on its own: a slow or silent target holds up nobody else. The body is what was true when
 * the payment changed, so a retry may tell old news, as in the field.
 *
 * [assumed] The spec counts the retries of payouts and not those of checkouts: the same three over the next
 * 48 hours are used here.
 */

import { isDeliverable } from '../wire/addresses.ts'
import { post } from './post.ts'
import type { Clock } from '../timeline/clock.ts'
import type { AttemptOutcome, SandboxFetch } from './post.ts'
import type { CallbackFault, Faults } from '../wire/faults.ts'
import type { Randomness } from '../randomness.ts'

/** What the merchant is to be told. */
interface News {
  /** The `merchant_transaction_id` or `payout_reference` that it is about. */
  reference: string
  url: string
  payload: object
}

interface Attempt {
  /** ISO 8601, UTC. */
  at: string
  /** Milliseconds until the answer, or until it was no longer awaited. */
  took_ms: number
  outcome: AttemptOutcome
}

export interface Delivery {
  id: string
  reference: string
  url: string
  /** The bytes that are sent. */
  body: string
  /** `blocked`: its host is not allowed. `dropped`: a fault took it. */
  state: 'scheduled' | 'delivered' | 'given_up' | 'blocked' | 'dropped'
  /** ISO 8601, UTC. */
  next_attempt_at: string | null
  attempts: Attempt[]
}

export interface Deliveries {
  /** Tells the merchant, soon, what is true now. */
  notify(news: News): void
  /** The latest {@link KEPT_DELIVERIES}, oldest first. */
  list(): readonly Delivery[]
  /** Sends the same bytes once more, as a delivery of its own. */
  resend(id: string): Delivery | undefined
}

/** [assumed] From the change of a payment to its callback. */
const CALLBACK_DELAY_MS = 250
/** [assumed] Waits before the three retries: a minute, an hour, and the rest of 48 hours after the first. */
const RETRY_DELAYS_MS = [60_000, 59 * 60_000, 47 * 3_600_000] as const
/** [assumed] How long a reordered callback waits for another one to overtake it. */
const REORDER_LIMIT_MS = 60_000
const KEPT_DELIVERIES = 1_000

type Message = Pick<Delivery, 'reference' | 'url' | 'body'>

interface DeliveriesOptions {
  clock: Clock
  randomness: Randomness
  fetch: SandboxFetch
  /** Host names that may be called beside those of this machine. */
  callbackHosts: readonly string[]
  faults: Faults
}

export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { clock, randomness, fetch, callbackHosts, faults } = options
  const deliveries: Delivery[] = []
  /** Callbacks that wait until another one has overtaken them. */
  const held: (() => void)[] = []

  function add(delivery: Delivery): void {
    deliveries.push(delivery)
    if (deliveries.length > KEPT_DELIVERIES) deliveries.shift()
  }

  function schedule(delivery: Delivery, delayMs: number): void {
    delivery.next_attempt_at = new Date(clock.now() + delayMs).toISOString()
    clock.after(delayMs, () => attempt(delivery))
  }

  function begin({ reference, url, body }: Message): Delivery {
    const delivery: Delivery = {
      id: randomness.hex(16),
      reference,
      url,
      body,
      state: isDeliverable(url, callbackHosts) ? 'scheduled' : 'blocked',
      next_attempt_at: null,
      attempts: [],
    }
    add(delivery)
    return delivery
  }

  function send(message: Message): void {
    const distortion = distortionBy(faults.takeForCallback(new URL(message.url).pathname))
    if (distortion.isDropped) {
      begin(message).state = 'dropped'
      return
    }
    const body = distortion.isCut ? message.body.slice(0, Math.floor(message.body.length / 2)) : message.body
    for (let copy = 0; copy < distortion.copies; copy++) {
      const delivery = begin({ ...message, body })
      if (delivery.state !== 'scheduled') continue
      if (distortion.isHeld) hold(delivery)
      else schedule(delivery, CALLBACK_DELAY_MS + distortion.delayMs)
    }
  }

  function hold(delivery: Delivery): void {
    const cancel = clock.after(REORDER_LIMIT_MS, () => attempt(delivery))
    delivery.next_attempt_at = new Date(clock.now() + REORDER_LIMIT_MS).toISOString()
    held.push(() => {
      if (delivery.next_attempt_at === null) return
      cancel()
      schedule(delivery, 0)
    })
  }

  async function attempt(delivery: Delivery): Promise<void> {
    const begun = clock.now()
    delivery.next_attempt_at = null
    const outcome = await post(delivery, { clock, fetch })
    const at = new Date(begun).toISOString()
    delivery.attempts.push({ at, took_ms: clock.now() - begun, outcome })
    for (const release of held.splice(0)) release()
    const delayMs = RETRY_DELAYS_MS[delivery.attempts.length - 1]
    // [spec: Events, rule 1] Any status other than 200 counts as not acknowledged.
    if ('status' in outcome && outcome.status === 200) delivery.state = 'delivered'
    else if (delayMs === undefined) delivery.state = 'given_up'
    else schedule(delivery, delayMs)
  }

  return {
    notify: ({ reference, url, payload }) => send({ reference, url, body: JSON.stringify(payload) }),
    list: () => deliveries,
    resend(id) {
      const original = deliveries.find((delivery) => delivery.id === id)
      if (!original) return undefined
      const copy = begin(original)
      if (copy.state === 'scheduled') schedule(copy, 0)
      return copy
    },
  }
}

interface Distortion {
  isDropped: boolean
  isCut: boolean
  /** Waits for another callback to overtake it. */
  isHeld: boolean
  delayMs: number
  copies: number
}

function distortionBy(faults: readonly CallbackFault[]): Distortion {
  const isStruckBy = (name: CallbackFault['fault']) => faults.some(({ fault }) => fault === name)
  const delays = faults.map((taken) => (taken.fault === 'callback_delay' ? taken.ms : 0))
  return {
    isDropped: isStruckBy('callback_drop'),
    isCut: isStruckBy('callback_corrupt'),
    isHeld: isStruckBy('callback_reorder'),
    delayMs: delays.reduce((sum, ms) => sum + ms, 0),
    copies: 1 + faults.filter(({ fault }) => fault === 'callback_duplicate').length,
  }
}
