/**
 * A client of the merchant API (`/api`) for the command line. The client calls the app in the same process, with the
 * configured store and a random API key. A command therefore has the same effect as an HTTP request to the server.
 */

import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store.ts'
import type { Shell } from './shell.ts'
import { Problem } from '../api/problem.ts'
import { createApp } from '../app.ts'
import { Secret } from '../config/secret.ts'
import { readConfig } from '../config.ts'
import { silentLog } from '../log.ts'
import { NoStoreError } from '../store.ts'
import { openStore } from '../store/open.ts'
import { systemRandomness } from '../randomness.ts'
import { CommandFailure, exitCodeOf } from './exit-code.ts'
import { openConfiguredStore, refuseMemory } from './open-store.ts'
import { printable } from '../printable.ts'

export type ApiClient = ReturnType<typeof createApiClient>

export interface ApiResponse<Value> {
  value: Value
  /** The unmodified JSON of the response, which the option `--json` prints. */
  body: unknown
}

export type Attempt<Value> =
  | ({ kind: 'accepted' } & ApiResponse<Value>)
  | { kind: 'refused'; problem: Problem }

/** The query parameters of a request, by name. A parameter whose value is undefined is omitted. */
export type Query = Readonly<Record<string, string | undefined>>

/**
 * Opens the store, calls `work` with a client of the API, and closes the store.
 *
 * @param needsRecords Whether `work` reads or changes records. Otherwise it only queries the gateway, which works before
 * there is a store. A store in memory is not shared with a command.
 */
export async function withApi<T>(
  shell: Shell,
  work: (api: ApiClient) => Promise<T>,
  needsRecords = true,
): Promise<T> {
  const config = readConfig(shell.env)
  if (needsRecords) refuseMemory(config)
  const store = await openConfiguredStore(config, { isCommand: true }).catch((error: unknown) => {
    if (needsRecords || !(error instanceof CommandFailure && error.cause instanceof NoStoreError)) throw error
    return openStore('sqlite::memory:')
  })
  try {
    return await work(createApiClient(config, store, shell))
  } finally {
    await store.close()
  }
}

function createApiClient(config: Config, store: Store, shell: Shell) {
  const key = systemRandomness.token()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const app = createApp({
    config: { ...config, apiKeys: [new Secret(key)] },
    store,
    fetch: shell.fetchFor(config),
    clock: shell.clock,
    log: logTo(shell),
    // An app needs a source of orders, and the CLI cannot load the merchant's order function. Commands create no
    // checkouts, so a function that finds no order is enough.
    ...(config.orders ? {} : { orders: () => null }),
  })

  async function request<Value>(path: string, schema: z.ZodType<Value>, init: RequestInit) {
    const response = await app.request(`/api${path}`, { headers, ...init })
    const body: unknown = await response.json()
    if (!response.ok) return { kind: 'refused', problem: Problem.parse(body) } as const
    return { kind: 'accepted', value: schema.parse(body), body } as const
  }

  return { get, post, tryPost }

  /**
   * Sends a GET request and resolves with the response.
   *
   * @throws {CommandFailure} if the server refuses the request.
   */
  async function get<Value>(path: string, schema: z.ZodType<Value>, query: Query = {}) {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value)
    return orThrow(await request(`${path}?${parameters.toString()}`, schema, {}))
  }

  /**
   * Sends a POST request and resolves with the response.
   *
   * @param signal An abort signal that ends the wait for the gateway's response. A transaction that is already stored
   * remains stored.
   * @throws {CommandFailure} if the server refuses the request.
   */
  async function post<Value>(path: string, schema: z.ZodType<Value>, body = {}, signal?: AbortSignal) {
    return orThrow(await tryPost(path, schema, body, signal))
  }

  /** Like `post`, but resolves with the problem document when the server refuses the request. */
  function tryPost<Value>(path: string, schema: z.ZodType<Value>, body: unknown, signal?: AbortSignal) {
    return request(path, schema, { method: 'POST', body: JSON.stringify(body), signal: signal ?? null })
  }
}

/** Returns a log that writes errors to stderr, for example that an unreadable record is missing from a list. */
function logTo(shell: Shell): Log {
  const readable = (_: string, value: unknown) => (value instanceof Error ? String(value) : value)
  return {
    ...silentLog,
    error: (facts, message) => shell.inform(printable(`${message} ${JSON.stringify(facts, readable)}`)),
  }
}

function orThrow<Value>(attempt: Attempt<Value>): ApiResponse<Value> {
  if (attempt.kind === 'accepted') return attempt
  throw new CommandFailure(exitCodeOf(attempt.problem), explain(attempt.problem))
}

/** Returns the `detail` of a problem document, followed by the gateway's message if the document has one. */
export function explain({ detail, gateway }: Problem): string {
  return printable([detail, gateway?.message].filter(Boolean).join(' '))
}
