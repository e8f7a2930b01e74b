import type { Timeline } from '../../../demo/sandbox/index.ts'
import type { FetchInit } from '../../../server/http/exchange.ts'
import type { SeededRandom } from '../seeded-random.ts'

/** The probability of each fault for a single message, from 0 to 1. */
export interface Reliability {
  requestLost: number
  answerLost: number
  late: number
  /** The probability that a response is delayed by up to 7 s, so that responses to later requests may arrive first. */
  overtaken: number
  repeated: number
}

export const RELIABLE: Reliability = { requestLost: 0, answerLost: 0, late: 0, overtaken: 0, repeated: 0 }
export const DOWN: Reliability = { ...RELIABLE, requestLost: 1 }

export type Connection = 'gateway' | 'callbacks' | 'merchant'
type Target<Answer> = (url: string, init: FetchInit) => Answer | Promise<Answer>

// Longer than the deadlines of most requests.
const LATEST_MS = 20_000
// Shorter than the deadlines, so that the receiver still accepts overtaken responses.
const OVERTAKEN_MS = 7_000

export interface Network {
  reliability: Record<Connection, Reliability>
  /** The number of messages so far. While this number does not change, the network is idle. */
  traffic(): number
  connect<Answer>(name: Connection, target: Target<Answer>): (url: string, init: FetchInit) => Promise<Answer>
}

export function createNetwork(
  timeline: Timeline,
  random: SeededRandom,
  onFault: (fault: string, line: string) => void = () => {},
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
        onFault(fault, `The network delays ${what}${message()} by ${ms} ms`)
        return timeline.sleep(ms)
      }

      traffic += 1
      if (random.happens(requestLost)) {
        onFault('request lost', `The network loses ${message()}`)
        return neverAnswer(init.signal)
      }
      if (random.happens(late)) {
        await delay('request delayed', '', LATEST_MS)
      }
      if (random.happens(repeated)) {
        onFault('request repeated', `The network will repeat ${message()}`)
        void repeat(target, url, init)
      }

      const answer = await target(url, init)
      traffic += 1
      if (random.happens(answerLost)) {
        onFault('answer lost', `The network loses the answer to ${message()}`)
        return neverAnswer(init.signal)
      }
      if (random.happens(late)) {
        await delay('answer delayed', 'the answer to ', LATEST_MS)
      }
      if (overtaken > 0 && random.happens(overtaken)) {
        await delay('answer overtaken', 'the answer to ', OVERTAKEN_MS)
      }

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
    if (signal.aborted) {
      reject(signal.reason)
    }

    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
