/** How a merchant's shop makes an order and tells its state: by a URL with `{order}`, or by a command with `$ORDER`. */

import type { Clock } from '../work/clock.ts'
import type { Fetch } from '../http/exchange.ts'
import { exchange } from '../http/exchange.ts'
import { exec } from 'node:child_process'
import { z } from 'zod'
import { Ruling } from './run.ts'
import { parseJson } from '../contract/parse.ts'

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
 * Makes an order, and resolves with its reference: the end of `location`, or what the shop answers, whose last line
 * counts, or else `proposed`, if the source passes it to the shop.
 */
export async function createOrder(source: string, proposed: string, access: ShopAccess): Promise<string> {
  const { text, location } = await ask('POST', source, proposed, access)
  if (location) return decodeURIComponent(/[^/?#]*(?=([?#].*)?$)/.exec(location)?.[0] ?? '')
  const { data: answered = text.trim().split('\n').at(-1) } = CreatedOrder.safeParse(parseJson(text))
  const isPassed = !isUrl(source) || source.includes('{order}')
  const reference = answered?.trim() || (isPassed ? proposed : '')
  // Other JSON or a page has no reference.
  if (reference === '' || /^[{}[\]<]/.test(reference))
    throw new Ruling('not proven', `--create answers "${reference}", not A-1 or {"order": "A-1"}.`)
  return reference
}

/** Resolves with what the shop tells about an order, as text: nothing with 404. */
export async function readState(source: string, order: string, access: ShopAccess): Promise<string> {
  return (await ask('GET', source, order, access)).text
}

async function ask(method: 'GET' | 'POST', source: string, order: string, { fetch, clock, env }: ShopAccess) {
  if (!isUrl(source)) return { text: await runCommand(source, { ...env, ORDER: order }), location: null }
  const url = source.replaceAll('{order}', encodeURIComponent(order))
  const headers = { accept: 'application/json, text/plain' }
  const answer = await exchange(fetch, clock, { method, url, headers, ...LIMITS })
  const location = answer.kind === 'answer' && method === 'POST' && answer.headers?.get('location')
  if (answer.kind === 'answer') {
    if (location || (answer.status >= 200 && answer.status <= 299)) return { text: answer.text, location }
    if (answer.status === 404 && method === 'GET') return { text: '', location }
  }
  const option = method === 'GET' ? '--state' : '--create'
  const cause =
    answer.kind === 'timeout' ? ', while your webhook may be at work: can your shop serve both at once?' : '.'
  throw new Ruling('not proven', `${option}: ${url} ${answer.summary}${cause}`)
}

/** Resolves with what a command prints. Programs such as `grep` fail when they find nothing, and say nothing. */
function runCommand(command: string, env: ShopAccess['env']): Promise<string> {
  return new Promise((resolve, reject) => {
    exec(command, { env, timeout: LIMITS.deadlineMs }, (error, stdout, stderr) => {
      if (error && stdout === '' && stderr !== '')
        reject(new Ruling('not proven', `${command}: ${stderr.trim()}`))
      else resolve(stdout)
    })
  })
}
