/** Stores and finds movements of money. */

import { z } from 'zod'

import { referenceKey } from '../../contract/fields.ts'
import { book, followErased } from '../bookings.ts'
import { StoredMovement } from '../movements.ts'
import { FOUND_BY } from './statements.ts'

import type { Booking } from '../bookings.ts'
import type { Statement, Work } from '../driver.ts'
import type { CountedElsewhere } from '../errors.ts'
import type { MerchantAccount } from '../merchant-account.ts'
import type { BookingCursor, Movement, MovementCursor, MovementQuery } from '../movements.ts'
import type { Store } from '../store.ts'
import type { Statements } from './statements.ts'

const BookedRow = StoredMovement.pick({ part: true, moved: true, at: true, currency: true }).extend(
  StoredMovement.pick({ service: true, operator: true, booked: true, booked_at: true, corrects: true }).shape,
)

const CountedRow = z.object({ transaction_id: z.string(), reference: z.string() })

/**
 * Counts the payments of movements for their transaction. Returns those that count for others. [assumed] An id names one
 * payment of all that the gateway has for an account.
 */
export function* countPayments(
  sql: Statements,
  id: string,
  movements: readonly Movement[],
): Work<CountedElsewhere> {
  const elsewhere = new Map<string, string>()
  // In one order everywhere: two commits would otherwise wait for each other.
  const payments = [...new Set(movements.flatMap(({ payment }) => payment ?? []))].toSorted()
  for (const payment of payments) {
    const [counted] = yield [sql.countPayment, id, payment]
    const { transaction_id, reference } = CountedRow.parse(counted)
    if (transaction_id !== id) {
      elsewhere.set(payment, reference)
    }
  }

  return elsewhere
}

/** Books the movements of a record that has changed at `at`. Days that are closed stay as they are. */
export function* putMovements(
  sql: Statements,
  id: string,
  movements: readonly Movement[],
  at: number,
  openSince: number,
): Work<void> {
  const stored = BookedRow.array().parse(yield [sql.movementsOf, id])
  yield* replaceBookings(sql, id, book(stored, movements, at, openSince))
}

/** Takes what was erased from the movements of a record. */
export function* eraseMovements(sql: Statements, id: string, movements: readonly Movement[]): Work<void> {
  const stored = BookedRow.array().parse(yield [sql.movementsOf, id])
  yield* replaceBookings(sql, id, followErased(stored, movements))
}

function* replaceBookings(sql: Statements, id: string, bookings: readonly Booking[]): Work<void> {
  yield [sql.deleteMovements, id]
  for (const { part, moved, at, currency, amount, booked, corrects, ...booking } of bookings) {
    const { booked_at, service, operator, receipt, isFound, phone, ends, key } = booking
    const what = [part, moved, at, currency, amount, booked, booked_at, corrects] as const
    const how = [service, operator, receipt, isFound ? 1 : 0, phone, ends, key] as const
    yield [sql.putMovement, id, ...what, ...how]
  }
}

const KeyRow = z.object({ key: z.string(), newest: z.int() })

type Ask = <Row>(schema: z.ZodType<Row>, ...statement: Statement) => Promise<Row[]>

export function createMovements(sql: Statements, ask: Ask) {
  return {
    async searchMovements(account, query) {
      const { phone, ends, limit } = query
      // A number has one fingerprint for each key: the current one and the previous one.
      const count = Math.max(1, phone?.length ?? 0, ends?.length ?? 0)
      const found = await Promise.all(
        Array.from({ length: count }, (_, index) => search(account, query, phone?.[index], ends?.[index])),
      )
      return found.length === 1 ? (found[0] ?? []) : found.flat().toSorted(byNewest).slice(0, limit)
    },
    listMovements(account, { from, until }, after, limit) {
      const place = after ? bookingPlaceOf(after) : ([-1, '', '', '', ''] as const)
      return ask(StoredMovement, sql.listMovements, account, from, until, ...place, limit)
    },
    listMovementKeys: (account) => ask(KeyRow, sql.listMovementKeys, account),
  } satisfies Partial<Store>

  function search(account: MerchantAccount, query: MovementQuery, phone?: string, ends?: string) {
    const { receipt, order, amount, from = 0, until = Number.MAX_SAFE_INTEGER, after, limit } = query
    const place = after ? placeOf(after) : ([Number.MAX_SAFE_INTEGER, '', '', '', ''] as const)
    const wanted = {
      receipt,
      order_key: order === undefined ? order : referenceKey(order),
      phone,
      ends,
      amount,
    }
    const asked = FOUND_BY.filter((column) => wanted[column] !== undefined)
    const [leading, second] = asked
    const page = [account, from, until, ...place, limit] as const
    if (leading === undefined || second === undefined) {
      const values = asked.map((column) => wanted[column])
      return ask(StoredMovement, sql[`searchBy_${leading ?? 'at'}`], ...page, ...values)
    }

    const values = FOUND_BY.map((column) => wanted[column])
    return ask(StoredMovement, sql[`narrowBy_${leading}`], ...page, ...values)
  }
}

function byNewest(a: StoredMovement, b: StoredMovement): number {
  const first = placeOf(a)
  const second = placeOf(b)
  const index = first.findIndex((value, each) => value !== second[each])
  return (first[index] ?? 0) < (second[index] ?? 0) ? 1 : -1
}

function bookingPlaceOf({ booked_at, transaction_id, part, moved, currency }: BookingCursor) {
  return [booked_at, transaction_id, part, moved, currency] as const
}

function placeOf({ at, transaction_id, part, moved, currency }: MovementCursor) {
  return [at, transaction_id, part, moved, currency] as const
}
