/** Compares the movements of a day with the statement of the gateway's portal. Pure. */

import { exactnessRuleOf, isExactIn } from '../contract/currency.ts'
import { canonical, isDecimal } from '../contract/decimal.ts'
import { referenceKey } from '../contract/fields.ts'
import { AIRTIME_STATUS, CHECKOUT_STATUS, PAYMENT_STATUS, PAYOUT_STATUS } from '../contract/status.ts'
import { plainText, readCsv } from './csv.ts'

/** A line of a statement, or of the table of a day. `amount` is negative if money left the merchant. */
export interface StatementLine {
  reference: string
  amount: string
  currency: string
  time: string
}

/**
 * The headings under which a table may have a column, in small letters and without spaces or underscores. [assumed] The
 * specification shows no statement: its table has a reference, an amount with a sign, and a currency, and may have the time
 * and the status of each line, whatever else it has.
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
  status: ['status', 'paymentstatus', 'servicestatus', 'transactionstatus'],
} as const satisfies Record<keyof StatementLine | 'status', readonly string[]>

/** The names of the statuses of the specification, by themselves and by their codes. */
const STATUSES: ReadonlyMap<string, string> = new Map(
  [CHECKOUT_STATUS, PAYMENT_STATUS, PAYOUT_STATUS, AIRTIME_STATUS]
    .flatMap((statuses) => Object.entries(statuses))
    .flatMap(([name, code]) => [
      [foldedWord(name), name],
      [String(code), name],
    ]),
)
/** The statuses of what moved money. */
const MOVED: readonly string[] = ['paid', 'partial', 'successful', 'processed', 'reversed', 'refunded']

/** Returns the lines of a statement that moved money, or a sentence that says why it cannot be read. */
export function readStatement(text: string): StatementLine[] | string {
  const table = readCsv(text)
  if (typeof table === 'string') {
    return table
  }

  const [headings, ...rows] = table
  const folded = (headings?.cells ?? []).map(foldedWord)
  const placeOf = (names: readonly string[]) =>
    names.map((name) => folded.indexOf(name)).find((index) => index >= 0) ?? -1
  const places = {
    reference: placeOf(HEADINGS.reference),
    amount: placeOf(HEADINGS.amount),
    currency: placeOf(HEADINGS.currency),
    time: placeOf(HEADINGS.time),
    status: placeOf(HEADINGS.status),
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

    const currency = (cells[places.currency] ?? '').trim().toUpperCase()
    if (!/^[A-Z]{3}$/.test(currency)) {
      return `has no currency in line ${line}`
    }
    if (!isExactIn(currency, amount)) {
      return `has the amount ${amount} in line ${line}, which ${exactnessRuleOf(currency)}`
    }

    const stated = (cells[places.status] ?? '').trim()
    const status = STATUSES.get(foldedWord(stated))
    if (stated !== '' && status === undefined) {
      return `has in line ${line} a status that the specification does not have: write its word or code, or leave the column out`
    }
    // What failed, or has not ended, may be in a statement, and moved nothing.
    if (status !== undefined && !MOVED.includes(status)) {
      continue
    }

    const reference = plainText(cells[places.reference] ?? '')
      .trim()
      .replace(/^'+/, '')
      .trim()
    lines.push({ reference, amount: canonical(amount), currency, time: cells[places.time] ?? '' })
  }

  return lines
}

/** Returns a word in small letters, without what its words are joined by. */
function foldedWord(word: string): string {
  return word.toLowerCase().replaceAll(/[\s_-]/g, '')
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
