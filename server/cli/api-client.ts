/**
 * An in-process client of the merchant API: calls the server's own app, on the configured store, with a private API key.
 * A command therefore behaves exactly like an HTTP request.
 */

import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store.ts'
import type { Shell } from './shell.ts'
import { Problem } from '../api/problem.ts'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { silentLog } from '../log.ts'
import { systemRandomness } from '../randomness.ts'
import { openStore } from '../store/open.ts'
import { CommandFailure, EXIT, exitCodeOf } from './exit-code.ts'
import { printable } from './table.ts'

export type ApiClient = ReturnType<typeof createApiClient>

export interface ApiResponse<Value> {
  value: Value
  /** The unmodified JSON of the response, for `--json`. */
  body: unknown
}

export type Attempt<Value> =
  | ({ kind: 'accepted' } & ApiResponse<Value>)
  | { kind: 'refused'; problem: Problem }

/** Query parameters. Undefined values are omitted. */
export type Query = Readonly<Record<string, string | undefined>>

/** Opens the store, runs `work`, and closes the store. */
export async function withApi<T>(shell: Shell, work: (api: ApiClient) => Promise<T>): Promise<T> {
  const config = readConfig(shell.env)
  const store = openConfiguredStore(config)
  try {
    return await work(createApiClient(config, store, shell))
  } finally {
    await store.close()
  }
}

/** @throws {CommandFailure} when the store cannot be opened. */
export function openConfiguredStore({ storeUrl }: Pick<Config, 'storeUrl'>): Store {
  try {
    return openStore(storeUrl)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CommandFailure(EXIT.config, `The store in STORE_URL cannot be opened: ${reason}.`, { cause })
  }
}

function createApiClient(config: Config, store: Store, shell: Shell) {
  const key = systemRandomness.token()
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const app = createApp({
    config: { ...config, apiKeys: [key] },
    store,
    fetch: shell.fetch,
    clock: shell.clock,
    log: logTo(shell),
    // Commands create no checkouts, so this placeholder stands in for an order function, which the CLI cannot load.
    ...(config.orders ? {} : { orders: () => null }),
  })

  async function request<Value>(path: string, schema: z.ZodType<Value>, init: RequestInit) {
    const response = await app.request(`/api${path}`, { headers, ...init })
    const body: unknown = await response.json()
    if (!response.ok) return { kind: 'refused', problem: Problem.parse(body) } as const
    return { kind: 'accepted', value: schema.parse(body), body } as const
  }

  return { get, post, tryPost }

  /** @throws {CommandFailure} when the request is refused. */
  async function get<Value>(path: string, schema: z.ZodType<Value>, query: Query = {}) {
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value)
    return orThrow(await request(`${path}?${parameters.toString()}`, schema, {}))
  }

  /**
   * @param signal Stops waiting for the gateway. A stored transaction remains stored.
   * @throws {CommandFailure} when the request is refused.
   */
  async function post<Value>(path: string, schema: z.ZodType<Value>, body = {}, signal?: AbortSignal) {
    return orThrow(await tryPost(path, schema, body, signal))
  }

  /** Like `post`, but resolves with the problem when the request is refused. */
  function tryPost<Value>(path: string, schema: z.ZodType<Value>, body: unknown, signal?: AbortSignal) {
    return request(path, schema, { method: 'POST', body: JSON.stringify(body), signal: signal ?? null })
  }
}

/** Writes logged errors to stderr, for example that a list omits an unreadable record. */
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

/** The detail of a problem, followed by the gateway's message. */
export function explain({ detail, gateway }: Problem): string {
  return printable([detail, gateway?.message].filter(Boolean).join(' '))
}
