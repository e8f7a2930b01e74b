/**
 * Finds which recipient of a request each entry of the gateway's list is about. Pure.
 *
 * The number says so where it is stored. Where it was erased, or cannot be decrypted, its keyed fingerprint does. If the
 * key of the fingerprint is lost, too, because GATEWAY_CONSUMER_SECRET was replaced and its previous value was removed,
 * what remains is the gateway's id of the recipient and the recipient's place in the list.
 *
 * [assumed] The gateway may report a number as it is dialled in its country, one of those that the gateway serves. Such a
 * number is that of the only recipient whose it can be.
 *
 * No number is returned that is not stored: what nobody requested, or cannot be found, is kept without it.
 */

import { compare } from '../contract/decimal.ts'
import { possibleNumbers } from '../contract/phone-number.ts'

import type { AirtimeEntry } from '../contract/airtime.ts'
import type { Fingerprints } from '../privacy/personal.ts'
import type { ReportedEntry } from './entry.ts'
import type { Recipient } from './record.ts'

type Found = Recipient | undefined

/** Adds to each entry the fingerprint of its recipient, or a new one if it is about no stored recipient. */
export function identify(
  entries: readonly AirtimeEntry[],
  recipients: readonly Recipient[],
  fingerprints: Fingerprints,
): ReportedEntry[] {
  const found = findRecipients(entries, recipients, fingerprints)
  return entries.map((entry, index) => {
    const recipient = found[index]
    const isStored = recipient !== undefined && recipient.phone_number !== null
    const fingerprint = recipient?.fingerprint ?? fingerprints.of('phone', entry.phone_number)
    // The message may have the number, too.
    return { ...entry, fingerprint, ...(!isStored && { phone_number: null, message: null }) }
  })
}

/** Returns the recipient of each entry; `undefined` for an entry about no stored recipient. */
function findRecipients(
  entries: readonly AirtimeEntry[],
  recipients: readonly Recipient[],
  fingerprints: Fingerprints,
): Found[] {
  const byNumber = uniqueBy(recipients, ({ phone_number }) => phone_number)
  const erased = recipients.filter(({ phone_number }) => phone_number === null)
  const byFingerprint = uniqueBy(erased, ({ fingerprint }) => fingerprint)
  const keyed = (number: string) => fingerprints.all('phone', number)
  const ofNumber = (number: string): Found =>
    byNumber.get(number) ??
    keyed(number)
      .map((each) => byFingerprint.get(each))
      .find((each) => each)
  const found: Found[] = entries.map(
    ({ phone_number }) => ofNumber(phone_number) ?? onlyOne(possibleNumbers(phone_number).map(ofNumber)),
  )
  const isComplete = () => !found.includes(undefined)

  /** Finds the recipients of the other entries among those whose number is not stored, and who are not found yet. */
  const find = (findIn: (others: Recipient[]) => (entry: AirtimeEntry, index: number) => Found) => {
    const known = new Set(found)
    const others = erased.filter((each) => !known.has(each))
    const findOne = findIn(others)
    for (const [index, entry] of entries.entries()) {
      found[index] ??= findOne(entry, index)
    }
  }

  const requested = recipients.filter(({ amount }) => amount !== null)
  const ofRequest = new Set(requested.map(({ fingerprint }) => fingerprint))
  const isOfRequest = ({ phone_number }: AirtimeEntry) =>
    possibleNumbers(phone_number)
      .flatMap(keyed)
      .some((each) => ofRequest.has(each))
  // All fingerprints of a request have one key. If it is known, a number without a recipient is another's.
  if (isComplete() || entries.some(isOfRequest)) {
    return found
  }

  find((others) => {
    const byId = uniqueBy(others, ({ reported }) => reported?.correlation_id ?? null)
    const listed = uniqueBy(entries, ({ correlation_id }) => correlation_id)
    return (entry) => {
      const { correlation_id: id } = entry
      return id !== null && listed.get(id) === entry ? byId.get(id) : undefined
    }
  })
  if (isInOrder(entries, requested, found)) {
    find(() => (_, index) => requested[index])
  }

  // A recipient whom nobody requested has no amount. The further ones of the list keep their order.
  find((others) => {
    const unrequested = others.filter(({ amount }) => amount === null).values()
    return () => unrequested.next().value
  })
  return found
}

/**
 * Returns whether the list can be the request, one by one: it is as long, no entry is known to be about a recipient at
 * another place, and each other entry has the amount of its place, whose number is not stored.
 *
 * [assumed] The gateway lists the recipients in the order of the request.
 */
function isInOrder(
  entries: readonly AirtimeEntry[],
  requested: readonly Recipient[],
  found: readonly Found[],
): boolean {
  if (entries.length !== requested.length) {
    return false
  }
  return requested.every((recipient, index) => {
    const known = found[index]
    return known ? known === recipient : mayBeAbout(recipient, entries[index])
  })
}

/** Returns whether an entry may be about a recipient whose number is not stored, by the amount alone. */
function mayBeAbout({ phone_number, amount }: Recipient, entry: AirtimeEntry | undefined): boolean {
  if (phone_number !== null || !amount || !entry?.amount) {
    return false
  }
  return compare(amount, entry.amount) === 0
}

/** Returns the recipient who is found, if it is only one. */
function onlyOne(found: readonly Found[]): Found {
  const [first, ...others] = new Set(found.filter((each) => each !== undefined))
  return others.length === 0 ? first : undefined
}

/** Returns the elements by their key. Elements without a key, or with that of another element, are left out. */
function uniqueBy<Element>(
  elements: readonly Element[],
  keyOf: (element: Element) => string | null,
): ReadonlyMap<string, Element> {
  const all = new Map<string, Element>()
  const repeated = new Set<string>()
  for (const element of elements) {
    const key = keyOf(element)
    if (key === null) {
      continue
    }

    if (all.has(key)) {
      repeated.add(key)
    } else {
      all.set(key, element)
    }
  }

  for (const key of repeated) {
    all.delete(key)
  }

  return all
}
