/** The commands `airtime send`, `airtime status` and `airtime list`. */

import type { Command } from 'commander'
import type { AirtimeSummary } from '../api/airtime.ts'
import type { ApiClient, ApiResponse } from './api-client.ts'
import type { ResultOptions } from './command.ts'
import type { ConfirmOptions } from './confirmation.ts'
import type { ExitCode } from './exit-code.ts'
import type { Shell } from './shell.ts'
import { ListedAirtime, TrackedAirtime } from '../api/airtime.ts'
import { readConfig } from '../config.ts'
import { withApi } from './api-client.ts'
import { addQuery, addRetrieval, addTransactionList, showResult } from './command.ts'
import { addYes, confirmInProduction } from './confirmation.ts'
import { EXIT } from './exit-code.ts'
import { unansweredText } from './send-file.ts'
import { fieldList, itemTable, outcomeText, table } from './table.ts'

interface SendOptions extends ResultOptions, ConfirmOptions {
  reference?: string
  wait: boolean
}

const SEND_HELP = `
Each recipient is sent airtime once. After an interruption, run the same command again to continue.
The result of each recipient is written next to the file, for example to recipients.results.csv.
To send the same list a second time, pass another --reference.
`

/**
 * Milliseconds between two polls of the API. The server queries the gateway about a transaction at most every two
 * seconds, so more frequent polls would have no effect.
 */
const POLL_PAUSE_MS = 2_000

const AIRTIME = { path: '/airtime', schema: TrackedAirtime, asText: airtimeText }

export function addAirtime(program: Command, shell: Shell): void {
  const airtime = program.command('airtime').description('send and track airtime')
  const sendCommand = addQuery(
    airtime,
    'send',
    'send airtime to every recipient of a CSV file, and wait until all are completed',
    'airtime send recipients.csv --reference BONUS-2026-11',
  )
  addYes(sendCommand)
    .argument('<file>', 'a CSV file with a header and the columns phone_number and amount')
    .option('--reference <reference>', 'your reference for the list; default: a hash of the recipients')
    .option('--no-wait', 'do not wait for the outcomes')
    .addHelpText('after', SEND_HELP)
    .action((file: string, options: SendOptions) => send(shell, file, options))
  addRetrieval(airtime, shell, AIRTIME, {
    name: 'status',
    description: 'query the status of a list, with every recipient that has not succeeded',
    example: 'airtime status BONUS-2026-11',
    argument: ['<reference>', 'the reference of the list'],
  })
  addTransactionList(airtime, shell, 'airtime list --outcome needs_attention', {
    path: '/airtime',
    schema: ListedAirtime,
    asTable: airtimeTable,
  })
}

/**
 * Sends airtime to the recipients in a file, under one reference. The reference is the idempotency key, so an
 * interrupted command can be run again: the second run sends airtime only to the remaining recipients.
 */
async function send(shell: Shell, file: string, options: SendOptions): Promise<void> {
  const { deriveReference, readRecipientFile, resultsPathOf, writeResults } =
    await import('./airtime-file.ts')
  const recipients = readRecipientFile(file, readConfig(shell.env).country)
  const reference = options.reference ?? deriveReference(recipients)
  shell.inform(`Reference: ${reference}. Recipients: ${recipients.length}.`)
  await confirmInProduction(shell, `Sends airtime to ${recipients.length} recipient(s)`, options)
  const stop = shell.stopSignal('SIGINT')
  await withApi(shell, async (api) => {
    const startedAt = shell.clock.now()
    const sending = api.post('/airtime', TrackedAirtime, { reference, recipients }, stop)
    const sent = await shell.waitFor(`Sending ${file}`, sending)
    if (Date.parse(sent.value.created_at) < startedAt) {
      shell.inform(`This list was created at ${sent.value.created_at}. Nobody is sent airtime twice.`)
      shell.inform('To send the same list again, pass another --reference.')
    }
    const { value, body } = options.wait ? await waitUntilCompleted(shell, api, sent, stop) : sent
    const results = resultsPathOf(file)
    writeResults(results, value.recipients)
    showResult(shell, options, body, () => summaryText(value))
    shell.inform(`Results: ${results}`)
    shell.exitCode = stop.aborted ? EXIT.stopped : exitCodeOf(shell, value)
    if (stop.aborted)
      shell.inform('Interrupted. Run the same command again to continue; nobody is sent airtime twice.')
  })
}

