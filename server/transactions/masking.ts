/**
 * Masks personal data of settled transactions: in the record, the history and the events. A masked transaction keeps
 * fingerprints, by which the gateway's later reports and a repeated request are recognized.
 *
 * If a person requests the erasure, settled transactions are masked now, instead of 30 days after settlement, and the
 * fingerprints of payers are deleted.
 */

import type { Clock } from '../clock.ts'
import type { Fingerprints } from '../fingerprints.ts'
import type { Log } from '../log.ts'
import type { Redact } from '../redactor.ts'
import type { HistoryEntry, MerchantAccount, RowCursor, Store, StoredEvent, Transaction } from '../store.ts'
import { StoreError } from '../store.ts'
import { findByReference, namesOf, RecordError } from './record.ts'

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
      log.error({ ...namesOf(row), reason }, 'The personal data of a transaction could not be masked.')
      return false
    }
  }
}

/** Whose data are erased: the data of one person, or of everybody in the transactions with a reference. */
export type Subject = { phone: string } | { email: string } | { reference: string }

type Named = Pick<Transaction, 'kind' | 'reference' | 'group' | 'attempt'>

export interface Erasure {
  /** The transactions whose data were erased now. */
  erased: Named[]
  /** The transactions whose data cannot be erased yet. `why` is the reason. */
  waiting: (Named & { why: string })[]
}

interface ErasureDeps {
  store: Store
  account: MerchantAccount
  masks: Masks
  fingerprints: Fingerprints
}

/**
 * The number of transactions that one statement searches. It is small, so that the statements of a running server are
 * not delayed.
 */
const SEARCHED_AT_ONCE = 200
/** How often one transaction is masked. The second time shows whether some recipients of airtime have to wait. */
const MAX_PASSES = 2

const DAMAGED = 'its record cannot be read'

/** Erases the data of a subject. To erase data that had to wait, call this function again later. */
export async function erase(deps: ErasureDeps, subject: Subject): Promise<Erasure> {
  const erasure: Erasure = { erased: [], waiting: [] }
  if ('reference' in subject) {
    const rows = await findByReference(deps, subject.reference)
    for (const row of rows) await eraseIn(row, 'everybody', deps, erasure)
    return erasure
  }
  const { store, account, fingerprints } = deps
  const [value, known] =
    'phone' in subject
      ? [subject.phone, fingerprints.all('phone', subject.phone)]
      : [JSON.stringify(subject.email).slice(1, -1), fingerprints.all('email', subject.email)]
  const texts = [value, ...known].map((text) => text.toLowerCase())
  for (let after: string | null = ''; after !== null;) {
    const part = await store.findMentioning(account, texts, after, SEARCHED_AT_ONCE)
    for (const row of part.rows) await eraseIn(row, new Set(known), deps, erasure)
    after = part.next
  }
  return erasure
}

async function eraseIn(row: Transaction, person: Person, deps: ErasureDeps, erasure: Erasure): Promise<void> {
  const { store, masks } = deps
  const { kind, reference, group, attempt } = row
  const named = { kind, reference, group, attempt }
  for (let times = 0; times < MAX_PASSES; times++) {
    const current = await store.find(row.id)
    const result = current
      ? await maskStored(store, masks, current, person, true).catch(readFailure)
      : { kind: 'nothing' as const }
    if (result.kind === 'waits') erasure.waiting.push({ ...named, why: result.why })
    if (result.kind !== 'masked') return
    if (times === 0) erasure.erased.push(named)
  }
}

function readFailure(error: unknown): { kind: 'waits'; why: string } {
  if (error instanceof RecordError) return { kind: 'waits', why: DAMAGED }
  throw error
}
