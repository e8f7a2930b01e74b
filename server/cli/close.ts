/** The command `close`, for the end of a day: its sums, what does not agree, its table, and the gateway's statement. */

import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

import { DayOfPayments } from '../api/payments.ts'
import { Problem } from '../api/refusal.ts'
import { readTextFile, whyUnreadable } from '../config/text-file.ts'
import { printable } from '../log/printable.ts'
import { compareLines } from '../payments/comparison.ts'
import { readDayTable, readStatement } from '../payments/statement.ts'
import { refusalOfArguments, withApi } from './api.ts'
import { command, JSON_OPTION } from './command.ts'
import { CommandFailure, EXIT } from './shell.ts'

import type { Comparison } from '../payments/comparison.ts'
import type { StatementLine } from '../payments/statement.ts'

export const close = command({
  text: 'close a day: its sums, what does not agree, its table as CSV, and how it compares with a statement',
  takes: '<day>',
  options: {
    csv: { type: 'string', text: 'a new file for the table of the day' },
    statement: { type: 'string', text: "the statement of the gateway's portal for this day, as CSV" },
    ...JSON_OPTION,
  },
  examples: ['2026-11-21', '2026-11-21 --csv 2026-11-21.csv', '2026-11-21 --statement statement.csv'],
  async run(shell, { json, csv, statement }, day) {
    const there = statement === undefined ? null : readFile(statement)
    const result = await withApi(shell, async (request) => {
      const response = await request('GET', `/api/days/${encodeURIComponent(day)}`)
      const body: unknown = await response.json()
      if (!response.ok) {
        throw refusalOfArguments(Problem.parse(body), (path) => `<${path}>`)
      }

      const table = async () => request('GET', `/api/payments.csv?day=${encodeURIComponent(day)}`)
      if (csv !== undefined) {
        await save(await table(), csv)
      }

      const comparison =
        there &&
        compareLines(linesOf('The table of the day', readDayTable(await (await table()).text())), there)
      return { ...DayOfPayments.parse(body), comparison }
    })
    const { comparison, ...closed } = result
    shell.show({ json }, comparison ? result : closed, () => textOf(closed, comparison, shell.clock.now()))
    const isMissing =
      comparison !== null && comparison.missing_here.length + comparison.missing_there.length > 0
    if (closed.disagreements.length > 0 || isMissing) {
      shell.exitCode = EXIT.refused
    }
  },
})

/** @throws {CommandFailure} if the file cannot be read, or is no statement. */
function readFile(file: string): StatementLine[] {
  let text: string
  try {
    text = readTextFile(file)
  } catch (cause) {
    throw new CommandFailure(EXIT.noInput, `${file} cannot be read${whyUnreadable(cause)}`, { cause })
  }

  return linesOf(file, readStatement(text))
}

/** @throws {CommandFailure} if a table cannot be read: `lines` then says why. */
function linesOf(name: string, lines: StatementLine[] | string): StatementLine[] {
  if (typeof lines === 'string') {
    throw new CommandFailure(EXIT.data, `${name} ${lines}.`)
  }
  return lines
}

/** @throws {CommandFailure} if the file exists already, or cannot be written. */
async function save({ body }: Response, file: string): Promise<void> {
  if (body === null) {
    return
  }

  // The table has the orders of the day: nobody else reads it.
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600 })
  await pipeline(body, target).catch((cause: unknown) => {
    throw new CommandFailure(EXIT.cannotWrite, `${file} exists already, or cannot be written.`, { cause })
  })
}

function textOf(
  { day, time_zone, closes_at, sums, totals, disagreements }: DayOfPayments,
  comparison: Comparison | null,
  now: number,
) {
  const closes = Date.parse(closes_at) > now ? 'closes' : 'closed'
  const paragraphs = [
    `${day} in ${time_zone}, ${closes} at ${closes_at}: ${sums.length === 0 ? 'no money has moved.' : ''}`.trim(),
  ]
  for (const { currency, ...sum } of sums) {
    const groups = totals
      .filter((total) => total.currency === currency)
      .map(({ operator, service, ...total }) => `  ${operator ?? '-'}  ${service ?? '-'}: ${sumText(total)}`)
    paragraphs.push([`${currency || 'Currency not known'}: ${sumText(sum)}`, ...groups].join('\n'))
  }

  const wrong = disagreements.map(({ kind, order, references, why }) => {
    const reasons = why.map(({ code, detail }) => `\n    ${code}: ${detail}`)
    return `  ${kind} ${order} (${references.join(', ')})${reasons.join('')}`
  })
  paragraphs.push(
    wrong.length === 0 ? 'Everything agrees.' : [`Does not agree: ${wrong.length}`, ...wrong].join('\n'),
  )
  if (comparison) {
    paragraphs.push(comparisonText(comparison))
  }
  return paragraphs.map((paragraph) => paragraph.split('\n').map(printable).join('\n')).join('\n\n')
}

type Sum = Omit<DayOfPayments['sums'][number], 'currency'>

function sumText({ count, received, returned, paid_out, came_back, net }: Sum): string {
  const parts = [
    `received ${received}`,
    returned !== '0' && `returned ${returned}`,
    paid_out !== '0' && `paid out ${paid_out}`,
    came_back !== '0' && `came back ${came_back}`,
    `together ${net}`,
  ]
  return `${count} movement${count === 1 ? '' : 's'}, ${parts.filter(Boolean).join(', ')}`
}

function comparisonText({ matched, missing_here, missing_there }: Comparison): string {
  const lines = (all: readonly StatementLine[]) =>
    all.map(({ reference, amount, currency, time, went_back }) => {
      const direction = went_back ? '  went back' : ''
      return `  ${reference}  ${amount} ${currency}  ${time}${direction}`
    })
  return [
    `Statement: ${matched} matched.`,
    `Missing here, and in the statement: ${missing_here.length}`,
    ...lines(missing_here),
    `Missing in the statement, and here: ${missing_there.length}`,
    ...lines(missing_there),
  ].join('\n')
}
