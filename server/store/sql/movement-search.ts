/** Finds movements of money: what a merchant searches for, and the movements of a day. */

import { z } from 'zod'

import { referenceKey } from '../../contract/comparison-keys.ts'
import { StoredMovement } from '../movements.ts'

import type { Dialect } from '../dialect.ts'
import type { MerchantAccount } from '../merchant-account.ts'
import type { BookingCursor, MovementCursor, MovementQuery, MovementStore } from '../movements.ts'
import type { Deps } from './deps.ts'

/** The columns by which a movement is found, those that select the fewest rows first. */
export const FOUND_BY = ['receipt', 'order_key', 'phone', 'ends', 'amount'] as const
export type FoundBy = (typeof FOUND_BY)[number]

/** Condition: a search finds the movement. What went back is shown with the payment that a search finds. */
export const FOUND = `moved = 'paid' AND order_key IS NOT NULL`
/** The order of the movements that a search finds, the oldest first. */
export const MOVEMENT_ORDER = 'at, transaction_id, part, moved, currency'
/** The order of the movements of a day. */
export const BOOKING_ORDER = 'booked_at, transaction_id, part, moved, currency'

/** The columns of a stored movement. */
export const MOVEMENT = `transaction_id, kind, part, moved, at, amount, booked, booked_at, corrects, currency,
  service, operator, receipt`

/** The parameters of a search by several columns. */
const SEARCHED: Readonly<Record<FoundBy, string>> = {
  receipt: '$10',
  order_key: '$11',
  phone: '$12',
  ends: '$13',
  amount: '$14',
}

/**
 * Each search has an index that begins with what it looks for and goes on in the order of the answer, so that its time
 * does not depend on how many movements there are.
 */
export function movementSearchStatements({ schema, indexedBy }: Dialect) {
  const movements = `${schema}movements`
  // Whether another transaction was paid with the same receipt. No two should be.
  const shared = `m.receipt IS NOT NULL AND EXISTS (SELECT 1 FROM ${movements} o ${indexedBy('movements_receipt')}
    WHERE o.account = m.account AND o.receipt = m.receipt AND o.moved = 'paid' AND o.order_key IS NOT NULL
      AND o.transaction_id <> m.transaction_id)`
  const select = `SELECT ${MOVEMENT}, CASE WHEN ${shared} THEN 1 ELSE 0 END AS is_shared FROM ${movements} m`
  const inPeriod = 'account = $1 AND at >= $2 AND at < $3'
  const newestFirst = `${MOVEMENT_ORDER.replaceAll(',', ' DESC,')} DESC`

  const search = (leading: FoundBy | 'at', conditions: readonly string[]) =>
    `${select} ${indexedBy(`movements_${leading}`)} WHERE ${[inPeriod, FOUND, ...conditions].join(' AND ')}
      AND (${MOVEMENT_ORDER}) < ($4, $5, $6, $7, $8) ORDER BY ${newestFirst} LIMIT $9`

  // A search by one column has a statement of its own. In `narrowBy`, the conditions of the other columns mislead the
  // planner of Postgres: it expects that few rows meet them, and would sort all rows.
  const searchBy = (column: FoundBy) => search(column, [`${column} = $10`])
  const narrowBy = (leading: FoundBy) => {
    const conditions = FOUND_BY.map((column) => {
      const parameter = SEARCHED[column]
      const isEqual = `${column} = ${parameter}`
      return column === leading ? isEqual : `(CAST(${parameter} AS text) IS NULL OR ${isEqual})`
    })
    return search(leading, conditions)
  }

  return {
    searchBy_receipt: searchBy('receipt'),
    searchBy_order_key: searchBy('order_key'),
    searchBy_phone: searchBy('phone'),
    searchBy_ends: searchBy('ends'),
    searchBy_amount: searchBy('amount'),
    searchBy_at: search('at', []),
    narrowBy_receipt: narrowBy('receipt'),
    narrowBy_order_key: narrowBy('order_key'),
    narrowBy_phone: narrowBy('phone'),
    narrowBy_ends: narrowBy('ends'),
    narrowBy_amount: narrowBy('amount'),
    listMovements: `
      ${select} ${indexedBy('movements_booked')} WHERE account = $1 AND booked_at >= $2 AND booked_at < $3
        AND (${BOOKING_ORDER}) > ($4, $5, $6, $7, $8) ORDER BY ${BOOKING_ORDER} LIMIT $9`,
    // Goes from one key to the next in the index, without reading the rows between.
    listMovementKeys: `
      SELECT key, newest FROM (WITH RECURSIVE keys(key) AS (
        SELECT min(key) FROM ${movements} WHERE account = $1 AND key IS NOT NULL
        UNION ALL
        SELECT (SELECT min(key) FROM ${movements} m WHERE m.account = $1 AND m.key > keys.key AND m.key IS NOT NULL)
        FROM keys WHERE keys.key IS NOT NULL)
      SELECT keys.key AS key, (SELECT max(at) FROM ${movements} m
        WHERE m.account = $1 AND m.key = keys.key AND m.key IS NOT NULL) AS newest
      FROM keys WHERE keys.key IS NOT NULL) AS found`,
  }
}

