/**
 * The command `api`, which sends one request to the merchant API, and the client of this API for other commands. The
 * client calls the app in the same process, with the configured store and a random API key. A command therefore has the
 * same effect as an HTTP request to the server, and works beside the server or without it.
 */

import type { Command } from 'commander'
import type { AirtimeOutcome } from '../api/airtime.ts'
import type { TrackedFulfilment } from '../api/charge.ts'
import type { TrackedOutcome } from '../api/tracked.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../log/log.ts'
import type { Store } from '../store/store.ts'
import type { ConfirmOptions } from './command.ts'
import type { ExitCode } from './exit-code.ts'
import type { Shell } from './shell.ts'
import { Argument, InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { Problem } from '../api/problem.ts'
import { createApp } from '../app.ts'
import { readConfig } from '../config/config.ts'
import { Secret } from '../config/secret.ts'
import { parseJson } from '../contract/json.ts'
import { silentLog } from '../log/log.ts'
import { printable } from '../log/printable.ts'
import { systemRandomness } from '../work/randomness.ts'
import { readTextFile } from '../config/text-file.ts'
import { addCommand, addYes, confirmInProduction, showJson } from './command.ts'
import { CommandFailure, EXIT, exitCodeOf } from './exit-code.ts'
import { withStore } from './open-store.ts'

type Method = 'GET' | 'POST'

/** The body of a response, and the same as a problem document if the server refused the request. */
interface ApiResponse {
  body: unknown
  problem: Problem | null
}

/** Sends one request to a path below `/api/`, and resolves with the response. Never sends it again. */
export type ApiClient = (method: Method, path: string, body?: string) => Promise<ApiResponse>

interface ApiOptions extends ConfirmOptions {
  data?: string
}

const EXAMPLES = [
  "api GET '/api/payouts?outcome=needs_attention'",
  'api POST /api/payouts --data @payout.json',
  `api POST /api/charges/BILL-1/acknowledge --data '{"status":"FAILED","narration":"Sold out"}'`,
]

/**
 * The exit code of a POST request, by the `outcome` of the transaction or the `stage` of the service confirmation in the
 * response; `refused` for every other. `sending` and `decided` mean that it is stored, and that the gateway's response
 * was lost.
 */
const EXIT_BY_STATE: Readonly<Record<string, ExitCode>> = {
  sending: EXIT.unclear,
  decided: EXIT.unclear,
  pending: EXIT.ok,
  succeeded: EXIT.ok,
  confirmed: EXIT.ok,
} satisfies Partial<Record<TrackedOutcome | AirtimeOutcome | TrackedFulfilment['stage'], ExitCode>>

const Written = z.object({ outcome: z.string().optional(), stage: z.string().optional() })

export function addApi(program: Command, shell: Shell): void {
  const api = addCommand(
    program,
    'api',
    'send one request to the merchant API, and print the JSON of the response',
    ...EXAMPLES,
  )
  addYes(api)
    .addArgument(new Argument('<method>', 'the method').choices(['GET', 'POST']))
    .argument('<path>', 'the path with its query, such as /api/events; /docs lists all paths', readPath)
    .option('--data <json>', 'the body: JSON, or @FILE for a file, or - for standard input')
    .action((method: Method, path: string, options: ApiOptions) => send(shell, method, path, options))
}

async function send(shell: Shell, method: Method, path: string, options: ApiOptions): Promise<void> {
  if (method === 'GET' && options.data !== undefined)
    throw new CommandFailure(EXIT.usage, 'A GET request has no --data. Write the query into the path.')
  const data = options.data === undefined ? undefined : await readData(shell, options.data)
  if (method !== 'GET') await confirmInProduction(shell, `Sends ${method} ${path}`, options)
  const { body, problem } = await withApi(shell, (request) =>
    shell.waitFor(`Sending ${method} ${path}`, request(method, path, data)),
  )
  showJson(shell, body)
  if (problem) throw refusalOf(problem)
  if (method === 'GET') return
  const { outcome, stage } = Written.parse(body)
  const state = outcome ?? stage
  if (state !== undefined) shell.exitCode = EXIT_BY_STATE[state] ?? EXIT.refused
  if (shell.exitCode === EXIT.unclear)
    shell.inform("Stored; the gateway's response was not received. Query the status with a GET request.")
}

function readPath(text: string): string {
  if (text.startsWith('/api/')) return text
  throw new InvalidArgumentError('The path must begin with /api/.')
}

/** @throws {CommandFailure} if the file cannot be read, or the body is not JSON. */
async function readData(shell: Shell, data: string): Promise<string> {
  const [text, source] = data.startsWith('@')
    ? [readText(data.slice(1)), data.slice(1)]
    : [data === '-' ? await shell.readInput() : data, '--data']
  if (parseJson(text) === undefined) throw new CommandFailure(EXIT.data, `${source} must contain JSON.`)
  return text
}

function readText(file: string): string {
  try {
    return readTextFile(file)
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? `: ${String(cause.code)}` : ''
    throw new CommandFailure(EXIT.noInput, `${file} cannot be read${reason}.`, { cause })
  }
}

/** Calls `work` with a client of the API, like {@link withStore}. */
export async function withApi<T>(shell: Shell, work: (request: ApiClient) => Promise<T>): Promise<T> {
  const config = readConfig(shell.env)
  return withStore(config, (store) => work(createApiClient(config, store, shell)))
}

function createApiClient(config: Config, store: Store, shell: Shell): ApiClient {
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
  return async (method, path, body) => {
    const response = await app.request(path, { headers, method, body: body ?? null })
    const answer: unknown = await response.json()
    return { body: answer, problem: response.ok ? null : Problem.parse(answer) }
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

/** Returns the failure of a command whose request was refused, with the gateway's message if there is one. */
export function refusalOf(problem: Problem): CommandFailure {
  const { detail, gateway } = problem
  const message = printable([detail, gateway?.message].filter(Boolean).join(' '))
  return new CommandFailure(exitCodeOf(problem), message)
}