/**
 * Polls the API until no recipient has the outcome `sending` or `pending`, or the command is interrupted. [assumed] The
 * command does not wait for recipients that need attention.
 */
async function waitUntilCompleted(
  shell: Shell,
  api: ApiClient,
  sent: ApiResponse<TrackedAirtime>,
  stop: AbortSignal,
): Promise<ApiResponse<TrackedAirtime>> {
  const { reference } = sent.value
  const progress = shell.createProgress('recipients')
  let current = sent
  for (;;) {
    const { total, sending, pending } = current.value.summary
    const open = sending.count + pending.count
    progress.show(total.count - open, total.count)
    if (open === 0 || stop.aborted) break
    await shell.clock.sleep(POLL_PAUSE_MS, stop).catch(() => {})
    if (!stop.aborted) current = await api.get(`/airtime/${encodeURIComponent(reference)}`, TrackedAirtime)
  }
  progress.end()
  return current
}

/**
 * Returns the exit code of `airtime send`, which is the first code in this list whose condition is true:
 *
 * - `refused`: any recipient failed, was reversed or refunded, or needs attention.
 * - `unclear`: a response of the gateway was lost.
 * - `ok`: in all other cases.
 */
function exitCodeOf(shell: Shell, { reference, summary }: TrackedAirtime): ExitCode {
  const { sending, pending, succeeded, total }: AirtimeSummary = summary
  if (sending.count > 0) shell.inform(unansweredText('airtime', reference))
  if (sending.count + pending.count + succeeded.count < total.count) return EXIT.refused
  return sending.count > 0 ? EXIT.unclear : EXIT.ok
}

const RECIPIENT_COLUMNS = ['phone_number', 'amount', 'outcome', 'status', 'reason'] as const

/** Formats the summary ({@link summaryText}), and a table of the recipients that have not succeeded. */
function airtimeText(airtime: TrackedAirtime): string {
  const rows = airtime.recipients
    .filter(({ outcome }) => outcome !== 'succeeded')
    .map((recipient) => ({
      ...recipient,
      status: recipient.service_status,
      reason: recipient.attention ?? recipient.message,
    }))
  const summary = summaryText(airtime)
  return rows.length === 0 ? summary : `${summary}\n\n${itemTable(RECIPIENT_COLUMNS, rows)}`
}

const FIELDS = ['reference', 'outcome', 'requests', 'created_at', 'updated_at'] as const

/**
 * Formats the fields of the airtime sent under one reference, followed by a table. The table shows the number of
 * recipients and the sum of their amounts, for each outcome that a recipient has and in total.
 */
function summaryText(airtime: TrackedAirtime): string {
  const { total, ...byOutcome } = airtime.summary
  const rows = Object.entries({ ...byOutcome, total })
    .filter(([, { count }]) => count > 0)
    .map(([name, { count, amount }]) => [name, count, amount])
  const fields = fieldList(FIELDS, { ...airtime, outcome: outcomeText(airtime) })
  return `${fields}\n\n${table(['', 'recipients', 'amount'], rows)}`
}

const COLUMNS = [
  'reference',
  'external_reference',
  'outcome',
  'recipients',
  'succeeded',
  'amount',
  'updated_at',
] as const

function airtimeTable(items: readonly ListedAirtime[]): string {
  const rows = items.map(({ summary: { total, succeeded }, ...item }) => ({
    ...item,
    recipients: total.count,
    succeeded: succeeded.count,
    amount: total.amount,
  }))
  return itemTable(COLUMNS, rows)
}
