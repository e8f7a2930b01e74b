/** Compares the movements of a day with the statement of the gateway's portal. Pure. */

import { exactnessRuleOf, isExactIn } from '../contract/currency.ts'
import { canonical, isDecimal } from '../contract/decimal.ts'
import { firstCharacters, referenceKey } from '../contract/fields.ts'
import { AIRTIME_STATUS, CHECKOUT_STATUS, PAYMENT_STATUS, PAYOUT_STATUS } from '../contract/status.ts'
import { plainText, readCsv } from './csv.ts'
import { COLUMNS, isPayIn } from './day.ts'

import type { CsvTable } from './csv.ts'

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
 * statement: its table has a reference, an amount with a sign, and a currency, and may have the time and the status of each
 * line, whatever else it has. A column that may be the amount or the status is read, whatever its whole name is.
 */
const HEADINGS = {
  reference: /^(reference|merchanttransactionid|externalreference|payoutreference|merchantreference)$/,
  amount: /amount|^change$/,
  currency: /^currency(code)?$/,
  status: /status|state$|outcome|result/,
} as const satisfies Record<string, RegExp>
/** A table may have several times: they match nothing. */
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
/** The statuses of what moved money, and of what moved it back. */
const WENT_BACK: readonly string[] = ['reversed', 'refunded']
const MOVED: readonly string[] = ['paid', 'partial', 'successful', 'processed', ...WENT_BACK]

type Places = Record<keyof typeof HEADINGS | 'time', number>

/** The places in the table of a day that this server writes: nothing in it is guessed. */
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

/** @param wentBack Whether a line without a status is about money that went back. */
function readLines(
  table: CsvTable,
  places: Places,
  wentBack: (cells: readonly string[], amount: string) => boolean = () => false,
): StatementLine[] | string {
  const lines: StatementLine[] = []
  for (const { line, cells } of table.rows.slice(1)) {
    const stated = (cells[places.amount] ?? '').trim()
    if (table.separator !== ',' && MAY_BE_THOUSANDS.test(stated)) {
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

    const word = (cells[places.status] ?? '').trim()
    const status = STATUSES.get(foldedWord(word))
    if (word !== '' && status === undefined) {
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
    lines.push({
      reference,
      amount: canonical(amount),
      currency,
      time: cells[places.time] ?? '',
      went_back: status === undefined ? wentBack(cells, amount) : WENT_BACK.includes(status),
    })
  }

  return lines
}

/**
 * Where cells are not separated by commas, a comma may be the decimal point, and a point the mark between thousands: 1,500
 * is either 1500 or one and a half.
 */
const MAY_BE_THOUSANDS = /^[+-]?\d{1,3}[.,]\d{3}$/

/** Returns the place of each column, or why a table has none, or more than one that it may be. */
function findPlaces(headings: readonly string[]): Places | string {
  const folded = headings.map(foldedWord)
  const namesOf = (heading: RegExp) => headings.filter((_, index) => heading.test(folded[index] ?? ''))
  for (const [column, heading] of Object.entries(HEADINGS)) {
    const names = namesOf(heading)
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

/** Returns a word in small letters, without what its words are joined by, and what cannot be seen. */
function foldedWord(word: string): string {
  return word
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}]|\p{Default_Ignorable_Code_Point}/gu, '')
}

export interface Comparison {
  matched: number
  /** In the statement, and not in the table. */
  missing_here: StatementLine[]
  /** In the table, and not in the statement. */
  missing_there: StatementLine[]
}

/** Compares the table of a day (`here`) with a statement, line by line. What moved nothing is in neither. */
export function compareLines(here: readonly StatementLine[], there: readonly StatementLine[]): Comparison {
  const open = new Map<string, StatementLine[]>()
  for (const line of here.filter(hasMoved)) {
    const others = open.get(keyOf(line)) ?? []
    others.push(line)
    open.set(keyOf(line), others)
  }

  let matched = 0
  const missing_here: StatementLine[] = []
  for (const line of there.filter(hasMoved)) {
    const candidates = open.get(keyOf(line)) ?? []
    const index = candidates.findIndex((own) => isSameMovement(own, line))
    if (index === ABSENT) {
      missing_here.push(line)
    } else {
      candidates.splice(index, 1)
      matched += 1
    }
  }

  return { matched, missing_here, missing_there: [...open.values()].flat() }
}

function hasMoved({ amount }: StatementLine): boolean {
  return !/^-?0$/.test(amount)
}

function keyOf({ reference, currency }: StatementLine): string {
  return JSON.stringify([referenceKey(reference), currency])
}

/**
 * Returns whether a line of a statement is about a movement of the day. Where its status says that money went back, that is
 * what is compared: such a line may have no sign. Any other status is also that of a movement back, so the sign counts.
 */
function isSameMovement(own: StatementLine, stated: StatementLine): boolean {
  if (!stated.went_back) {
    return own.amount === stated.amount
  }
  return own.went_back && withoutSign(own.amount) === withoutSign(stated.amount)
}

function withoutSign(amount: string): string {
  return amount.replace('-', '')
}
