/** The files of airtime: the list of recipients that comes in, and what became of each that goes out. */

import type { AirtimeRecipient } from '../../contract/airtime.ts'
import type { TrackedRecipient } from '../../api/airtime.ts'
import { createHash } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod'
import { readRecipients } from '../../airtime/recipient-list.ts'
import { CommandFailure, EXIT } from '../exit-code.ts'
import { printable } from '../table.ts'

const COLUMNS = ['phone_number', 'amount']
const Rows = z.array(
  z.object({ info: z.object({ lines: z.number() }), record: z.record(z.string(), z.string()) }),
)

/** @throws {CommandFailure} naming every line that is wrong. */
export async function readList(file: string): Promise<AirtimeRecipient[]> {
  const rows = parseRows(await read(file), file)
  const lineOf = (index: number) => rows[index]?.info.lines
  const given = rows.map(({ record: { phone_number, amount } }) => ({ phone_number, amount }))
  const list = readRecipients(given)
  if ('errors' in list) {
    const problems = list.errors.map(({ index, field, rule }) => {
      const broken = typeof rule === 'string' ? rule : `is the same as on line ${lineOf(rule.sameAs)}`
      return `  line ${lineOf(index)}: ${field} ${broken}`
    })
    throw new CommandFailure(EXIT.data, `${file} was not sent to anybody:\n${problems.join('\n')}`)
  }
  if (list.recipients.length === 0) throw new CommandFailure(EXIT.data, `${file} names no recipients.`)
  return list.recipients
}

/** The same recipients have the same reference, however the file is written. */
export function referenceOf(recipients: readonly AirtimeRecipient[]): string {
  const digest = createHash('sha256').update(JSON.stringify(recipients)).digest('hex')
  return `AIRTIME-${digest.slice(0, 16)}`
}

/** "recipients.csv" as the file of its results: "recipients.results.csv". */
export function resultsPathOf(file: string): string {
  return `${file.replace(/\.csv$/i, '')}.results.csv`
}

/** Whole or not at all: whoever reads the file meanwhile reads the one before. */
export async function writeResults(path: string, recipients: readonly TrackedRecipient[]): Promise<void> {
  const heads = [...COLUMNS, 'outcome', 'service_status', 'message', 'provider_reference']
  const rows = recipients.map((recipient) => [
    recipient.phone_number,
    recipient.amount,
    recipient.outcome,
    recipient.service_status,
    recipient.attention ?? recipient.message,
    recipient.provider_reference,
  ])
  const text = [heads, ...rows].map((row) => `${row.map(cell).join(',')}\n`).join('')
  const unfinished = `${path}.${process.pid}.unfinished`
  await writeFile(unfinished, text)
  await rename(unfinished, path)
}

/** [RFC 4180] What a spreadsheet would take for a formula is made text. */
function cell(value: string | number | null): string {
  const text = String(value ?? '').replace(/^[=+\-@\t\r]/, "'$&")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new CommandFailure(EXIT.noInput, `${file} cannot be read.`, { cause })
  }
}

function parseRows(text: string, file: string): z.output<typeof Rows> {
  const columns = (heads: string[]) => {
    if (COLUMNS.every((column) => heads.includes(column))) return heads
    const found = heads.map(printable).join(', ')
    throw new CommandFailure(EXIT.data, `${file} needs a header with phone_number and amount, not: ${found}.`)
  }
  try {
    return Rows.parse(parse(text, { bom: true, columns, info: true, skip_empty_lines: true, trim: true }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new CommandFailure(EXIT.data, `${file} is no CSV: ${error.message}.`, { cause: error })
  }
}
