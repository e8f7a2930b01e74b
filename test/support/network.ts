/** A simulated network that loses, delays, repeats and reorders messages. */

import type { FetchInit } from '../../server/exchange.ts'
import type { Timeline } from '../../demo/sandbox/index.ts'
import type { SeededRandom } from './seeded-random.ts'

/** Probabilities from 0 to 1, applied to each message independently. */
export interface Reliability {
  requestLost: number
  answerLost: number
  late: number
  repeated: number
}

export const RELIABLE: Reliability = { requestLost: 0, answerLost: 0, late: 0, repeated: 0 }
export const DOWN: Reliability = { ...RELIABLE, requestLost: 1 }

/**
 * Connections of a test world, named after their receivers: the gateway, the BFF's callback routes, the merchant's
 * backend.
 */
export type Connection = 'gateway' | 'callbacks' | 'merchant'
type Target<Answer> = (url: string, init: FetchInit) => Answer | Promise<Answer>

const LATEST_MS = 20_000

export interface Network {
  reliability: Record<Connection, Reliability>
  /** Number of messages sent, delivered and answered. The network is idle while this number does not change. */
  traffic(): number
  connect<Answer>(name: Connection, target: Target<Answer>): (url: string, init: FetchInit) => Promise<Answer>
}

/** @param tell Logs the messages that the network loses, delays or repeats. */
export function createNetwork(
  timeline: Timeline,
  random: SeededRandom,
  tell: (line: string) => void = () => {},
): Network {
  let traffic = 0

  const network: Network = {
    reliability: { gateway: RELIABLE, callbacks: RELIABLE, merchant: RELIABLE },
    traffic: () => traffic,
    connect: (name, target) => async (url, init) => {
      const { requestLost, answerLost, late, repeated } = network.reliability[name]
      const message = () => `${init.method} ${new URL(url).pathname}`
      const delay = (what: string) => {
        if (!random.happens(late)) return null
        const ms = random.between(1, LATEST_MS)
        tell(`The network delays ${what}${message()} by ${ms} ms`)
        return timeline.sleep(ms)
      }
      traffic += 1
      if (random.happens(requestLost)) {
        tell(`The network loses ${message()}`)
        return neverAnswer(init.signal)
      }
      await delay('')
      if (random.happens(repeated)) {
        tell(`The network will repeat ${message()}`)
        void repeat(target, url, init)
      }
      const answer = await target(url, init)
      traffic += 1
      if (random.happens(answerLost)) {
        tell(`The network loses the answer to ${message()}`)
        return neverAnswer(init.signal)
      }
      await delay('the answer to ')
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
