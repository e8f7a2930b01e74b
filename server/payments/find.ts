/** Finds payments by what a customer or a shop assistant knows of them. */

import { invalid, isRefusal, NO_TIME_ZONE, refuse } from '../api/refusal.ts'
import { canonical, isExact, MAX_FRACTION_DIGITS } from '../contract/decimal.ts'
import { positive } from '../contract/fields.ts'
import { isKeyOf } from '../contract/parse.ts'
import { inLatinDigits, readPhoneNumber } from '../contract/phone-number.ts'
import { identityOf } from '../payins/identity.ts'
import { iso } from '../transactions/common-fields.ts'
import { mapLimit } from '../work/map-limit.ts'
import { isDate } from '../work/zone.ts'
import { subjectOf } from './subject.ts'

import type { FoundPayment, PaymentFilters } from '../api/payments.ts'
import type { FieldError, Refusal } from '../api/refusal.ts'
import type { Config } from '../config/config.ts'
import type { Fingerprints } from '../privacy/personal.ts'
import type { MovementCursor, MovementQuery, StoredMovement } from '../store/movements.ts'
import type { Transaction } from '../store/transactions.ts'
import type { AnyKind } from '../transactions/kind.ts'
import type { Kinds } from '../transactions/kinds.ts'
import type { Zone } from '../work/zone.ts'
import type { DayDeps } from './day.ts'

export interface FindDeps extends DayDeps {
  config: Pick<Config, 'country'>
  fingerprints: Fingerprints
  kinds: Kinds
  /** `null` if TIME_ZONE is not set. */
  zone: Zone | null
}

/** The number of payments on a page. */
export const FOUND_PAGE = 50
const ROWS_AT_ONCE = 8
const MAX_DAYS = 92

/** What a filter is called in a sentence. */
const NAMES: Readonly<Record<keyof PaymentFilters, string>> = {
  receipt: 'this receipt',
  order: 'this order',
  phone: 'this phone number',
  phone_ends: 'these last four digits',
  amount: 'this amount',
  day: 'this day',
}
/** The filters that are data of a person. */
const PERSONAL = ['receipt', 'phone', 'phone_ends'] as const

export interface Found {
  kind: 'found'
  items: FoundPayment[]
  next: MovementCursor | null
  /** Since when numbers are found; `null` if all are, or none was asked for. */
  reachesSince: string | null
}

/** Returns the names of the filters that are data of a person. */
export function personalFilters(filters: PaymentFilters): string[] {
  return PERSONAL.filter((name) => filters[name] !== undefined)
}

export async function findPayments(
  deps: FindDeps,
  filters: PaymentFilters,
  after: MovementCursor | undefined,
): Promise<Found | Refusal> {
  const { store, account } = deps
  const query = readFilters(deps, filters)
  if (isRefusal(query)) {
    return query
  }

  const [movements, reachesSince] = await Promise.all([
    store.searchMovements(account, { ...query, after, limit: FOUND_PAGE }),
    query.phone || query.ends ? findReach(deps) : null,
  ])
  if (movements.length === 0 && after === undefined) {
    return refuse('unknown_payment', describeNothing(filters, reachesSince))
  }

  const items = await mapLimit(movements, ROWS_AT_ONCE, (movement) => showFound(deps, movement))
  const last = movements.length === FOUND_PAGE ? movements.at(-1) : undefined
  return { kind: 'found', items: items.filter((item) => item !== null), next: last ?? null, reachesSince }
}

/** Returns what the store searches for, or a refusal that names each filter that cannot be read. */
function readFilters(deps: FindDeps, filters: PaymentFilters): Omit<MovementQuery, 'limit'> | Refusal {
  const { config, fingerprints, zone } = deps
  const { receipt, order, phone, day } = filters
  // Whoever types a number may have the digits of another script.
  const phone_ends = filters.phone_ends && inLatinDigits(filters.phone_ends)
  const amount = filters.amount && inLatinDigits(filters.amount)
  const names = Object.keys(NAMES)
  if (names.every((name) => !isKeyOf(filters)(name) || filters[name] === undefined)) {
    return invalid([{ path: 'query', message: `must name one or several of ${names.join(', ')}` }])
  }

  const errors: FieldError[] = []
  const key = receipt === undefined ? undefined : (identityOf(receipt) ?? '')
  if (key !== undefined && !/^[\w.:/-]{4,64}$/.test(key)) {
    errors.push({ path: 'receipt', message: 'must be the whole code of the SMS: 4 to 64 letters and digits' })
  }

  const number = phone === undefined ? undefined : readPhoneNumber(phone, config.country)
  if (number === null) {
    const message =
      'must be a whole phone number with its country code. Of half a number, pass the last four digits as phone_ends'
    errors.push({ path: 'phone', message })
  }
  if (phone_ends !== undefined && !/^\d{4}$/.test(phone_ends)) {
    errors.push({ path: 'phone_ends', message: 'must be the last four digits of the phone number' })
  }

  const sum = amount === undefined ? undefined : positive.safeParse(amount)
  if (sum?.error) {
    errors.push({ path: 'amount', message: 'must be a decimal number that is more than zero, such as 1500' })
  } else if (sum && !isExact(sum.data, MAX_FRACTION_DIGITS)) {
    const message = `must have at most ${MAX_FRACTION_DIGITS} fraction digits: 25.000 may mean 25000`
    errors.push({ path: 'amount', message })
  }

  const days = day === undefined ? undefined : readDays(day)
  if (typeof days === 'string') {
    errors.push({ path: 'day', message: days })
  }
  if (errors.length > 0) {
    return invalid(errors)
  }
  if (days && zone === null) {
    return NO_TIME_ZONE
  }

  return {
    receipt: key,
    order,
    phone: number ? fingerprints.all('phone', number) : undefined,
    ends: phone_ends === undefined ? undefined : fingerprints.all('phone_ends', phone_ends),
    amount: sum?.data === undefined ? undefined : canonical(String(sum.data)),
    ...(typeof days === 'object' && zone?.timesOf(...days)),
  }
}

