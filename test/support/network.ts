/** A simulated network that loses, delays, repeats and reorders messages. */

import type { FetchInit } from '../../server/exchange.ts'
import type { Timeline } from '../../demo/sandbox/index.ts'
import type { SeededRandom } from './seeded-random.ts'

/** Probabilities from 0 to 1, applied to each message independently. */
export interface Reliability {
  requestLost: number
  answerLost: number
  late: number
  /** Answers that are sent at once and arrive seconds later, so that answers to later requests overtake them. */
  overtaken: number
  repeated: number
}

export const RELIABLE: Reliability = { requestLost: 0, answerLost: 0, late: 0, overtaken: 0, repeated: 0 }
export const DOWN: Reliability = { ...RELIABLE, requestLost: 1 }

/**
 * Connections of a test world, named after their receivers: the gateway, the BFF's callback routes, the merchant's
 * backend.
 */
export type Connection = 'gateway' | 'callbacks' | 'merchant'
type Target<Answer> = (url: string, init: FetchInit) => Answer | Promise<Answer>

/** Longer than the deadlines of most requests. */
const LATEST_MS = 20_000
/** Shorter than the deadlines, so that overtaken answers still count. */
const OVERTAKEN_MS = 7_000

export interface Network {
  reliability: Record<Connection, Reliability>
  /** Number of messages sent, delivered and answered. The network is idle while this number does not change. */
  traffic(): number
  connect<Answer>(name: Connection, target: Target<Answer>): (url: string, init: FetchInit) => Promise<Answer>
}

/** @param injected Called for each fault with its type and a sentence about the message. */
export function createNetwork(
  timeline: Timeline,
  random: SeededRandom,
  injected: (fault: string, line: string) => void = () => {},
): Network {
  let traffic = 0

  const network: Network = {
    reliability: { gateway: RELIABLE, callbacks: RELIABLE, merchant: RELIABLE },
    traffic: () => traffic,
    connect: (name, target) => async (url, init) => {
      const { requestLost, answerLost, late, overtaken, repeated } = network.reliability[name]
      const message = () => `${init.method} ${new URL(url).pathname}`
      const delay = (fault: string, what: string, longestMs: number) => {
        const ms = random.between(1, longestMs)
        injected(fault, `The network delays ${what}${message()} by ${ms} ms`)
        return timeline.sleep(ms)
      }
      traffic += 1
      if (random.happens(requestLost)) {
        injected('request lost', `The network loses ${message()}`)
        return neverAnswer(init.signal)
      }
      if (random.happens(late)) await delay('request delayed', '', LATEST_MS)
      if (random.happens(repeated)) {
        injected('request repeated', `The network will repeat ${message()}`)
        void repeat(target, url, init)
      }
      const answer = await target(url, init)
      traffic += 1
      if (random.happens(answerLost)) {
        injected('answer lost', `The network loses the answer to ${message()}`)
        return neverAnswer(init.signal)
      }
      if (random.happens(late)) await delay('answer delayed', 'the answer to ', LATEST_MS)
      if (overtaken > 0 && random.happens(overtaken))
        await delay('answer overtaken', 'the answer to ', OVERTAKEN_MS)
      traffic += 1
      return answer
    },
  }

  async function repeat<Answer>(target: Target<Answer>, url: string, init: FetchInit): Promise<void> {
    await timeline.sleep(random.between(1, LATEST_MS))
    traffic += 1
    await target(url, { ...init, signal: new AbortController().signal })
  }

  return network
}

function neverAnswer(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
