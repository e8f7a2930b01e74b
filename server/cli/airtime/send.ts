/**
 * Sends airtime to everybody in a file, and waits for what becomes of each.
 *
 * The list has one reference, so a run that was interrupted is simply run again: it takes up what was begun, and
 * nobody is sent to twice.
 */

import type { AirtimeSummary } from '../../api/airtime.ts'
import type { Api } from '../api.ts'
import type { ExitCode } from '../exit-code.ts'
import type { ResultOptions } from '../result.ts'
import type { Shell } from '../shell.ts'
import { systemClock } from '../../clock.ts'
import { TrackedAirtime } from '../../api/airtime.ts'
import { refusal, withApi } from '../api.ts'
import { EXIT } from '../exit-code.ts'
import { showResult } from '../result.ts'
import { readList, referenceOf, resultsPathOf, writeResults } from './file.ts'
import { summaryTable } from './table.ts'

interface SendOptions extends ResultOptions {
  reference?: string
  wait: boolean
}

/** The server asks the gateway no sooner for whoever looks. */
const PAUSE_MS = 2_000

export async function send(shell: Shell, file: string, options: SendOptions): Promise<ExitCode> {
  const recipients = await readList(file)
  const reference = options.reference ?? referenceOf(recipients)
  shell.note(
    `Reference ${reference}, for ${recipients.length} ${recipients.length === 1 ? 'recipient' : 'recipients'}.`,
  )
  const stop = shell.stopSignal()
  return withApi(shell, async (api) => {
    const begunAt = systemClock.now()
    const order = { reference, recipients }
    const sent = await shell.waitFor(`Sending ${file}`, api.post('/airtime', order, stop))
    if (sent.kind === 'refused') throw refusal(sent.problem)
    const begun = TrackedAirtime.parse(sent.body)
    if (Date.parse(begun.created_at) < begunAt) {
      shell.note(`This list was begun at ${begun.created_at}: it is taken up, and nobody is sent to twice.`)
      shell.note('To send the same list anew, name it with another --reference.')
    }
    const { value, body } = options.wait
      ? await follow(shell, api, { value: begun, body: sent.body }, stop)
      : { value: begun, body: sent.body }

    const results = resultsPathOf(file)
    await writeResults(results, value.recipients)
    showResult(shell, options, body, () => summaryTable(value))
    shell.note(`Every recipient is in ${results}.`)
    if (!stop.aborted) return exitCodeOf(value.summary)
    shell.note('Stopped. Run the same command again to go on: nobody is sent to twice.')
    return EXIT.stopped
  })
}

interface ReportedState {
  value: TrackedAirtime
  body: unknown
}

/** Until nothing more is expected by itself, or somebody stops it. What needs a person is not waited for. [assumed] */
async function follow(
  shell: Shell,
  api: Api,
  begun: ReportedState,
  stop: AbortSignal,
): Promise<ReportedState> {
  const progress = shell.progress()
  const path = `/airtime/${encodeURIComponent(begun.value.reference)}`
  let reported = begun
  for (;;) {
    const { total, sending, pending } = reported.value.summary
    const open = sending.count + pending.count
    progress.show(total.count - open, total.count)
    if (open === 0 || stop.aborted) break
    await systemClock.sleep(PAUSE_MS, stop).catch(() => {})
    if (!stop.aborted) reported = await api.get(path, TrackedAirtime)
  }
  progress.end()
  return reported
}

/** A refusal is said before what is merely unclear. */
function exitCodeOf({ sending, pending, succeeded, total }: AirtimeSummary): ExitCode {
  if (sending.count + pending.count + succeeded.count < total.count) return EXIT.refused
  return sending.count > 0 ? EXIT.unclear : EXIT.ok
}
