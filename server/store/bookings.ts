/**
 * Decides what is stored of the movements of a transaction when its record changes. Pure.
 *
 * What is found is what the record says. What is booked adds up to it: the bookings of days that are open are replaced.
 * Those of a closed day stay, and what they lack or have too much is booked when it becomes known.
 */

import { add, canonical, compare, subtract } from '../contract/decimal.ts'

import type { Moved, Movement } from './movements.ts'

/** A stored movement. */
export interface Booking extends Movement {
  /** What it adds to the day of `booked_at`, which may be negative. `amount` and `at` are of the record. */
  booked: string
  booked_at: number
  /** When what it corrects was booked; `null` if it corrects nothing. */
  corrects: number | null
}

/** What is read of the stored movements of a transaction. */
export type Booked = Pick<
  Booking,
  'part' | 'moved' | 'at' | 'currency' | 'service' | 'operator' | 'booked' | 'booked_at' | 'corrects'
>

/**
 * Where a movement is of a part. What is reported as a reversal and then as a refund went back once.
 *
 * [assumed] An end that moved nothing stays in its day, also if it turns out that money has moved.
 */
const STEPS = {
  paid: 'there',
  reversed: 'back',
  refunded: 'back',
  failed: 'nowhere',
} as const satisfies Record<Moved, string>

/**
 * Returns the bookings of the movements of a changed record.
 *
 * @param stored The bookings of the record before.
 * @param at Time of the change, in milliseconds since the Unix epoch.
 * @param openSince Since when days are open: those that ended before are closed.
 */
export function book(
  stored: readonly Booked[],
  movements: readonly Movement[],
  at: number,
  openSince: number,
): Booking[] {
  const before = withPartsOf(stored, movements)
  const after = movements.map((movement) => withKnown(movement, before))
  const kept = before.filter((booking) => booking.booked_at < openSince)
  const replaced = before.filter((booking) => booking.booked_at >= openSince)
  const bookings = kept.map((booking) => follow(booking, after))
  for (const each of distinct([...after, ...bookings])) {
    const of = bookings.filter((booking) => isSame(booking, each))
    const [corrected] = of
    const rest = subtract(amountIn(after, each), sumOf(of))
    const isBooked = corrected !== undefined && (STEPS[each.moved] === 'nowhere' || compare(rest, '0') === 0)
    if (isBooked) {
      continue
    }

    const known = replaced.find((booking) => isSame(booking, each))
    const own = corrected === undefined && each.at >= openSince ? each.at : at
    const nobody = { phone: null, ends: null, key: null }
    bookings.push({
      ...each,
      ...(corrected && { isFound: false, ...nobody }),
      at: before.find((booking) => isSame(booking, each))?.at ?? each.at,
      booked: canonical(rest),
      booked_at: known?.booked_at ?? own,
      corrects: corrected?.booked_at ?? null,
    })
  }

  return bookings
}

/** Returns the bookings, found as the movements of an erased record are. What they book stays. */
export function followErased(stored: readonly Booked[], movements: readonly Movement[]): Booking[] {
  const before = withPartsOf(stored, movements)
  const after = movements.map((movement) => withKnown(movement, before))
  return before.map((booking) => follow(booking, after))
}

/** Returns the bookings with new parts of the movements in place of those that are gone, in their order. */
function withPartsOf(stored: readonly Booked[], movements: readonly Movement[]): readonly Booked[] {
  const before = new Set(stored.map(({ part }) => part))
  const after = new Set(movements.map(({ part }) => part))
  const added = [...after].filter((part) => !before.has(part))
  const gone = [...before].filter((part) => !after.has(part))
  const names = new Map(gone.map((part, index) => [part, added[index] ?? part]))
  return stored.map((booking) => ({ ...booking, part: names.get(booking.part) ?? booking.part }))
}

/** Returns the movement with what is no data of a person, and stays when an erased record no longer has it. */
function withKnown(movement: Movement, stored: readonly Booked[]): Movement {
  const known = stored.findLast(({ part }) => part === movement.part)
  return {
    ...movement,
    currency: movement.currency || (known?.currency ?? ''),
    service: movement.service ?? known?.service ?? null,
    operator: movement.operator ?? known?.operator ?? null,
  }
}

/** Returns what stays booked, found as the record is: not at all, if the record no longer has it. */
function follow(booking: Booked, movements: readonly Movement[]): Booking {
  const movement = movements.find((each) => isSame(each, booking))
  const { isFound = false, amount = '0', receipt = null } = movement ?? {}
  const { phone = null, ends = null, key = null } = movement ?? {}
  if (booking.corrects !== null) {
    return { ...booking, amount, receipt, isFound: false, phone: null, ends: null, key: null }
  }
  return { ...booking, amount, receipt, isFound, phone, ends, key }
}

type Place = Pick<Movement, 'part' | 'moved' | 'currency'>

function isSame(a: Place, b: Place): boolean {
  return a.part === b.part && STEPS[a.moved] === STEPS[b.moved] && a.currency === b.currency
}

/** Returns the first of each place. */
function distinct(movements: readonly Movement[]): Movement[] {
  return movements.filter((each, index) => movements.findIndex((other) => isSame(each, other)) === index)
}

function amountIn(movements: readonly Movement[], place: Place): string {
  return movements.find((each) => isSame(each, place))?.amount ?? '0'
}

function sumOf(bookings: readonly Booking[]): string {
  return bookings.reduce((total, { booked }) => add(total, booked), '0')
}
