/**
 * Probes of the command `check`: the store, the charges in it, the merchant's backend, and the origins at the running
 * server. Each probe resolves with findings and changes nothing, in a backend that does what it should.
 */

import type { Config } from '../config.ts'
import type { MerchantAccount, Store } from '../store.ts'
import type { Shell } from './shell.ts'
import { createHmac } from 'node:crypto'
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { readCharge } from '../charges/record.ts'
import { isPrivateHost } from '../config/targets.ts'
import { exchange } from '../exchange.ts'
import { accountOf } from '../merchant.ts'
import { systemRandomness } from '../randomness.ts'
import { deletedByBuild, placeOf, sqliteFileOf } from '../store/open.ts'
import { pingEvent, send } from './events.ts'
import { CommandFailure } from './exit-code.ts'
import { openConfiguredStore } from './open-store.ts'

/** One line of the result of the command `check`. */
export interface Finding {
  /** The name of the check. */
  what: string
  /**
   * The result of the check. A `problem` makes the command fail, and so does `later`: in the sandbox, it is what only
   * production needs. A person has to decide whether a `note` matters.
   */
  kind: 'fine' | 'note' | 'later' | 'problem'
  detail: string
}

export const fine = (what: string, detail: string): Finding => ({ what, kind: 'fine', detail })
export const note = (what: string, detail: string): Finding => ({ what, kind: 'note', detail })
export const problem = (what: string, detail: string): Finding => ({ what, kind: 'problem', detail })
/** A problem in production. */
export const needed = (
  { environment }: Pick<Config, 'environment'>,
  what: string,
  detail: string,
): Finding => ({
  what,
  kind: environment === 'sandbox' ? 'later' : 'problem',
  detail,
})

const DEADLINE_MS = 8_000
const MAX_RESPONSE_BYTES = 64_000
const LIMITS = { deadlineMs: DEADLINE_MS, maxAnswerBytes: MAX_RESPONSE_BYTES }
/** The maximum number of origins for which the running server is asked. */
const MOST_ASKED = 5

/** Writes to the store as `/health/ready` does. Creates no SQLite file, which would belong to the wrong user. */
export async function checkStore(config: Config): Promise<Finding> {
  const url = config.storeUrl.reveal()
  if (url === 'sqlite::memory:')
    return note('store', 'STORE_URL is in memory: a restart loses every payment.')
  const deleted = deletedByBuild(url)
  if (deleted !== null) return problem('store', deleted)
  const place = placeOf(url).replace(/^t/, 'T')
  const file = sqliteFileOf(url)
  if (file !== null && !existsSync(file)) return checkFolder(place, dirname(file))
  try {
    const store = await openConfiguredStore(config, { isCommand: true })
    await store.close()
    return fine('store', `${place} can be written.`)
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    return problem('store', `${place}: ${error.message}`)
  }
}

function checkFolder(place: string, folder: string): Finding {
  try {
    accessSync(folder, constants.W_OK)
    return note('store', `${place} does not exist yet. The server creates it at its first start.`)
  } catch {
    return problem('store', `${place} cannot be created: ${folder} does not exist, or cannot be written.`)
  }
}

/** Checks whether ORDERS_URL accepts ORDERS_TOKEN. A backend that does responds with 404 about an unknown reference. */
export async function checkOrders(shell: Shell, config: Config): Promise<Finding> {
  const what = 'orders'
  const { orders } = config
  if (!orders)
    return note(
      what,
      'None of ORDERS_URL, ORDER_SIGNING_KEY and ORDER_PUBLIC_KEYS is set: pass the function "orders" to embed, start or createApp.',
    )
  if (orders.kind === 'signed') return fine(what, 'Orders are signed.')
  const url = `${orders.url}/check-${systemRandomness.uuid()}`
  const response = await exchange(shell.fetchFor(config), shell.clock, {
    method: 'GET',
    url,
    headers: { accept: 'application/json', authorization: `Bearer ${orders.token.reveal()}` },
    ...LIMITS,
  })
  const answer = `ORDERS_URL ${response.summary}`
  if (response.kind !== 'answer') return problem(what, `${answer}${CURE[response.kind]}`)
  const { status } = response
  if (status === 404) return fine(what, 'ORDERS_URL was asked about an order that does not exist: HTTP 404.')
  if (status === 401 || status === 403)
    return problem(
      what,
      `${answer}: it does not accept ORDERS_TOKEN, or does not receive the header Authorization.`,
    )
  return problem(what, `${answer}, and must respond with 404, about an order that does not exist.`)
}

/**
 * Checks whether MERCHANT_WEBHOOK_URL refuses an event that is signed with an empty key, as anybody can, and accepts one
 * that this server has signed.
 */
