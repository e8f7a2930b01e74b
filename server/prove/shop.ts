/** How a merchant's shop makes an order, cancels it and tells its state: by a URL with `{order}`, or by a command with `$ORDER`. */

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
 * Returns a function that makes an order, and resolves with its reference. The first of these that there is counts:
 * - in the header `Location`, what differs between the addresses of two orders;
 * - the answer, if it is JSON text or an object with `order`;
 * - the last line of any other answer: a command may print more before it;
 * - `proposed`, if the source passes it to the shop.
 *
 * The function throws a {@link Ruling} if this is no reference, or the shop does not answer as it should.
 */
export function createOrders(source: string, access: ShopAccess): (proposed: string) => Promise<string> {
  let place: Promise<string> | undefined
  return async (proposed) => {
    const { text, location } = await ask('--create', source, proposed, access)
    const { data: answered = text.trim().split('\n').at(-1) } = CreatedOrder.safeParse(parseJson(text))
    const isPassed = !isUrl(source) || source.includes('{order}')
    if (location === null) {
      return referenceIn(answered?.trim() || (isPassed ? proposed : ''))
    }

    place ??= findPlace(location, source, async () => {
      const other = await ask('--create', source, `${proposed}-2`, access)
      return other.location ?? ''
    })
    const reference = partsOf(location, source).get(await place) ?? ''
    return referenceIn(reference, location)
  }
}

/** Returns a reference. Other JSON, a page, or a path such as "/" has none. */
function referenceIn(reference: string, shown = reference): string {
  if (reference === '' || /^[{}[\]<]/.test(reference)) {
    throw new Ruling('not proven', `--create answers "${shown}", not A-1 or {"order": "A-1"}.`)
  }
  return reference
}

/** Resolves with the part of addresses that is the reference: the last that another order's address has not. */
async function findPlace(location: string, source: string, another: () => Promise<string>): Promise<string> {
  const parts = partsOf(location, source)
  // An address without parts is refused as it stands.
  if (parts.size === 0) {
    return ''
  }

  const other = await another()
  const others = partsOf(other, source)
  const differing = [...parts].findLast(([name, value]) => others.has(name) && others.get(name) !== value)
  if (differing) {
    return differing[0]
  }
  throw new Ruling(
    'not proven',
    `--create redirects two orders to "${location}" and "${other}", and no part of these tells them apart: neither of the path nor of the query.`,
  )
}

/** Returns the values in an address by their places. Those of the path come after those of the query: they say more. */
function partsOf(location: string, source: string): Map<string, string> {
  const url = parseUrl(location, source)
  const segments = url?.pathname.split('/').filter(Boolean) ?? []
  return new Map([
    ...[...(url?.searchParams ?? [])].map(([name, value]) => [`?${name}`, value] as const),
    ...segments.map((segment, index) => [`/${index}`, decoded(segment)] as const),
  ])
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // A shop may write "50%" as it stands.
    return segment
  }
}

/** Resolves when the shop has cancelled an order. */
export async function cancelOrder(source: string, order: string, access: ShopAccess): Promise<void> {
  await ask('--cancel', source, order, access)
}

/** Resolves with what the shop tells about an order, as text: nothing with 404. */
export async function readState(source: string, order: string, access: ShopAccess): Promise<string> {
  return (await ask('--state', source, order, access)).text
}

type Option = '--create' | '--cancel' | '--state'

async function ask(option: Option, source: string, order: string, { fetch, clock, env }: ShopAccess) {
  if (!isUrl(source)) {
    return { text: await runCommand(option, source, { ...env, ORDER: order }), location: null }
  }

  const method = option === '--state' ? 'GET' : 'POST'
  const url = source.replaceAll('{order}', encodeURIComponent(order))
  const headers = { accept: 'application/json, text/plain' }
  const answer = await exchange(fetch, clock, { method, url, headers, ...LIMITS })
  if (answer.kind === 'answer') {
    const { status, text } = answer
    // A shop leads to an order that it has made. A redirect from anything else may lead to a form to log in.
    const location = (option === '--create' && answer.headers?.get('location')) || null
    if (location !== null || isSuccess(status)) {
      return { text, location }
    }
    if (status === 404 && method === 'GET') {
      return { text: '', location }
    }
  }

  const cause =
    answer.kind === 'timeout' ? ', while your webhook may be at work: can your shop serve both at once?' : '.'
  const failure = answer.kind === 'unreachable' && isNotListening(answer.cause) ? 'not reached' : null
  throw new Ruling('not proven', `${option}: ${url} ${answer.summary}${cause}`, failure)
}

/** The words of SQLite about a database to which the shop writes at the same moment. */
const LOCKED = /database is locked/i
const CURE_OF_LOCK = ". Let the command wait for your shop: sqlite3 -cmd '.timeout 5000'."

/**
 * Resolves with what a command prints. A state that fails in silence, as `grep` does, has found nothing; but a command that
 * is ended, by the deadline or a signal, has told nothing, and one that fails has made or cancelled nothing.
 */
function runCommand(option: Option, command: string, env: ShopAccess['env']): Promise<string> {
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
      } else if (error && option !== '--state') {
        refuse(`failed with the exit code ${error.code}.`)
      } else {
        resolve(stdout)
      }
    })
  })
}
