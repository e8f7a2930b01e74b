/**
 * Resolves host names for all connections of this process.
 *
 * Node.js resolves at most two names at once, and a name whose name server is silent holds one of the two places for ten
 * seconds or longer. A question for each connection to such a name, such as the merchant's backend, would leave no place
 * for the gateway's. A name therefore has one open question, and the addresses that it had last serve while DNS is silent.
 */

import { lookup as systemLookup } from 'node:dns'
import { callbackify } from 'node:util'

import { systemClock, withTimeout } from '../work/clock.ts'

import type { Clock } from '../work/clock.ts'
import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

type Options = Parameters<LookupFunction>[1]

/** How long DNS may be silent about a name whose last addresses are known, in milliseconds. */
const PATIENCE_MS = 1_000
/**
 * How long DNS may be silent about any other name, in milliseconds. Shorter than the deadline of every request and
 * connection, so that the failure names DNS as its cause.
 */
const DEADLINE_MS = 4_000

/** The code of the system for a name about which DNS says nothing now. A name that does not exist has another one. */
const UNANSWERED = 'EAI_AGAIN'

class UnansweredError extends Error {
  override readonly name = 'UnansweredError'
  readonly code = UNANSWERED

  constructor(hostname: string) {
    super(`DNS did not resolve ${hostname} within ${DEADLINE_MS / 1000} seconds`)
  }
}

/**
 * Returns a lookup function with one open question per name, which everybody joins who asks for it. All connections ask
 * for a name with the same options, but for `all`.
 *
 * @param lookup Resolves a name. It may take long, or never call back.
 */
export function createSharedLookup(lookup: LookupFunction, clock: Clock): LookupFunction {
  /** Until the resolver has called back, even if the promise is settled: nobody waits again for the same silence. */
  const questions = new Map<string, Promise<LookupAddress[]>>()
  const lastAddresses = new Map<string, LookupAddress[]>()

  const find = callbackify(
    (hostname: string, options: Options) => questions.get(hostname) ?? ask(hostname, options),
  )
  return (hostname, options, callback) =>
    find(hostname, options, (error, addresses) => {
      if (error) {
        return callback(error, [])
      }

      const [first] = addresses
      if (options.all || !first) {
        callback(null, addresses)
      } else {
        callback(null, first.address, first.family)
      }
    })

  function ask(hostname: string, options: Options): Promise<LookupAddress[]> {
    const answer = resolve(hostname, options)
    const last = lastAddresses.get(hostname)
    const patienceMs = last ? PATIENCE_MS : DEADLINE_MS
    const question = withTimeout(patienceMs, clock, () => answer, new UnansweredError(hostname)).catch(
      (error: NodeJS.ErrnoException) => {
        if (last && error.code === UNANSWERED) {
          return last
        }
        throw error
      },
    )
    questions.set(hostname, question)
    const close = () => void questions.delete(hostname)
    answer.then((addresses) => {
      lastAddresses.set(hostname, addresses)
      close()
    }, close)
    return question
  }

  function resolve(hostname: string, options: Options): Promise<LookupAddress[]> {
    return new Promise((done, fail) => {
      lookup(hostname, { ...options, all: true }, (error, found, family = 0) => {
        if (error) {
          fail(error)
        } else {
          done(typeof found === 'string' ? [{ address: found, family }] : found)
        }
      })
    })
  }
}

/** The lookup function of this process. Its places for questions are the process's, too. */
export const sharedLookup: LookupFunction = createSharedLookup(systemLookup, systemClock)
