/**
 * Masks personal data of settled transactions: in the record, the history and the events. A masked transaction keeps
 * fingerprints, by which the gateway's later reports and a repeated request are recognized.
 */

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Redact } from '../redactor.ts'
import type { HistoryEntry, MerchantAccount, RowCursor, Store, StoredEvent, Transaction } from '../store.ts'
import { StoreError } from '../store.ts'

/** Whose data are masked: the data of everybody, or of the person with one of these fingerprints. */
export type Person = 'everybody' | ReadonlySet<string>

export type MaskedEvent = Pick<StoredEvent, 'about' | 'body'>

export type Masking =
  | {
      kind: 'masked'
      record: unknown
      /** Whether all personal data in the transaction are masked. */
      isComplete: boolean
      /** Masks a text of the history. */
      redact: Redact
      /** Masks an event. Returns `null` if the event is not about a masked person. */
      maskEvent: (event: StoredEvent) => MaskedEvent | null
    }
  /** The data are still needed. `why` is the reason. */
  | { kind: 'waits'; why: string }
  /** The transaction contains no data of the person, or only masked data. */
  | { kind: 'nothing' }

/**
 * Masks a transaction of one kind. Pure.
 *
 * @param isRequested Whether a person has requested the erasure. The fingerprints of payers are then deleted, too.
 */
export type Mask = (transaction: Transaction, person: Person, isRequested: boolean) => Masking
export type Masks = Readonly<Record<Transaction['kind'], Mask>>

/**
 * The maximum number of attempts to mask a transaction. An attempt fails if the transaction changes at the same time.
 */
const MAX_ATTEMPTS = 5

const UNDELIVERED = 'an event about it is not delivered yet'
const BUSY = 'it is changing at the moment'

/**
 * Masks a stored transaction. Also resolves with `waits` if an event that has to be masked is not delivered yet, or if
 * the transaction changes during all attempts.
 *
 * @throws {RecordError} if the record is damaged.
 */
export async function maskStored(
  store: Store,
  masks: Masks,
  transaction: Transaction,
  person: Person,
  isRequested: boolean,
): Promise<Exclude<Masking, { kind: 'masked' }> | { kind: 'masked' }> {
  let row: Transaction | null = transaction
  for (let attempt = 0; attempt < MAX_ATTEMPTS && row; attempt++) {
    const masking = masks[row.kind](row, person, isRequested)
    if (masking.kind !== 'masked') return masking
    const { record, isComplete, redact, maskEvent } = masking
    const stored = await store.listEventsOf(row.id)
    const events = stored.flatMap((event) => {
      const masked = maskEvent(event)
      return masked ? [{ id: event.id, isFinished: event.isFinished, ...masked }] : []
    })
    if (!events.every(({ isFinished }) => isFinished)) return { kind: 'waits', why: UNDELIVERED }
    const history = redacted(await store.history(row.id), redact)
    if (await store.mask(row.id, row.version, { record, isComplete, history, events }))
      return { kind: 'masked' }
    row = await store.find(row.id)
  }
  return row ? { kind: 'waits', why: BUSY } : { kind: 'nothing' }
}

function redacted(history: readonly HistoryEntry[], redact: Redact): { was: string; what: string }[] {
  const texts = [...new Set(history.map(({ what }) => what))]
  return texts.map((was) => ({ was, what: redact(was) })).filter(({ was, what }) => was !== what)
}

interface SweepDeps {
  store: Store
  account: MerchantAccount
  clock: Clock
  log: Log
  masks: Masks
}

/** The number of transactions that are read at once, and the pause after them in milliseconds. */
const STEP = { rows: 100, pauseMs: 50 }

/**
 * Masks the payouts, charges and airtime that were not masked yet, have no scheduled query and have not changed since
 * `before`. Masks each transaction in a commit of its own, so that other requests are not delayed. Resolves with the
 * number of masked transactions.
 */
export async function maskEnded(
  { store, account, clock, log, masks }: SweepDeps,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  let masked = 0
  let after: RowCursor | null = null
  while (!signal.aborted) {
    const rows: Transaction[] = await store.listUnmasked(account, before, after, STEP.rows)
    for (const row of rows) if (!signal.aborted && (await maskOne(row))) masked += 1
    after = rows.at(-1) ?? null
    if (after === null) break
    await clock.sleep(STEP.pauseMs, signal).catch(() => {})
  }
  return masked

  async function maskOne(row: Transaction): Promise<boolean> {
    try {
      const { kind } = await maskStored(store, masks, row, 'everybody', false)
      if (kind === 'nothing') await store.mask(row.id, row.version, null)
      return kind === 'masked'
    } catch (error) {
      if (error instanceof StoreError) throw error
      // The error itself may quote personal data.
      const reason = error instanceof Error ? error.name : 'unknown'
      log.error(
        { kind: row.kind, reference: row.reference, reason },
        'The personal data of a transaction could not be masked.',
      )
      return false
    }
  }
}
