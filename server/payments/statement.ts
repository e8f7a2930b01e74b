/** Reads a statement of the gateway's portal, and the table of a day that this server has written. Pure. */

import { exactnessRuleOf, isExactIn } from '../contract/currency.ts'
import { canonical, isDecimal } from '../contract/decimal.ts'
import { AIRTIME_STATUS, CHECKOUT_STATUS, PAYMENT_STATUS, PAYOUT_STATUS } from '../contract/status.ts'
import { firstCharacters } from '../contract/text.ts'
import { plainText, readCsv } from './csv.ts'
import { COLUMNS, isPayIn } from './day.ts'

import type { CsvRow, CsvTable } from './csv.ts'

/** A line of a statement, or of the table of a day. */
export interface StatementLine {
  reference: string
  /** Negative if money left the merchant. A statement may leave the sign out where its status says what went back. */
  amount: string
  currency: string
  time: string
  /** Whether money went back: in a statement, whether the status says so. */
  went_back: boolean
}

/**
 * The headings under which a table may have a column, as `foldedWord` returns them. [assumed] The specification shows no
 * statement. A statement has a reference, an amount with a sign, and a currency. It may have the time and the status of
 * each line, and other columns. The heading of the amount and that of the status may have other words around theirs.
 */
const HEADINGS = {
  reference: /^(reference|merchanttransactionid|externalreference|payoutreference|merchantreference)$/,
  amount: /amount|^change$/,
  currency: /^currency(code)?$/,
  status: /status|state$|outcome|result/,
} as const satisfies Record<string, RegExp>
/** The headings of times. A table may have several: the first is shown, and none is compared. */
const TIMES: readonly string[] = ['time', 'date', 'transactiontime', 'paymentdate']
const ABSENT = -1

/** The names of the statuses of the specification, by themselves and by their codes. */
const STATUSES: ReadonlyMap<string, string> = new Map(
  [CHECKOUT_STATUS, PAYMENT_STATUS, PAYOUT_STATUS, AIRTIME_STATUS]
    .flatMap((statuses) => Object.entries(statuses))
    .flatMap(([name, code]) => [
      [foldedWord(name), name],
      [String(code), name],
    ]),
)
/** The statuses of a line that moved money back. */
const WENT_BACK: readonly string[] = ['reversed', 'refunded']
/** The statuses of a line that moved money. */
const MOVED: readonly string[] = ['paid', 'partial', 'successful', 'processed', ...WENT_BACK]

/** The index of each column in a table; `ABSENT` if the table does not have it. */
type Places = Record<keyof typeof HEADINGS | 'time', number>

/** The places in the table of a day that this server writes. */
const OWN_PLACES: Places = {
  reference: COLUMNS.indexOf('reference'),
  amount: COLUMNS.indexOf('change'),
  currency: COLUMNS.indexOf('currency'),
  time: COLUMNS.indexOf('time'),
  status: ABSENT,
}

/** Returns the lines of a statement that moved money, or a sentence that says why it cannot be read. */
export function readStatement(text: string): StatementLine[] | string {
  const table = readCsv(text)
  if (typeof table === 'string') {
    return table
  }

  const places = findPlaces(table.rows[0]?.cells ?? [])
  return typeof places === 'string' ? places : readLines(table, places)
}

/** Returns the lines of the table of a day, or a sentence that says why it cannot be read. */
export function readDayTable(text: string): StatementLine[] | string {
  const table = readCsv(text)
  if (typeof table === 'string') {
    return table
  }

  const kind = COLUMNS.indexOf('kind')
  const wentBack = (cells: readonly string[], amount: string) =>
    isPayIn(cells[kind] ?? '') === amount.startsWith('-')
  return readLines(table, OWN_PLACES, wentBack)
}

/** @param wentBack Returns whether a line without a status is about money that went back. */
function readLines(
  table: CsvTable,
  places: Places,
  wentBack: (cells: readonly string[], amount: string) => boolean = () => false,
): StatementLine[] | string {
  const lines: StatementLine[] = []
  for (const { line, cells } of table.rows.slice(1)) {
    const money = readMoney(table, places, { line, cells })
    if (typeof money === 'string') {
      return money
    }

    const word = (cells[places.status] ?? '').trim()
    const status = STATUSES.get(foldedWord(word))
    if (word !== '' && status === undefined) {
      return `has in line ${line} a status that the specification does not have: write its word or code, or leave the column out`
    }
    // A statement may list what failed or has not ended. It moved no money.
    if (status !== undefined && !MOVED.includes(status)) {
      continue
    }

    lines.push({
      reference: readReference(cells[places.reference] ?? ''),
      ...money,
      time: cells[places.time] ?? '',
      went_back: status === undefined ? wentBack(cells, money.amount) : WENT_BACK.includes(status),
    })
  }

  return lines
}

/** Returns the amount and the currency of a row, or a sentence that says why they cannot be read. */
function readMoney(
  { separator }: CsvTable,
  places: Places,
  { line, cells }: CsvRow,
): Pick<StatementLine, 'amount' | 'currency'> | string {
  const stated = (cells[places.amount] ?? '').trim()
  if (separator !== ',' && MAY_BE_THOUSANDS.test(stated)) {
    return `has the amount ${stated} in line ${line}, which may be a thousand times as much: write it without a mark between thousands, and with two digits after a decimal point`
  }

  const amount = stated.replaceAll(/(?<=\d),(?=\d{3}(\D|$))/g, '').replace(/^\+/, '')
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
  return { amount: canonical(amount), currency }
}

/**
 * Where cells are not separated by commas, a comma may be the decimal point, and a point the mark between thousands: 1,500
 * is either 1500 or one and a half.
 */
const MAY_BE_THOUSANDS = /^[+-]?\d{1,3}[.,]\d{3}$/

/** Returns a reference without the apostrophe with which a table marks a text that is no formula. */
function readReference(cell: string): string {
  return plainText(cell).trim().replace(/^'+/, '').trim()
}

/** Returns the place of each column, or a sentence that says which column is missing or may be one of several. */
function findPlaces(headings: readonly string[]): Places | string {
  const folded = headings.map(foldedWord)
  for (const [column, heading] of Object.entries(HEADINGS)) {
    const names = headings.filter((_, index) => heading.test(folded[index] ?? ''))
    if (names.length > 1) {
      const listed = names
        .map((name) => JSON.stringify(firstCharacters(name.trim(), MAX_SHOWN)))
        .join(' and ')
      return `has ${listed}, each of which may be the ${column}: leave out all but one of these columns`
    }
  }

  const placeOf = (heading: RegExp) => folded.findIndex((name) => heading.test(name))
  const places = {
    reference: placeOf(HEADINGS.reference),
    amount: placeOf(HEADINGS.amount),
    currency: placeOf(HEADINGS.currency),
    status: placeOf(HEADINGS.status),
    time: folded.findIndex((name) => TIMES.includes(name)),
  }
  return [places.reference, places.amount, places.currency].includes(ABSENT)
    ? 'must be CSV with the columns reference, amount and currency in its first line'
    : places
}

/** The maximum number of characters of a heading that are shown. */
const MAX_SHOWN = 60

/** Returns a word in small letters: only its letters and digits, without any that cannot be seen. */
function foldedWord(word: string): string {
  return word
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]|\p{Default_Ignorable_Code_Point}/gu, '')
}
