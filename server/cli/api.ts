/**
 * The merchant API in this process: the same app over the same store as the server's, asked with a key of its own,
 * so that a command does what a request does.
 */

import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store.ts'
import type { Shell } from './shell.ts'
import { createApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { Problem } from '../api/problem.ts'
import { silentLog } from '../log.ts'
import { systemRandomness } from '../randomness.ts'
import { CommandFailure, exitCodeOf } from './exit-code.ts'
import { openStoreOf } from './store.ts'
import { printable } from './table.ts'

export type Answer = { kind: 'answered'; body: unknown } | { kind: 'refused'; problem: Problem }

export interface Api {
  config: Config
  /** @throws {CommandFailure} when it is refused. */
  get<Body>(path: string, schema: z.ZodType<Body>, query?: Query): Promise<{ value: Body; body: unknown }>
  /** @param signal Tells that nobody waits for the answer any more. */
  post(path: string, body?: unknown, signal?: AbortSignal): Promise<Answer>
}

/** What is left out is not asked for. */
type Query = Readonly<Record<string, string | undefined>>

/** Opens the store for as long as the work lasts. */
export async function withApi<T>(shell: Shell, work: (api: Api) => Promise<T>): Promise<T> {
  const config = readConfig(shell.env)
  const store = openStoreOf(config)
  try {
    return await work(createApi(config, store, logTo(shell)))
  } finally {
    await store.close()
  }
}

function createApi(config: Config, store: Store, log: Log): Api {
  const key = systemRandomness.token()
  const authorization = `Bearer ${key}`
  const app = createApp({
    config: { ...config, apiKeys: [key] },
    store,
    log,
    // Commands start no checkouts, so a server whose orders come from a function needs none here.
    ...(config.orders ? {} : { orders: () => null }),
  })

  async function ask(path: string, init: RequestInit): Promise<Answer> {
    const answer = await app.request(`/api${path}`, init)
    const body: unknown = await answer.json()
    return answer.ok ? { kind: 'answered', body } : { kind: 'refused', problem: Problem.parse(body) }
  }

  return {
    config,
    async get(path, schema, query = {}) {
      const given = new URLSearchParams()
      for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, value)
      const answer = await ask(`${path}?${given.toString()}`, { headers: { authorization } })
      switch (answer.kind) {
        case 'answered':
          return { value: schema.parse(answer.body), body: answer.body }
        case 'refused':
          throw refusal(answer.problem)
      }
    },
    post: (path, body = {}, signal) =>
      ask(path, {
        ...(signal && { signal }),
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  }
}

/** What an answer does not tell, such as a record that is left out of a list because it cannot be read. */
function logTo(shell: Shell): Log {
  const readable = (_: string, value: unknown) => (value instanceof Error ? String(value) : value)
  return {
    ...silentLog,
    error: (facts, message) => shell.note(printable(`${message} ${JSON.stringify(facts, readable)}`)),
  }
}

export function refusal(problem: Problem): CommandFailure {
  return new CommandFailure(exitCodeOf(problem), sentenceOf(problem))
}

/** What happened, and what the gateway said to it. */
export function sentenceOf({ detail, gateway }: Problem): string {
  return printable([detail, gateway?.message].filter(Boolean).join(' '))
}
