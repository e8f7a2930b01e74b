/** Compares the movements of a day with the statement of the gateway's portal. Pure. */

import { canonical, isDecimal } from '../contract/decimal.ts'
import { referenceKey } from '../contract/fields.ts'
import { readCsv } from './csv.ts'

/** A line of a statement, or of the table of a day. `amount` is negative if money left the merchant. */
export interface StatementLine {
  reference: string
  amount: string
  currency: string
  time: string
}

/**
 * The headings under which a table may have a column, in small letters and without spaces or underscores. [assumed] The
 * specification shows no statement: its table has a reference, an amount with a sign, and a currency, whatever else it has.
 */
const HEADINGS = {
  reference: [
    'reference',
    'merchanttransactionid',
    'externalreference',
    'payoutreference',
    'merchantreference',
  ],
  amount: ['change', 'amount'],
  currency: ['currency', 'currencycode'],
  time: ['time', 'date', 'transactiontime', 'paymentdate'],
} as const satisfies Record<keyof StatementLine, readonly string[]>

/** Returns the lines of a statement, or a sentence that says why it cannot be read. */
export function readStatement(text: string): StatementLine[] | string {
  const table = readCsv(text)
  if (typeof table === 'string') {
    return table
  }

  const [headings, ...rows] = table
  const folded = (headings?.cells ?? []).map((heading) => heading.toLowerCase().replaceAll(/[\s_-]/g, ''))
  const placeOf = (names: readonly string[]) =>
    names.map((name) => folded.indexOf(name)).find((index) => index >= 0) ?? -1
  const places = {
    reference: placeOf(HEADINGS.reference),
    amount: placeOf(HEADINGS.amount),
    currency: placeOf(HEADINGS.currency),
    time: placeOf(HEADINGS.time),
  }
  if (places.reference < 0 || places.amount < 0 || places.currency < 0) {
    return 'must be CSV with the columns reference, amount and currency in its first line'
  }

  const lines: StatementLine[] = []
  for (const { line, cells } of rows) {
    const amount = (cells[places.amount] ?? '')
      .trim()
      .replaceAll(/(?<=\d),(?=\d{3}(\D|$))/g, '')
      .replace(/^\+/, '')
    if (!isDecimal(amount)) {
      return `has no amount in line ${line}`
    }

    lines.push({
      reference: (cells[places.reference] ?? '').trim().replace(/^'/, ''),
      amount: canonical(amount),
      currency: (cells[places.currency] ?? '').trim().toUpperCase(),
      time: cells[places.time] ?? '',
    })
  }

  return lines
}

export interface Comparison {
  matched: number
  /** In the statement, and not in the table. */
  missing_here: StatementLine[]
  /** In the table, and not in the statement. */
  missing_there: StatementLine[]
}

/** Compares two tables line by line. What moved nothing is in neither. */
export function compareLines(here: readonly StatementLine[], there: readonly StatementLine[]): Comparison {
  const open = new Map<string, StatementLine[]>()
  for (const line of here.filter(hasMoved)) {
    open.set(keyOf(line), [...(open.get(keyOf(line)) ?? []), line])
  }

  let matched = 0
  const missing_here: StatementLine[] = []
  for (const line of there.filter(hasMoved)) {
    if (open.get(keyOf(line))?.pop()) {
      matched += 1
    } else {
      missing_here.push(line)
    }
  }

  return { matched, missing_here, missing_there: [...open.values()].flat() }
}

function hasMoved({ amount }: StatementLine): boolean {
  return !/^-?0$/.test(amount)
}

function keyOf({ reference, amount, currency }: StatementLine): string {
  return JSON.stringify([referenceKey(reference), amount, currency])
}
