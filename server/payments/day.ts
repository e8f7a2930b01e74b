/** A day of the merchant: its movements of money in the order of time, and their sums. */

import { setImmediate as nextTurn } from 'node:timers/promises'

import { add, canonical, subtract } from '../contract/decimal.ts'
import { mapLimit } from '../work/map-limit.ts'
import { subjectOf } from './subject.ts'

import type { MerchantAccount } from '../store/merchant-account.ts'
import type { BookingCursor, StoredMovement } from '../store/movements.ts'
import type { Store } from '../store/store.ts'
import type { Transaction } from '../store/transactions.ts'
import type { Times, Zone } from '../work/zone.ts'

export interface DayDeps {
  store: Store
  account: MerchantAccount
}

/** The number of movements that are read at once, and of their transactions. */
const PAGE = 200
const ROWS_AT_ONCE = 8

/** A movement with its transaction, which may have been pruned meanwhile. */
export interface DayRow {
  movement: StoredMovement
  row: Transaction
}

/** Reads the movements of a time in pages, so that any number of them takes no more memory. */
export async function* readDay({ store, account }: DayDeps, times: Times): AsyncGenerator<DayRow[]> {
  let after: BookingCursor | null = null
  for (;;) {
    const page: StoredMovement[] = await store.listMovements(account, times, after, PAGE)
    const ids = [...new Set(page.map(({ transaction_id }) => transaction_id))]
    const rows = new Map<string, Transaction>()
    await mapLimit(ids, ROWS_AT_ONCE, async (id) => {
      const row = await store.find(id)
      if (row) {
        rows.set(id, row)
      }
    })
    yield page.flatMap((movement) => {
      const row = rows.get(movement.transaction_id)
      return row ? [{ movement, row }] : []
    })
    if (page.length < PAGE) {
      return
    }

    after = page.at(-1) ?? null
    // Reading SQLite waits for nothing: other requests are served between two pages.
    await nextTurn()
  }
}

/** Returns what a movement changes for the merchant on its day: decimal text, negative if money leaves. */
export function changeOf({ kind, moved, booked }: Pick<StoredMovement, 'kind' | 'moved' | 'booked'>): string {
  if (moved === 'failed') {
    return '0'
  }
  const isIn = isPayIn(kind) === (moved === 'paid')
  return isIn ? booked : canonical(subtract('0', booked))
}

export function isPayIn(kind: string): boolean {
  return kind === 'checkout' || kind === 'charge'
}

/**
 * The columns of the table of a day. [assumed] They are fixed: a spreadsheet refers to a column by its place. New columns
 * are added at the end.
 */
export const COLUMNS = [
  'time',
  'kind',
  'moved',
  'order',
  'reference',
  'receipt',
  'amount',
  'change',
  'currency',
  'operator',
  'service',
  'outcome',
  'reason',
  'narration',
  'told',
  'corrects',
] as const

/** Returns the cells of a movement, in the order of {@link COLUMNS}. */
export function cellsOf({ movement, row }: DayRow, zone: Zone): (string | null)[] {
  const { booked_at, kind, moved, receipt, booked, corrects, currency, operator, service, part } = movement
  const { outcome, reason, narration, told } = subjectOf(row, part)
  const cells: Record<(typeof COLUMNS)[number], string | null> = {
    time: zone.write(booked_at),
    kind,
    moved,
    order: row.group,
    reference: row.reference,
    receipt,
    amount: booked,
    change: changeOf(movement),
    currency,
    operator,
    service,
    outcome,
    reason,
    narration,
    told: told.join(' '),
    corrects: corrects === null ? null : zone.write(corrects),
  }
  return COLUMNS.map((column) => cells[column])
}

/**
 * Sums of movements, as decimal text. `net` is what they change together. The others are negative only if more of earlier
 * days is corrected than has moved on the day.
 */
export interface Sums {
  count: number
  received: string
  returned: string
  paid_out: string
  came_back: string
  net: string
}

const NOTHING: Sums = { count: 0, received: '0', returned: '0', paid_out: '0', came_back: '0', net: '0' }

type Group = Pick<StoredMovement, 'currency' | 'operator' | 'service'>

/** Adds up movements: for each currency, and for each currency, operator and service. */
export function createTotals() {
  const byCurrency = new Map<string, Sums>()
  const byGroup = new Map<string, { group: Group; sums: Sums }>()
  return {
    add(movement: StoredMovement): void {
      const { currency, operator, service } = movement
      const key = JSON.stringify([currency, operator, service])
      const group = { currency, operator, service }
      byCurrency.set(currency, withMovement(byCurrency.get(currency) ?? NOTHING, movement))
      byGroup.set(key, { group, sums: withMovement(byGroup.get(key)?.sums ?? NOTHING, movement) })
    },
    sums: () => [...byCurrency].map(([currency, sums]) => ({ currency, ...sums })),
    totals: () => [...byGroup.values()].map(({ group, sums }) => ({ ...group, ...sums })),
  }
}

function withMovement(sums: Sums, movement: StoredMovement): Sums {
  const { kind, moved, booked } = movement
  const total = { ...sums, count: sums.count + 1, net: canonical(add(sums.net, changeOf(movement))) }
  if (moved === 'failed') {
    return total
  }

  const [there, back] = isPayIn(kind)
    ? (['received', 'returned'] as const)
    : (['paid_out', 'came_back'] as const)
  const field = moved === 'paid' ? there : back
  return { ...total, [field]: canonical(add(sums[field], booked)) }
}
