/** Deletes the payer's fingerprints from checkouts when a person requests the erasure. Pure. */

import type { Mask } from '../transactions/masking.ts'
import { readCheckout } from './record.ts'

export const maskCheckout: Mask = (transaction, person, isRequested) => {
  const { record } = readCheckout(transaction)
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
