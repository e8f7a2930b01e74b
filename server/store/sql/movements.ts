/** Stores the movements of money of a transaction, and counts each payment for one transaction. */

import { z } from 'zod'

import { book, followErased } from '../bookings.ts'
import { StoredMovement } from '../movements.ts'
import { BOOKING_ORDER, MOVEMENT } from './movement-search.ts'

import type { Booking } from '../bookings.ts'
import type { Dialect } from '../dialect.ts'
import type { Work } from '../driver.ts'
import type { CountedElsewhere } from '../errors.ts'
import type { Movement } from '../movements.ts'

export type MovementStatements = ReturnType<typeof movementStatements>

export function movementStatements({ schema }: Dialect) {
  const movements = `${schema}movements`
  return {
    // Returns for which transaction the payment counts: if another commit is counting it, once that one has ended.
    countPayment: `
      INSERT INTO ${schema}counted_payments (account, payment, transaction_id)
      SELECT account, CAST($2 AS text), id FROM ${schema}transactions WHERE id = $1
      ON CONFLICT (account, payment) DO UPDATE SET payment = excluded.payment
      RETURNING transaction_id,
        (SELECT reference FROM ${schema}transactions t WHERE t.id = transaction_id) AS reference`,
    putMovement: `
      INSERT INTO ${movements} (transaction_id, part, moved, account, kind, at, currency, amount, booked, booked_at,
        corrects, service, operator, receipt, order_key, phone, ends, key)
      SELECT t.id, CAST($2 AS text), CAST($3 AS text), t.account, t.kind, CAST($4 AS bigint), CAST($5 AS text),
        CAST($6 AS text), CAST($7 AS text), CAST($8 AS bigint), CAST($9 AS bigint), CAST($10 AS text),
        CAST($11 AS text), CAST($12 AS text), CASE WHEN $13 = 1 THEN t.group_key END, CAST($14 AS text),
        CAST($15 AS text), CAST($16 AS text)
      FROM ${schema}transactions t WHERE t.id = $1`,
    movementsOf: `SELECT ${MOVEMENT} FROM ${movements} WHERE transaction_id = $1 ORDER BY ${BOOKING_ORDER}`,
    deleteMovements: `DELETE FROM ${movements} WHERE transaction_id = $1`,
  }
}

const BookedRow = StoredMovement.pick({ part: true, moved: true, at: true, currency: true }).extend(
  StoredMovement.pick({ service: true, operator: true, booked: true, booked_at: true, corrects: true }).shape,
)

const CountedRow = z.object({ transaction_id: z.string(), reference: z.string() })

/**
 * Counts the payments of movements for their transaction. Returns those that count for others. [assumed] An id names one
 * payment of all that the gateway has for an account.
 */
export function* countPayments(
  sql: MovementStatements,
  id: string,
  movements: readonly Movement[],
): Work<CountedElsewhere> {
  const elsewhere = new Map<string, string>()
  // In one order everywhere: two commits would otherwise wait for each other.
  const payments = new Set(movements.flatMap(({ payment }) => payment ?? []))
  for (const payment of [...payments].toSorted()) {
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
  sql: MovementStatements,
  id: string,
  movements: readonly Movement[],
  at: number,
  openSince: number,
): Work<void> {
  const stored = BookedRow.array().parse(yield [sql.movementsOf, id])
  yield* replaceBookings(sql, id, book(stored, movements, at, openSince))
}

/** Takes what was erased from the movements of a record. */
export function* eraseMovements(
  sql: MovementStatements,
  id: string,
  movements: readonly Movement[],
): Work<void> {
  const stored = BookedRow.array().parse(yield [sql.movementsOf, id])
  yield* replaceBookings(sql, id, followErased(stored, movements))
}

function* replaceBookings(sql: MovementStatements, id: string, bookings: readonly Booking[]): Work<void> {
  yield [sql.deleteMovements, id]
  for (const booking of bookings) {
    const { part, moved, at, currency, amount, booked, booked_at, corrects } = booking
    const { service, operator, receipt, isFound, phone, ends, key } = booking
    yield [
      sql.putMovement,
      id,
      part,
      moved,
      at,
      currency,
      amount,
      booked,
      booked_at,
      corrects,
      service,
      operator,
      receipt,
      isFound ? 1 : 0,
      phone,
      ends,
      key,
    ]
  }
}
