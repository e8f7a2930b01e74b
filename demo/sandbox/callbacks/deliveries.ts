// The callbacks to a merchant, with every attempt to deliver them: the first one, retries, and replays on request.
// [spec: Events]

import { isCallbackFault } from '../faults.ts'
import { isDeliverable } from '../http/allowed-addresses.ts'

import type { CallbackFault, Faults } from '../faults.ts'
import type { CallbackHosts } from '../http/allowed-addresses.ts'
import type { Clock } from '../journal/state-clock.ts'
import type { Randomness } from '../randomness.ts'

export type SandboxFetch = (
  url: string,
  init: {
    method: 'POST'
    headers: Record<string, string>
    body: string
    redirect: 'manual'
    signal: AbortSignal
  },
) => Response | Promise<Response>

export interface Callback {
  reference: string
  /** `null` if there is no address; then nothing is sent. */
  url: string | null
  payload: object
}

/** `answer` contains at most the first 500 bytes of the response's body. */
type AttemptOutcome = { status: number; answer: string } | { error: string }

export interface Delivery {
  id: string
  created_at: string
  reference: string
  url: string
  body: string
  /**
   * `blocked`: the host of `url` is not allowed to receive callbacks. `dropped`: a simulated fault discarded the
   * callback. `held`: a simulated fault holds the callback until it is released.
   */
  state: 'scheduled' | 'held' | 'delivered' | 'given_up' | 'blocked' | 'dropped'
  next_attempt_at: string | null
  attempts: { at: string; took_ms: number; outcome: AttemptOutcome }[]
}

// [assumed] Time between the change of a transaction and the callback.
const CALLBACK_DELAY_MS = 250
// [assumed] Callbacks of all transactions are retried; the spec defines retries for payouts only.
// [spec: Events] The delays before the three retries are 48 hours in total.
const RETRY_DELAYS_MS = [60_000, 59 * 60_000, 47 * 3_600_000] as const
// [assumed] A reordered callback waits for another callback, but at most this long.
const REORDER_LIMIT_MS = 60_000
// [assumed] Timeout of one attempt.
const DEADLINE_MS = 10_000
const MAX_DELIVERIES = 1_000
/** How much of a response is kept. */
const MAX_ANSWER_BYTES = 500

type Message = Pick<Delivery, 'reference' | 'url' | 'body'>

interface DeliveriesOptions {
  clock: Clock
  randomness: Randomness
  fetch: SandboxFetch
  callbackHosts: CallbackHosts
  faults: Faults
}

export function createDeliveries({ clock, randomness, fetch, callbackHosts, faults }: DeliveriesOptions) {
  const deliveries: Delivery[] = []
  /** The reordered callbacks, which are sent after the next other callback. The value cancels the scheduled attempt. */
  const reordered = new Map<Delivery, () => void>()

  const find = (id: string) => deliveries.find((delivery) => delivery.id === id)

  function schedule(delivery: Delivery, delayMs: number): () => void {
    delivery.next_attempt_at = timeOf(clock.now() + delayMs)
    return clock.after(delayMs, () => attempt(delivery))
  }

  function create({ reference, url, body }: Message, fate?: 'dropped'): Delivery {
    const state = fate ?? (isDeliverable(url, callbackHosts) ? 'scheduled' : 'blocked')
    const message = { id: randomness.hex(16), created_at: timeOf(clock.now()), reference, url, body }
    const delivery: Delivery = { ...message, state, next_attempt_at: null, attempts: [] }
    deliveries.push(delivery)
    if (deliveries.length > MAX_DELIVERIES) {
      deliveries.shift()
    }
    return delivery
  }

  /** Delivers a callback after 250 ms, unless a simulated fault delays, changes or discards the callback. */
  function notify({ reference, url, payload }: Callback): void {
    if (url === null) {
      return
    }

    const body = JSON.stringify(payload)
    const taken = faults.take(new URL(url).pathname, isCallbackFault)
    const { countOf, keptLength, delayMs } = effectsOf(taken, body)
    if (countOf('callback_drop') > 0) {
      return void create({ reference, url, body }, 'dropped')
    }

    for (let copy = 0; copy <= countOf('callback_duplicate'); copy++) {
      const delivery = create({ reference, url, body: body.slice(0, keptLength) })
      if (delivery.state !== 'scheduled') {
        continue
      }
      if (countOf('callback_hold') > 0) {
        delivery.state = 'held'
      } else if (countOf('callback_reorder') === 0) {
        schedule(delivery, delayMs)
      } else {
        reordered.set(delivery, schedule(delivery, REORDER_LIMIT_MS))
      }
    }
  }

  function attempt(delivery: Delivery): Promise<void> | void {
    const startedAt = clock.now()
    const { signal, cancelDeadline } = deadlineOf(clock)
    delivery.next_attempt_at = null
    reordered.delete(delivery)

    const conclude = (outcome: AttemptOutcome) => {
      cancelDeadline()
      delivery.attempts.push({ at: timeOf(startedAt), took_ms: clock.now() - startedAt, outcome })
      for (const [waiting, cancel] of reordered) {
        cancel()
        schedule(waiting, 0)
      }

      reordered.clear()
      const delayMs = RETRY_DELAYS_MS[delivery.attempts.length - 1]
      // [spec: Events, rule 1] Any status other than 200 counts as not acknowledged.
      if ('status' in outcome && outcome.status === 200) {
        delivery.state = 'delivered'
      } else if (delayMs === undefined) {
        delivery.state = 'given_up'
      } else {
        schedule(delivery, delayMs)
      }
    }

    return clock.ask(() => post(delivery, fetch, signal), conclude)
  }

  return {
    notify,
    list: (): readonly Delivery[] => deliveries,
    find,
    /** Sends a held callback. Returns `undefined` if there is none with this id. */
    release(id: string): Delivery | undefined {
      const held = find(id)
      if (held?.state !== 'held') {
        return undefined
      }

      held.state = 'scheduled'
      schedule(held, 0)
      return held
    },
    /** Sends a callback again, as a new delivery. */
    replay(id: string): Delivery | undefined {
      const original = find(id)
      if (!original) {
        return undefined
      }

      const copy = create(original)
      if (copy.state === 'scheduled') {
        schedule(copy, 0)
      }
      return copy
    },
  }
}

