/** How a merchant's shop makes an order and tells its state: by a URL with `{order}`, or by a command with `$ORDER`. */

import { exec } from 'node:child_process'
import { z } from 'zod'

import { parseJson, parseUrl } from '../contract/parse.ts'
import { exchange, isNotListening, isSuccess } from '../http/exchange.ts'
import { Ruling } from './run.ts'

import type { Fetch } from '../http/exchange.ts'
import type { Clock } from '../work/clock.ts'

/** How a shop is reached. */
interface ShopAccess {
  fetch: Fetch
  clock: Clock
  env: Readonly<Record<string, string | undefined>>
}

const isUrl = (source: string) => /^https?:/.test(source)
const LIMITS = { deadlineMs: 5_000, maxAnswerBytes: 256_000 }
/** A shop answers with the reference as text, as JSON text, or in an object. */
const CreatedOrder = z.union([z.string(), z.object({ order: z.string() }).transform(({ order }) => order)])

/**
 * Makes an order, and resolves with its reference. The first of these that there is counts:
 * - the last segment of the path in the header `Location`;
 * - the answer, if it is JSON text or an object with `order`;
 * - the last line of any other answer: a command may print more before it;
 * - `proposed`, if the source passes it to the shop.
 *
 * @throws {Ruling} if this is no reference, or the shop does not answer as it should.
 */
export async function createOrder(source: string, proposed: string, access: ShopAccess): Promise<string> {
  const { text, location } = await ask('POST', source, proposed, access)
  const { data: answered = text.trim().split('\n').at(-1) } = CreatedOrder.safeParse(parseJson(text))
  const isPassed = !isUrl(source) || source.includes('{order}')
  const reference =
    location === null ? answered?.trim() || (isPassed ? proposed : '') : lastSegmentOf(location, source)
  // Other JSON, a page, or a path such as "/" has no reference.
  if (reference === '' || /^[{}[\]<]/.test(reference)) {
    throw new Ruling(
      'not proven',
      `--create answers "${location ?? reference}", not A-1 or {"order": "A-1"}.`,
    )
  }
  return reference
}

function lastSegmentOf(location: string, source: string): string {
  const segment = parseUrl(location, source)?.pathname.split('/').findLast(Boolean) ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    // A shop may write "50%" as it stands.
    return segment
  }
}

/** Resolves with what the shop tells about an order, as text: nothing with 404. */
export async function readState(source: string, order: string, access: ShopAccess): Promise<string> {
  return (await ask('GET', source, order, access)).text
}

async function ask(method: 'GET' | 'POST', source: string, order: string, { fetch, clock, env }: ShopAccess) {
  if (!isUrl(source)) {
    return { text: await runCommand(source, { ...env, ORDER: order }), location: null }
  }

  const url = source.replaceAll('{order}', encodeURIComponent(order))
  const headers = { accept: 'application/json, text/plain' }
  const answer = await exchange(fetch, clock, { method, url, headers, ...LIMITS })
  if (answer.kind === 'answer') {
    const { status, text } = answer
    const location = (method === 'POST' && answer.headers?.get('location')) || null
    if (location !== null || isSuccess(status)) {
      return { text, location }
    }
    if (status === 404 && method === 'GET') {
      return { text: '', location }
    }
  }

  const option = method === 'GET' ? '--state' : '--create'
  const cause =
    answer.kind === 'timeout' ? ', while your webhook may be at work: can your shop serve both at once?' : '.'
  const failure = answer.kind === 'unreachable' && isNotListening(answer.cause) ? 'not reached' : null
  throw new Ruling('not proven', `${option}: ${url} ${answer.summary}${cause}`, failure)
}

/** The words of SQLite about a database to which the shop writes at the same moment. */
const LOCKED = /database is locked/i
const CURE_OF_LOCK = ". Let the command wait for your shop: sqlite3 -cmd '.timeout 5000'."

/**
 * Resolves with what a command prints. One that fails in silence, as `grep` does, has found nothing; but one that is
 * ended, by the deadline or a signal, has told nothing.
 */
function runCommand(command: string, env: ShopAccess['env']): Promise<string> {
  const { deadlineMs: timeout, maxAnswerBytes: maxBuffer } = LIMITS
  return new Promise((resolve, reject) => {
    exec(command, { env, timeout, maxBuffer }, (error, stdout, stderr) => {
      const refuse = (reason: string) => reject(new Ruling('not proven', `${command}: ${reason}`))
      if (error?.killed) {
        refuse(`did not end within ${timeout / 1000} seconds.`)
      } else if (error instanceof RangeError) {
        refuse(`prints more than ${maxBuffer / 1000} kB.`)
      } else if (error?.signal) {
        refuse(`was ended by ${error.signal}.`)
      } else if (error && stdout === '' && stderr !== '') {
        const said = stderr.trim()
        refuse(LOCKED.test(said) ? `${said}${CURE_OF_LOCK}` : said)
      } else {
        resolve(stdout)
      }
    })
  })
}
