/** Deletes the payer's details and fingerprints from charges. Pure. */

import type { Fingerprints } from '../fingerprints.ts'
import type { Mask } from '../transactions/masking.ts'
import type { ChargeRecord } from './record.ts'
import { ChargeRequest } from '../contract/charge.ts'
import { peopleOf } from '../payins/payer.ts'
import { readCharge, withoutPayer } from './record.ts'

/**
 * Returns a function that deletes the payer's details and, if a person requested the erasure, the payer's fingerprints.
 * Only records of earlier versions of this server contain the payer's details.
 */
export function createMaskCharge(fingerprints: Fingerprints): Mask {
  return (transaction, person, isRequested) => {
    const { record } = readCharge(transaction)
    const { data: complete } = ChargeRequest.safeParse(record.request)
    const people = complete ? peopleOf(complete, fingerprints) : record.people
    const isConcerned = person === 'everybody' || people.some((fingerprint) => person.has(fingerprint))
    if (!isConcerned) return { kind: 'nothing' }
    if (record.phase === 'intended')
      return { kind: 'waits', why: 'the gateway has not accepted or refused it yet' }
    const kept = isRequested ? [] : people
    if (!complete && kept.length === record.people.length) return { kind: 'nothing' }
    return {
      kind: 'masked',
      record: { ...(complete ? erase(record, complete, fingerprints) : record), people: kept },
      isComplete: true,
      redact: (text) => text,
      maskEvent: () => null,
    }
  }
}

function erase(record: ChargeRecord, complete: ChargeRequest, fingerprints: Fingerprints): ChargeRecord {
  const request_digest = fingerprints.of('terms', JSON.stringify(complete))
  return { ...record, request: withoutPayer(complete), request_digest }
}
