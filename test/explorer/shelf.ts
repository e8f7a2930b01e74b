/**
 * The store, as far as the rules need it: rows and events in memory, loaded from a state and read back into one. The
 * statements that it mirrors are in `server/store/sql/`.
 */

import { z } from 'zod'

import { separatePersonal } from '../../server/privacy/personal.ts'
import { StoreAwayError } from '../../server/store/errors.ts'
import { insertedRow } from '../../server/store/transactions.ts'
import { LAST_QUERY_AFTER_MS } from '../../server/transactions/schedule.ts'

import type { Store } from '../../server/store/store.ts'
import type { Change, NewTransaction, Transaction } from '../../server/store/transactions.ts'
import type { ShelvedEvent, State } from './state.ts'

export class Shelf {
  #rows = new Map<string, Transaction>()
  #events: ShelvedEvent[] = []
  #recoveredAt: number | null = null
  #serial = 0
  /** Whether the next commit of a row fails. */
  isAway = false

  load({ rows, events, recoveredAt, serial }: State): void {
    this.#rows = new Map(rows.map((row) => [row.id, row]))
    this.#events = [...events]
    this.#recoveredAt = recoveredAt
    this.#serial = serial
    this.isAway = false
  }

  contents(): Pick<State, 'rows' | 'events' | 'serial'> {
    return { rows: [...this.#rows.values()], events: this.#events, serial: this.#serial }
  }

  nextSerial(): number {
    this.#serial += 1
    return this.#serial
  }

  /** The methods of the store that the money rules call. */
  readonly store = {
    insert: async (...added: NewTransaction[]) => {
      const isTaken = added.some((row) => this.#list().some((each) => isSame(each, row)))
      if (isTaken) {
        return false
      }

      for (const row of added) {
        this.#rows.set(row.id, sameRow(insertedRow(row)))
      }

      return true
    },
    countPrompt: async () => {},
    find: async (id: string) => this.#rows.get(id) ?? null,
    findByReference: async (_account: string, kind: string, reference: string) =>
      this.#list().find((row) => row.kind === kind && row.reference === reference) ?? null,
    list: async (_account: string, kind: string, group: string) => this.#group(kind, group),
    commit: async (id: string, revision: number, change: Change) => this.#commit(id, revision, change),
    requestQuery: async (id: string, revision: number, at: number) => {
      const requested = { requested_at: at, requested_revision: revision + 1, due_at: at }
      return this.#commit(id, revision, { at, ...requested }) !== null
    },
    listTombstones: async () => [],
    marks: async () => ({ store: 1, recovered: this.#recoveredAt, compared: null }),
    watch: () => () => {},
  } satisfies Partial<Record<keyof Store, unknown>>

  /** The sweep that runs once per hour. It deletes the personal data of what ended long ago, with its delivered events. */
  erasePersonal(now: number): void {
    const before = now - LAST_QUERY_AFTER_MS
    for (const row of this.#list()) {
      const isPersonal = row.kind === 'payout' || row.kind === 'airtime'
      const own = this.#events.filter(({ transactionId }) => transactionId === row.id)
      const isOld = row.updated_at < before && row.due_at === null
      if (!isPersonal || !isOld || own.some(({ finish }) => finish === null)) {
        continue
      }

      const { record } = separatePersonal(row.record)
      this.#rows.set(row.id, { ...row, record, version: row.version + 1, revision: row.revision + 1 })
      this.#events = this.#events.filter((event) => !own.includes(event) || event.finish === 'given_up')
    }
  }

  /** The correction after a clock has jumped back. */
  correctFutureTimes(now: number): void {
    for (const row of this.#list()) {
      const { due_at, asked_at, requested_at, updated_at } = row
      const newest = Math.max(updated_at, asked_at ?? 0, requested_at ?? 0)
      if (due_at === null || newest <= now) {
        continue
      }

      this.#rows.set(row.id, {
        ...row,
        revision: row.revision + 1,
        due_at: due_at - (newest - now),
        asked_at: asked_at && Math.min(asked_at, now),
        requested_at: requested_at && Math.min(requested_at, now),
      })
    }
  }

  finish(id: string, finish: ShelvedEvent['finish']): void {
    this.#events = this.#events.map((event) => (event.id === id ? { ...event, finish } : event))
  }

  #list(): Transaction[] {
    return [...this.#rows.values()]
  }

  #group(kind: string, group: string): Transaction[] {
    const own = this.#list().filter((row) => row.kind === kind && row.group === group)
    return own.toSorted((a, b) => a.attempt - b.attempt)
  }

  #commit(id: string, revision: number, change: Change): Transaction | null {
    if (this.isAway) {
      this.isAway = false
      throw new StoreAwayError('The store is away for a moment.')
    }

    const row = this.#rows.get(id)
    if (!row || row.revision !== revision) {
      return null
    }

    const { at, record, historyEntry: _, isUnseen = false, events = [], ...columns } = change
    const isNew = (record !== undefined || change.sent_at !== undefined) && !isUnseen
    const saved = sameRow({
      ...row,
      ...withoutAbsent(columns),
      ...(record !== undefined && { record }),
      revision: revision + 1,
      ...(isNew && { version: row.version + 1, updated_at: at }),
    })
    this.#rows.set(id, saved)
    const shelved = events.map(({ id: eventId, type, about = '', body }) => ({
      id: eventId,
      transactionId: id,
      type,
      about,
      at,
      received: receivedIn(body),
      finish: null,
    }))
    this.#events = [...this.#events, ...shelved]
    return saved
  }
}

/** Returns what an event says is paid; 0 if it is not about a payment. */
function receivedIn(body: string): string {
  return AboutPayment.parse(JSON.parse(body)).data.amount_paid ?? '0'
}
const AboutPayment = z.object({ data: z.object({ amount_paid: z.string().optional() }) })

const MAX_ROWS = 50_000
const known = new Map<string, Transaction>()

/** Equal rows are one object, so that the kinds parse the record of each once. */
function sameRow(row: Transaction): Transaction {
  const text = JSON.stringify(row)
  const same = known.get(text)
  if (same) {
    return same
  }
  if (known.size >= MAX_ROWS) {
    known.clear()
  }

  known.set(text, row)
  return row
}

function isSame(a: Pick<Transaction, 'kind' | 'reference' | 'group' | 'attempt'>, b: typeof a): boolean {
  return (
    a.kind === b.kind && (a.reference === b.reference || (a.group === b.group && a.attempt === b.attempt))
  )
}

/** Of a change, only these and `personal`, which the shelf does not have, may be stored as NULL. */
const NULLABLE = ['due_at', 'requested_revision', 'sent_at']

function withoutAbsent(columns: Partial<Change>): Partial<Transaction> {
  const given = Object.entries(columns).filter(
    ([name, value]) => value !== undefined && (value !== null || NULLABLE.includes(name)),
  )
  return Object.fromEntries(given)
}
