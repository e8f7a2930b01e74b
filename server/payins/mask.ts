/** Deletes the payer's fingerprints from checkouts and charges when a person requests the erasure. Pure. */

import type { Transaction } from '../store.ts'
import type { Mask } from '../transactions/masking.ts'

interface PayIn {
  record: { phase: string; people: readonly string[] }
}

/** @param read Returns the stored checkout or charge of a row. */
export function createMaskPayIn(read: (row: Transaction) => PayIn): Mask {
  return (transaction, person, isRequested) => {
    const { record } = read(transaction)
    const isConcerned = person === 'everybody' || record.people.some((fingerprint) => person.has(fingerprint))
    if (!isConcerned) return { kind: 'nothing' }
    if (record.phase === 'intended')
      return { kind: 'waits', why: 'the gateway has not accepted or refused it yet' }
    if (!isRequested || record.people.length === 0) return { kind: 'nothing' }
    return {
      kind: 'masked',
      record: { ...record, people: [] },
      isComplete: true,
      redact: (text) => text,
      maskEvent: () => null,
    }
  }
}
