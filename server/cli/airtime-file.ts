/**
 * Reads and writes the CSV files of the command `airtime send`: the file of recipients that the command reads, and the
 * results file that it writes, with one line per recipient.
 */

import type { TrackedRecipient } from '../api/airtime.ts'
import type { AirtimeRecipient } from '../contract/airtime.ts'
import type { Country } from '../countries.ts'
import { createHash } from 'node:crypto'
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod'
import { readRecipients } from '../airtime/recipient-list.ts'
import { round } from '../contract/decimal.ts'
import { completeMsisdn } from '../countries.ts'
import { CommandFailure, EXIT } from './exit-code.ts'
import { readText } from './send-file.ts'
import { printable } from '../printable.ts'

const COLUMNS = ['phone_number', 'amount']
const Rows = z.array(
  z.object({ info: z.object({ lines: z.number() }), record: z.record(z.string(), z.string()) }),
)

/**
 * Reads and validates the CSV file of recipients.
 *
 * @param country Completes national phone numbers, which begin with 0; `null` if they are refused.
 * @throws {CommandFailure} if the file cannot be read or is not valid. The message names every invalid line.
 */
export function readRecipientFile(file: string, country: Country | null): AirtimeRecipient[] {
  const rows = parseRows(readText(file), file)
  const lineOf = (index: number) => rows[index]?.info.lines
  // Digits without a leading zero may be an international number of another country, and stay as they are.
  const complete = (number = '') =>
    /^\s*0(?!0)/.test(number) ? (completeMsisdn(number, country) ?? number) : number
  const list = readRecipients(
    rows.map(({ record: { phone_number, amount } }) => ({ phone_number: complete(phone_number), amount })),
  )
  if ('errors' in list) {
    const lines = list.errors.map(({ index, field, rule }) => {
      const text = typeof rule === 'string' ? rule : `is the same as on line ${lineOf(rule.sameAs)}`
      return `  line ${lineOf(index)}: ${field} ${text}`
    })
    throw new CommandFailure(EXIT.data, `${file} is not valid, nothing was sent:\n${lines.join('\n')}`)
  }
  if (list.recipients.length === 0) throw new CommandFailure(EXIT.data, `${file} contains no recipients.`)
  return list.recipients
}

/**
 * Returns a reference that is derived from the recipients. Equal lists of recipients have the same reference, even if
 * the order of the recipients, the formats of the files or the spellings of the amounts differ.
 */
export function deriveReference(recipients: readonly AirtimeRecipient[]): string {
  const lines = recipients.map(({ phone_number, amount }) => `${phone_number} ${round(amount, 2, 'down')}`)
  const digest = createHash('sha256').update(lines.toSorted().join('\n')).digest('hex')
  return `AIRTIME-${digest.slice(0, 16)}`
}

/** Returns the path of the results file, such as "recipients.results.csv" for "recipients.csv". */
export function resultsPathOf(file: string): string {
  return `${file.replace(/\.csv$/i, '')}.results.csv`
}

/** Writes the results file. An existing file is replaced atomically, so that readers never see a partial file. */
export function writeResults(path: string, recipients: readonly TrackedRecipient[]): void {
  const heads = [...COLUMNS, 'outcome', 'service_status', 'message', 'provider_reference']
  const rows = recipients.map((recipient) => [
    recipient.phone_number,
    recipient.amount,
    recipient.outcome,
    recipient.service_status,
    recipient.attention ?? recipient.message,
    recipient.provider_reference,
  ])
  const text = [heads, ...rows].map((row) => `${row.map(csvCell).join(',')}\n`).join('')
  const unfinished = `${path}.${process.pid}.unfinished`
  // Another user of the folder may have put a link there.
  rmSync(unfinished, { force: true })
  writeFileSync(unfinished, text, { mode: 0o600, flag: 'wx' })
  renameSync(unfinished, path)
}

/**
 * Matches the text before a character that starts a formula in a spreadsheet. Some spreadsheets separate cells at
 * characters other than the comma, ignore white space and quotes before a formula, or accept full-width characters.
 */
const FORMULA = /(^|[,;|，；،])([\s"]*)(?=[=+\-@＝＋－＠﹦﹢﹣﹫−])/gu

/**
 * Returns the text of a cell, quoted as RFC 4180 requires. An apostrophe before a formula prevents spreadsheets from
 * running the formula.
 */
function csvCell(value: string | number | null): string {
  const text = printable(value ?? '').replaceAll(FORMULA, "$1$2'")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function parseRows(text: string, file: string): z.output<typeof Rows> {
  const columns = (heads: string[]) => {
    const repeated = COLUMNS.find((column) => heads.filter((head) => head === column).length > 1)
    if (repeated !== undefined)
      throw new CommandFailure(EXIT.data, `${file} has more than one column ${repeated}. Nothing was sent.`)
    if (COLUMNS.every((column) => heads.includes(column))) return heads
    const found = heads.map(printable).join(', ')
    throw new CommandFailure(
      EXIT.data,
      `${file} needs a header with phone_number and amount; its first line is: ${found}.`,
    )
  }
  try {
    return Rows.parse(parse(text, { bom: true, columns, info: true, skip_empty_lines: true, trim: true }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new CommandFailure(EXIT.data, `${file} is not valid CSV: ${printable(error.message)}.`, {
      cause: error,
    })
  }
}