const KeyRow = z.object({ key: z.string(), newest: z.int() })

/** The places before which all movements lie, the newest first, and after which all of a day lie, the oldest first. */
const AFTER_THE_NEWEST = [Number.MAX_SAFE_INTEGER, '', '', '', ''] as const
const BEFORE_THE_OLDEST = [-1, '', '', '', ''] as const

export function createMovementSearch({
  sql,
  ask,
}: Deps<ReturnType<typeof movementSearchStatements>>): MovementStore {
  return {
    async searchMovements(account, query) {
      const searches = numbersOf(query).map((number) => search(account, query, number))
      const [found = [], ...others] = await Promise.all(searches)
      if (others.length === 0) {
        return found
      }
      return [found, ...others].flat().toSorted(byNewest).slice(0, query.limit)
    },

    listMovements(account, { from, until }, after, limit) {
      const place = after ? bookingPlaceOf(after) : BEFORE_THE_OLDEST
      return ask(StoredMovement, sql.listMovements, account, from, until, ...place, limit)
    },

    listMovementKeys: (account) => ask(KeyRow, sql.listMovementKeys, account),
  }

  function search(account: MerchantAccount, query: MovementQuery, { phone, ends }: NumberPrints) {
    const { receipt, order, amount, from = 0, until = Number.MAX_SAFE_INTEGER, after, limit } = query
    const place = after ? placeOf(after) : AFTER_THE_NEWEST
    const page = [account, from, until, ...place, limit] as const
    const order_key = order === undefined ? undefined : referenceKey(order)
    const wanted = { receipt, order_key, phone, ends, amount }
    const [leading, ...others] = FOUND_BY.filter((column) => wanted[column] !== undefined)
    if (leading === undefined) {
      return ask(StoredMovement, sql.searchBy_at, ...page)
    }
    if (others.length === 0) {
      return ask(StoredMovement, sql[`searchBy_${leading}`], ...page, wanted[leading])
    }

    const values = FOUND_BY.map((column) => wanted[column])
    return ask(StoredMovement, sql[`narrowBy_${leading}`], ...page, ...values)
  }
}

/** The fingerprints that one key makes of a phone number and of its last four digits. */
interface NumberPrints {
  phone?: string | undefined
  ends?: string | undefined
}

/** Returns what is searched one by one: a number has fingerprints of each key, the current one and the previous one. */
function numbersOf({ phone = [], ends = [] }: MovementQuery): NumberPrints[] {
  const count = Math.max(1, phone.length, ends.length)
  return Array.from({ length: count }, (_, index) => ({ phone: phone[index], ends: ends[index] }))
}

function byNewest(one: StoredMovement, other: StoredMovement): number {
  const place = placeOf(one)
  const otherPlace = placeOf(other)
  const differing = place.findIndex((value, index) => value !== otherPlace[index])
  return (place[differing] ?? 0) < (otherPlace[differing] ?? 0) ? 1 : -1
}

function bookingPlaceOf({ booked_at, transaction_id, part, moved, currency }: BookingCursor) {
  return [booked_at, transaction_id, part, moved, currency] as const
}

function placeOf({ at, transaction_id, part, moved, currency }: MovementCursor) {
  return [at, transaction_id, part, moved, currency] as const
}