const timeOf = (ms: number) => new Date(ms).toISOString()

/** Returns what simulated faults do to a callback. A fault may have been set several times. */
function effectsOf(taken: readonly CallbackFault[], { length }: string) {
  const countOf = (name: CallbackFault['fault']) => taken.filter(({ fault }) => fault === name).length
  const delays = taken.map((each) => (each.fault === 'callback_delay' ? each.ms : 0))
  return {
    countOf,
    keptLength: countOf('callback_corrupt') > 0 ? Math.floor(length / 2) : length,
    delayMs: delays.reduce((sum, ms) => sum + ms, CALLBACK_DELAY_MS),
  }
}

function deadlineOf(clock: Clock): { signal: AbortSignal; cancelDeadline: () => void } {
  const deadline = new AbortController()
  const late = new Error(`No answer within ${DEADLINE_MS} ms.`)
  return { signal: deadline.signal, cancelDeadline: clock.after(DEADLINE_MS, () => deadline.abort(late)) }
}

async function post(
  { url, body }: Message,
  fetch: SandboxFetch,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { address, authorization } = withoutCredentials(url)
  const headers = { 'content-type': 'application/json', ...authorization }
  try {
    // A redirect could lead to a forbidden address. The redirect's status is not 200, so the attempt fails.
    const sent = fetch(address, { method: 'POST', headers, body, redirect: 'manual', signal })
    // The timeout also applies to a `fetch` that ignores its signal.
    const response = await Promise.race([sent, rejectionOf(signal)])
    return { status: response.status, answer: await beginningOf(response, signal) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

/** [assumed] A user and a password in an address are sent as HTTP Basic credentials, as most HTTP clients do. */
function withoutCredentials(url: string) {
  const parsed = new URL(url)
  const { username, password } = parsed
  if (username === '' && password === '') {
    return { address: url, authorization: {} }
  }

  Object.assign(parsed, { username: '', password: '' })
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return {
    address: parsed.href,
    authorization: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
  }
}

async function beginningOf({ body }: Response, signal: AbortSignal): Promise<string> {
  let bytes = Buffer.alloc(0)

  const read = async () => {
    for await (const chunk of body ?? []) {
      bytes = Buffer.concat([bytes, chunk])
      if (bytes.length >= MAX_ANSWER_BYTES) {
        return
      }
    }
  }

  // An interrupted body is no error: only the status counts, and the text received so far is kept.
  await Promise.race([read(), rejectionOf(signal)]).catch(() => {})
  return bytes.toString('utf8', 0, MAX_ANSWER_BYTES)
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
