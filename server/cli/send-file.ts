/**
 * The commands `payouts send` and `charges send`, which send the requests in a JSON file, in order.
 *
 * The merchant's reference is the idempotency key, so an interrupted command can be run again. For a request that was
 * already sent, the API returns the stored transaction.
 */

import type { Command } from 'commander'
import type { TrackedOutcome } from '../api/tracked.ts'
import type { Attempt } from './api-client.ts'
import type { Kind, ResultOptions } from './command.ts'
import type { ExitCode } from './exit-code.ts'
import type { ConfirmOptions } from './confirmation.ts'
import type { Shell } from './shell.ts'
import { readFileSync } from 'node:fs'
import { mapLimit } from '../map-limit.ts'
import { explain, withApi } from './api-client.ts'
import { addQuery, showResult } from './command.ts'
import { addYes, confirmInProduction } from './confirmation.ts'
import { CommandFailure, EXIT, exitCodeOf, worstOf } from './exit-code.ts'

/**
 * A transaction kind with a `send` command, which creates transactions from the requests in a file. `Options` are the
 * command-line options of this command.
 */
export interface SentKind<Item, Options = unknown> extends Kind<Item> {
  noun: 'payout' | 'charge'
  /** Whether money leaves the merchant's account. */
  paysOut: boolean
  /** Returns the path below `/api` to which the requests of a file are sent. */
  pathOf: (options: Options) => string
  referenceOf: (item: Item) => string
}

export function addSend<Item extends { outcome: TrackedOutcome }, Options>(
  parent: Command,
  shell: Shell,
  kind: SentKind<Item, Options>,
  ...examples: string[]
): Command {
  const description = `send a ${kind.noun}, or a list of ${kind.noun}s, from a JSON file`
  const send = addQuery(parent, 'send', description, ...examples)
  return (kind.paysOut ? addYes(send) : send)
    .argument('<file>', 'a JSON file, or - for standard input')
    .action((file: string, options: ResultOptions & ConfirmOptions & Options) =>
      sendFile(shell, file, options, kind),
    )
}

async function sendFile<Item extends { outcome: TrackedOutcome }, Options>(
  shell: Shell,
  file: string,
  options: ResultOptions & ConfirmOptions & Options,
  kind: SentKind<Item, Options>,
): Promise<void> {
  const requests = parseRequests(file === '-' ? await shell.readInput() : readText(file), file, kind.noun)
  if (requests.length === 0) shell.inform(`${file} contains nothing to send.`)
  const path = kind.pathOf(options)
  if (kind.paysOut && requests.length > 0)
    await confirmInProduction(shell, `Sends ${requests.length} ${kind.noun}(s)`, options)
  const attempts = await withApi(shell, (api) => {
    const inOrder = mapLimit(requests, 1, (request) => api.tryPost(path, kind.schema, request))
    return shell.waitFor(`Sending ${requests.length} from ${file}`, inOrder)
  })
  const accepted = attempts.flatMap((attempt) => (attempt.kind === 'accepted' ? [attempt.value] : []))
  if (options.json || accepted.length > 0) {
    const bodies = attempts.map((attempt) => (attempt.kind === 'accepted' ? attempt.body : attempt.problem))
    showResult(shell, options, bodies, () => kind.asTable(accepted))
  }
  shell.exitCode = worstOf(attempts.map((attempt, index) => conclude(shell, kind, attempt, index + 1)))
}

const EXIT_BY_OUTCOME = {
  sending: EXIT.unclear,
  pending: EXIT.ok,
  succeeded: EXIT.ok,
  failed: EXIT.refused,
  reversed: EXIT.refused,
  refunded: EXIT.refused,
  needs_attention: EXIT.refused,
} as const satisfies Record<TrackedOutcome, ExitCode>

/**
 * Returns the exit code for one request. Writes a message to stderr if the request was refused or the gateway's
 * response was lost.
 */
function conclude<Item extends { outcome: TrackedOutcome }>(
  shell: Shell,
  { noun, referenceOf }: Pick<SentKind<Item>, 'noun' | 'referenceOf'>,
  attempt: Attempt<Item>,
  position: number,
): ExitCode {
  if (attempt.kind === 'refused') {
    shell.inform(`Number ${position} was refused: ${explain(attempt.problem)}`)
    return exitCodeOf(attempt.problem)
  }
  const { outcome } = attempt.value
  if (outcome === 'sending') shell.inform(unansweredText(`${noun}s`, referenceOf(attempt.value)))
  return EXIT_BY_OUTCOME[outcome]
}

/** Returns the message for a transaction that is stored, but for which the gateway's response was lost. */
export function unansweredText(command: string, reference: string): string {
  return `Stored; the gateway's response was not received. Run \`${command} status ${reference}\`.`
}

export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new CommandFailure(EXIT.noInput, `${file} cannot be read.`, { cause })
  }
}

/**
 * Parses a file that contains one request or a list of requests. Ignores the byte order mark that Windows programs
 * write at the start of a file.
 */
export function parseRequests(text: string, file: string, noun: string): unknown[] {
  try {
    const json: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    // The requests are sent as JSON, which fails for thousands of nested lists.
    JSON.stringify(json)
    return Array.isArray(json) ? json : [json]
  } catch (cause) {
    throw new CommandFailure(EXIT.data, `${file} must contain JSON: a ${noun} or a list of ${noun}s.`, {
      cause,
    })
  }
}
