/**
 * Erases personal data when a person requests it: masks settled transactions now, instead of 30 days after settlement,
 * and deletes the fingerprints of payers.
 */

import type { Fingerprints } from '../fingerprints.ts'
import type { MerchantAccount, Store, Transaction } from '../store.ts'
import type { Masks, Person } from './masking.ts'
import { maskStored } from './masking.ts'
import { RecordError } from './record.ts'
import { findByReference } from './references.ts'

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
const MAX_ATTEMPTS = 2

const DAMAGED = 'its record cannot be read'

/** Erases the data of a subject. To erase data that had to wait, call this function again later. */
export async function erase(deps: ErasureDeps, subject: Subject): Promise<Erasure> {
  const erasure: Erasure = { erased: [], waiting: [] }
  if ('reference' in subject) {
    const rows = await findByReference(deps.store, deps.account, subject.reference)
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
  for (let times = 0; times < MAX_ATTEMPTS; times++) {
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
