/** Compares a merchant's request with the request of a stored or pruned transaction of the same reference. Pure. */

import type { Fingerprints } from '../fingerprints.ts'

/** The data of a merchant's request, or their fingerprint if the data were deleted. */
export type RequestedData = { terms: unknown } | { fingerprint: string }

/** The part of a merchant's request that is kept in the tombstone of the pruned transaction. */
export type Requested = RequestedData & {
  /** Amount and currency, such as "1500 KES". */
  amount: string
}

export function fingerprintOf(requested: RequestedData, fingerprints: Fingerprints): string {
  if ('fingerprint' in requested) return requested.fingerprint
  return fingerprints.of('terms', JSON.stringify(requested.terms))
}

/** Returns whether a request with these terms repeats the stored request. Terms are equal if their JSON is equal. */
export function isRepeatedBy(terms: unknown, stored: RequestedData, fingerprints: Fingerprints): boolean {
  const text = JSON.stringify(terms)
  if ('fingerprint' in stored) return fingerprints.all('terms', text).includes(stored.fingerprint)
  return JSON.stringify(stored.terms) === text
}