/** Returns the first and the last day of a day or a range, or what is wrong with the text. */
function readDays(text: string): [first: string, last: string] | string {
  const [first = '', last = first, ...others] = text.split('..')
  if (!isDate(first) || !isDate(last) || others.length > 0) {
    return 'must be a date such as 2026-11-21, or two of them with .. between'
  }

  const days = (Date.parse(last) - Date.parse(first)) / 86_400_000 + 1
  if (days < 1 || days > MAX_DAYS) {
    return `must be a range of 1 to ${MAX_DAYS} days, the first day first`
  }
  return [first, last]
}

/**
 * Resolves with the time since which numbers are found: what is older may have fingerprints of a value of
 * GATEWAY_CONSUMER_SECRET that the server no longer has. `null` if there is none.
 */
async function findReach({ store, account, fingerprints, zone }: FindDeps): Promise<string | null> {
  const keys = await store.listMovementKeys(account)
  const lost = keys.filter(({ key }) => !fingerprints.keyIds.includes(key)).map(({ newest }) => newest)
  if (lost.length === 0) {
    return null
  }
  return timeIn(zone, Math.max(...lost))
}

function timeIn(zone: Zone | null, at: number): string {
  return zone?.write(at) ?? iso(at)
}

function describeNothing(filters: PaymentFilters, reachesSince: string | null): string {
  const names = Object.entries(NAMES).filter(
    ([name]) => isKeyOf(filters)(name) && filters[name] !== undefined,
  )
  const what = names.map(([, name]) => name).join(', ')
  const reach =
    reachesSince === null
      ? ''
      : ` Numbers are found since ${reachesSince} only: older payments have to be looked up by receipt, order, amount or day.`
  return `No such payment: none with ${what} has been confirmed here. If it was made just now, wait a minute and look again; otherwise compare the code of the SMS letter by letter, and ask to whom it was paid.${reach}`
}

async function showFound(deps: FindDeps, movement: StoredMovement): Promise<FoundPayment | null> {
  const { store, kinds, zone } = deps
  const row = await store.find(movement.transaction_id)
  if (row === null) {
    return null
  }

  const { kind, part, at, amount, currency, operator, service, receipt } = movement
  const { outcome, reason, narration } = subjectOf(row, part)
  const [events, notices] = await Promise.all([store.listEventsOf(row.id), store.listNoticesOf(row.id)])
  const about = kind === 'airtime' ? events.filter((event) => event.about === part) : events
  return {
    kind,
    order: row.group,
    reference: row.reference,
    narration,
    amount,
    currency,
    moved: lastMoved(kinds.of(kind), row, part),
    outcome,
    reason,
    operator,
    service,
    receipt,
    paid_at: timeIn(zone, at),
    told: about.map(({ type, created_at, finish }) => ({
      type,
      at: timeIn(zone, created_at),
      delivery: finish ?? 'waiting',
    })),
    notices: notices.map(({ type, created_at, way, finish, failures }) => ({
      type,
      at: timeIn(zone, created_at),
      way,
      delivery: finish ?? 'waiting',
      failures,
    })),
  }
}

/** Returns what last became of a part of a transaction: it may have gone back since it was paid. */
function lastMoved(kind: AnyKind, row: Transaction, part: string): FoundPayment['moved'] {
  const moved = kind.movementsOf(kind.read(row)).findLast((movement) => movement.part === part)?.moved
  return moved === 'reversed' || moved === 'refunded' ? moved : 'paid'
}
