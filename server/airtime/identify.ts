/**
 * Finds the recipient of a request to which each entry of the gateway's list belongs. Pure.
 *
 * If the recipient's phone number is stored, the numbers are compared. If the number was erased, or cannot be decrypted,
 * its fingerprint is compared, which is made with a key. If this key is lost, too (GATEWAY_CONSUMER_SECRET was replaced,
 * and its previous value was removed), the gateway's id of the recipient decides, and then the place in the list.
 *
 * [assumed] The gateway may report a number as it is dialled within a country that it serves, such as 0700000001. It then
 * belongs to the only recipient that can have it.
 *
 * Phone numbers that are not stored are not returned either: an entry without a stored recipient loses its number.
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
    // The gateway's message may contain the number.
    return { ...entry, fingerprint, ...(!isStored && { phone_number: null, message: null }) }
  })
}

/** Returns the recipient of each entry; `undefined` for an entry that belongs to none. */
function findRecipients(
  entries: readonly AirtimeEntry[],
  recipients: readonly Recipient[],
  fingerprints: Fingerprints,
): Found[] {
  const byNumber = uniqueBy(recipients, ({ phone_number }) => phone_number)
  const erased = recipients.filter(({ phone_number }) => phone_number === null)
  const byFingerprint = uniqueBy(erased, ({ fingerprint }) => fingerprint)
  const fingerprintsOf = (number: string) => fingerprints.all('phone', number)
  const findByNumber = (number: string): Found =>
    byNumber.get(number) ??
    fingerprintsOf(number)
      .map((fingerprint) => byFingerprint.get(fingerprint))
      .find((recipient) => recipient !== undefined)
  const found: Found[] = entries.map(
    ({ phone_number }) =>
      findByNumber(phone_number) ?? onlyOne(possibleNumbers(phone_number).map(findByNumber)),
  )
  const isComplete = () => !found.includes(undefined)

  /**
   * Finds recipients for the entries that have none yet, among the recipients without a number that are left.
   *
   * @param createFind Returns the function that finds the recipient of an entry among `others`.
   */
  const findMore = (createFind: (others: Recipient[]) => (entry: AirtimeEntry, index: number) => Found) => {
    const known = new Set(found)
    const others = erased.filter((recipient) => !known.has(recipient))
    const findOne = createFind(others)
    for (const [index, entry] of entries.entries()) {
      found[index] ??= findOne(entry, index)
    }
  }

  const requested = recipients.filter(({ amount }) => amount !== null)
  const requestedFingerprints = new Set(requested.map(({ fingerprint }) => fingerprint))
  const isRequested = ({ phone_number }: AirtimeEntry) =>
    possibleNumbers(phone_number)
      .flatMap(fingerprintsOf)
      .some((fingerprint) => requestedFingerprints.has(fingerprint))
  // All fingerprints of a request were made with one key. If one of them is found, the key is known, and an entry without a
  // recipient was not requested.
  if (isComplete() || entries.some(isRequested)) {
    return found
  }

  findMore((others) => {
    const byId = uniqueBy(others, ({ reported }) => reported?.correlation_id ?? null)
    const entryById = uniqueBy(entries, ({ correlation_id }) => correlation_id)
    return (entry) => {
      const { correlation_id: id } = entry
      return id !== null && entryById.get(id) === entry ? byId.get(id) : undefined
    }
  })
  if (isInOrder(entries, requested, found)) {
    findMore(() => (_, index) => requested[index])
  }

  // What is left are entries that were not requested, whose recipients were created from an earlier list, without an
  // amount. They are taken in their order.
  findMore((others) => {
    const unrequested = others.filter(({ amount }) => amount === null).values()
    return () => unrequested.next().value
  })
  return found
}

/**
 * Returns whether each entry can belong to the recipient at the same place in the request: both lists are equally long, no
 * entry belongs to a recipient at another place, and each other entry has the amount of a recipient without a number.
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

/** Returns whether an entry has the amount of a recipient whose number is not stored. */
function mayBeAbout({ phone_number, amount }: Recipient, entry: AirtimeEntry | undefined): boolean {
  if (phone_number !== null || !amount || !entry?.amount) {
    return false
  }
  return compare(amount, entry.amount) === 0
}

/** Returns the recipient if exactly one was found, whatever the number of times. */
function onlyOne(found: readonly Found[]): Found {
  const [first, ...others] = new Set(found.filter((each) => each !== undefined))
  return others.length === 0 ? first : undefined
}

/** Returns the elements by their key, without those that have no key, or share one with another element. */
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
