/**
 * The command `api`, which sends one request to the merchant API, and {@link callApi} for other commands: it calls the
 * app in the same process, with the configured store and a random API key. A command therefore has the same effect as
 * an HTTP request to the server, and works beside the server or without it.
 */

import { z } from 'zod'

import { Problem } from '../api/refusal.ts'
import { readConfig } from '../config/config.ts'
import { Secret } from '../config/secret.ts'
import { readTextFile, readTextInput, whyUnreadable } from '../config/text-file.ts'
import { NOT_JSON, parseJson } from '../contract/parse.ts'
import { createApp } from '../every-feature.ts'
import { silentLog } from '../log/log.ts'
import { printable } from '../log/printable.ts'
import { systemRandomness } from '../work/randomness.ts'
import { askInProduction, command, wrongUsage, YES_OPTION } from './command.ts'
import { CommandFailure, EXIT } from './shell.ts'
import { withStore } from './store.ts'

import type { AirtimeOutcome } from '../api/airtime.ts'
import type { TrackedFulfilment } from '../api/charge.ts'
import type { TrackedOutcome } from '../api/tracked.ts'
import type { ExitCode, Shell } from './shell.ts'

/**
 * The exit code of a POST request, by the `outcome` of the transaction or the `stage` of the service confirmation in
 * the response; `refused` for every other. `sending` and `decided` mean that it is stored, and that the gateway's
 * response was lost.
 */
const EXIT_BY_STATE: Readonly<Record<string, ExitCode>> = {
  sending: EXIT.unclear,
  decided: EXIT.unclear,
  pending: EXIT.ok,
  succeeded: EXIT.ok,
  confirmed: EXIT.ok,
} satisfies Partial<Record<TrackedOutcome | AirtimeOutcome | TrackedFulfilment['stage'], ExitCode>>

/** The exit codes by the `code` of the API's error response; `refused` for every other. */
const EXIT_BY_PROBLEM: Readonly<Record<string, ExitCode>> = {
  gateway_unavailable: EXIT.unavailable,
  gateway_answer_invalid: EXIT.unavailable,
  store_unavailable: EXIT.unavailable,
  gateway_unauthorized: EXIT.credentials,
  charges_off: EXIT.config,
  no_time_zone: EXIT.config,
  internal: EXIT.software,
}

const PostedTransaction = z.object({ outcome: z.string().optional(), stage: z.string().optional() })

export const api = command({
  text: 'send one request to the merchant API, and print the JSON of the response; /docs lists all paths',
  takes: '<GET or POST> <path>',
  options: {
    data: { type: 'string', text: 'the body: JSON, or @FILE for a file, or - for standard input' },
    ...YES_OPTION,
  },
  examples: [
    "GET '/api/payouts?outcome=needs_attention'",
    'POST /api/payouts --data @payout.json',
    `POST /api/charges/BILL-1/acknowledge --data '{"status":"FAILED","narration":"Sold out"}'`,
  ],
  async run(shell, options, method, path) {
    if (!/^(GET|POST) \/api\//.test(`${method} ${path}`)) {
      throw wrongUsage('The method must be GET or POST, and the path must begin with /api/.')
    }
    if (method === 'GET' && options.data !== undefined) {
      throw wrongUsage('A GET request has no --data. Write the query into the path.')
    }
    // The person is asked first: `--data -` reads the same input to its end.
    if (method === 'POST') {
      await askInProduction(shell, `Sends ${method} ${path}`, options)
    }

    const data = options.data === undefined ? undefined : await readData(shell, options.data)
    const { body, problem } = await callApi(shell, method, path, data)
    shell.show({ json: true }, body, () => '')
    if (problem) {
      throw refusalOf(problem)
    }
    // The outcome of a resolution is what the person said.
    if (method === 'GET' || path.endsWith('/resolve')) {
      return
    }

    const { outcome, stage } = PostedTransaction.parse(body)
    const state = outcome ?? stage
    if (state !== undefined) {
      shell.exitCode = EXIT_BY_STATE[state] ?? EXIT.refused
    }
    if (shell.exitCode === EXIT.unclear) {
      shell.inform("Stored; the gateway's response was not received. Query the status with a GET request.")
    }
  },
})

/** @throws {CommandFailure} if the file or the input cannot be read, or the body is not JSON. */
async function readData({ runtime }: Shell, data: string): Promise<string> {
  const [text, source] = data.startsWith('@')
    ? [await readable(data.slice(1), readTextFile), data.slice(1)]
    : [data === '-' ? await readable('Standard input', () => readTextInput(runtime.stdin)) : data, '--data']
  if (parseJson(text) === undefined) {
    throw new CommandFailure(EXIT.data, `${source} ${NOT_JSON}.`)
  }
  return text
}

async function readable(source: string, read: (source: string) => string | Promise<string>): Promise<string> {
  try {
    return await read(source)
  } catch (cause) {
    throw new CommandFailure(EXIT.noInput, `${source} cannot be read${whyUnreadable(cause)}`, { cause })
  }
}

/**
 * Sends one request to a path below `/api/`, once. Resolves with the body of the response, and with `problem` if the
 * server refused the request.
 */
export function callApi(shell: Shell, method: string, path: string, data?: string) {
  return withApi(shell, async (request) => {
    const response = await request(method, path, data)
    const body: unknown = await response.json()
    return { body, problem: response.ok ? null : Problem.parse(body) }
  })
}

type Request = (method: string, path: string, data?: string) => Promise<Response>

/** Calls `use` with a function that sends requests to the API, whose answers have to be read before it resolves. */
export async function withApi<T>(shell: Shell, use: (request: Request) => Promise<T>): Promise<T> {
  const config = readConfig(shell.env)
  const key = systemRandomness.token()
  return withStore(config, async (store) => {
    const app = createApp({
      config: {
        ...config,
        apiKeys: { secrets: [new Secret(key)], previousSince: null, previousForMs: 0 },
      },
      store,
      fetch: shell.fetchFor(config),
      clock: shell.clock,
      // An error is for example that an unreadable record is missing from a list.
      log: { ...silentLog, error: (facts, message) => shell.inform(describe(message, facts)) },
    })
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return use(async (method, path, data) => app.request(path, { headers, method, body: data ?? null }))
  })
}

function describe(message: string, facts: object): string {
  // JSON would have an error as {}.
  const errorAsText = (_: string, value: unknown) => (value instanceof Error ? String(value) : value)
  return printable(`${message} ${JSON.stringify(facts, errorAsText)}`)
}

/**
 * Like {@link refusalOf}, for a command that makes the request of its own arguments: those that the API calls invalid are
 * wrong usage.
 *
 * @param nameOf Returns what a field of the request is called among the arguments.
 */
export function refusalOfArguments(problem: Problem, nameOf: (path: string) => string): CommandFailure {
  const rules = (problem.errors ?? []).map(({ path, message }) => `${nameOf(path)} ${message}.`)
  return rules.length > 0 ? wrongUsage(printable(rules.join(' '))) : refusalOf(problem)
}

/** Returns the failure of a command whose request was refused, with the gateway's message if there is one. */
export function refusalOf({ code, detail, gateway }: Problem): CommandFailure {
  const message = printable([detail, gateway?.message].filter(Boolean).join(' '))
  return new CommandFailure(EXIT_BY_PROBLEM[code] ?? EXIT.refused, message)
}