export async function checkWebhook(shell: Shell, config: Config): Promise<Finding> {
  const what = 'events'
  const { webhook } = config
  if (!webhook)
    return note(
      what,
      'MERCHANT_WEBHOOK_URL is not set: "serve" tells nobody of a payment. Only onEvent, in a server of your own, receives events without it.',
    )
  const id = `check-${systemRandomness.uuid()}`
  const now = shell.clock.now()
  const time = String(Math.floor(now / 1000))
  // No type of event that this server sends, so that a backend that accepts it fulfils nothing.
  const body = JSON.stringify({ type: 'check.forged', timestamp: new Date(now).toISOString(), data: {} })
  const signature = createHmac('sha256', '').update(`${id}.${time}.${body}`).digest('base64')
  const response = await exchange(shell.fetchFor(config), shell.clock, {
    method: 'POST',
    url: webhook.url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': time,
      'webhook-signature': `v1,${signature}`,
    },
    body,
    ...LIMITS,
  })
  const answer = `MERCHANT_WEBHOOK_URL ${response.summary}`
  if (response.kind !== 'answer') return problem(what, `${answer}${CURE[response.kind]}`)
  const { status } = response
  if (status >= 200 && status <= 299)
    return problem(
      what,
      `MERCHANT_WEBHOOK_URL accepted a forged event with HTTP ${status}: anybody can tell it that an order is paid, or it is another page. Verify the signature, and refuse an empty MERCHANT_WEBHOOK_SECRET.`,
    )
  if (![400, 401, 403, 422].includes(status))
    return problem(what, `${answer} to a forged event, and must respond with 401.`)
  const sent = await send(shell, { ...config, webhook }, pingEvent(shell))
  if (sent.accepted)
    return fine(
      what,
      `MERCHANT_WEBHOOK_URL refuses a forged event with HTTP ${status}, and accepts a signed one.`,
    )
  return problem(
    what,
    `MERCHANT_WEBHOOK_URL does not accept a signed event, "ping", which it must, as any of a type that it does not know. ${sent.reason}`,
  )
}

const CURE = {
  timeout: '.',
  unreachable: ' from this machine. Is your backend running?',
  too_large: ': it is another page.',
} as const

/** The outcomes that a status from the gateway causes. A refusal also causes `failed`. */
const ENDS = ['succeeded', 'reversed', 'refunded', 'failed'] as const
/** The maximum number of charges per outcome that are read. */
const MOST_READ = 100

/**
 * Resolves with `true` if a status from the gateway settled a charge of this merchant account. Resolves with `false` if
 * there is no such charge, or if the store cannot be read. Creates no SQLite file.
 */
export async function areChargesProven(config: Config): Promise<boolean> {
  const [, path] = /^sqlite:(.*)$/.exec(config.storeUrl.reveal()) ?? []
  if (path !== undefined && !existsSync(path)) return false
  const store = await openConfiguredStore(config, { isCommand: true }).catch(nullIfUnusable)
  if (!store) return false
  try {
    return await hasEnded(store, accountOf(config))
  } finally {
    await store.close()
  }
}

function nullIfUnusable(error: unknown): null {
  if (error instanceof CommandFailure) return null
  throw error
}

async function hasEnded(store: Store, account: MerchantAccount): Promise<boolean> {
  const rows = await Promise.all(
    ENDS.map((outcome) => store.search(account, 'charge', { outcome, limit: MOST_READ })),
  )
  return rows.flat().some((row) => {
    const { record } = readCharge(row)
    return record.phase === 'posted' && record.settled_at !== null
  })
}

/** Checks the origins themselves, and whether the server at PUBLIC_URL allows them to read its responses. */
export async function checkOrigins(shell: Shell, config: Config): Promise<Finding[]> {
  const { allowedOrigins, publicUrl } = config
  const { origin: own } = new URL(publicUrl)
  if (allowedOrigins.length === 0)
    return [note('origins', `ALLOWED_ORIGINS is not set: only pages of ${own} can take payments.`)]
  const wrong = allowedOrigins.flatMap((origin) => {
    const rule = ruleBrokenBy(new URL(origin))
    return rule === null ? [] : [needed(config, 'origins', `ALLOWED_ORIGINS has ${origin}: ${rule}.`)]
  })
  if (wrong.some(({ kind }) => kind === 'problem')) return wrong
  const refused = await Promise.all(
    allowedOrigins
      .slice(0, MOST_ASKED)
      .map(async (origin) => ((await isAllowed(shell, publicUrl, origin)) === false ? [origin] : [])),
  )
  const names = refused.flat().join(', ')
  return names === ''
    ? [
        ...wrong,
        fine('origins', `Pages of ${[...new Set([own, ...allowedOrigins])].join(', ')} can take payments.`),
      ]
    : [
        problem(
          'origins',
          `The server at ${publicUrl} refuses pages of ${names}: restart it, or look at its proxy.`,
        ),
      ]
}

function ruleBrokenBy({ protocol, hostname }: URL): string | null {
  // A page inside an app, such as capacitor://localhost, is on the shopper's own device.
  if (!/^https?:$/.test(protocol)) return null
  if (isPrivateHost(hostname)) return 'shoppers cannot open a page there'
  return protocol === 'https:' ? null : 'the pages of a shop must be https'
}

/** Resolves with whether the server lets pages of `origin` read its responses; `null` if the server does not answer. */
async function isAllowed(shell: Shell, publicUrl: string, origin: string): Promise<boolean | null> {
  const fetch = shell.fetchFor({ privateHosts: 'any' })
  const response = await exchange(fetch, shell.clock, {
    // The request that browsers send before others. It starts no checkout.
    method: 'OPTIONS',
    url: `${publicUrl}/checkout/initiate`,
    headers: { origin, 'access-control-request-method': 'POST' },
    ...LIMITS,
  })
  // The check of the address names a redirect.
  if (response.kind !== 'answer' || response.status >= 300) return null
  return response.headers?.get('access-control-allow-origin') === origin
}
