/**
 * Keeps the personal data of a record apart from it in the store, encrypted (AES-256-GCM), with `null` in their places: the
 * names, numbers and texts of people, and the addresses to which they return, in which a shop may have written any of these.
 * Nobody reads them in the database, its write-ahead log or a backup, and they are erased without the record (when:
 * `transactions/retention.ts`). Code sees the whole record.
 *
 * Also computes fingerprints (HMAC-SHA-256), which share only the secret with the encryption. A fingerprint is stored
 * in place of a phone number, an e-mail address or a request, to recognize the same data later. Nobody without the key
 * can find a phone number by computing the fingerprints of all phone numbers. The references of checkouts are such
 * digests, too.
 */

import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto'
import { z } from 'zod'

import { deriveKey } from '../config/secret.ts'
import { referenceKey } from '../contract/comparison-keys.ts'
import { parseJson } from '../contract/parse.ts'
import { readPhoneNumber } from '../contract/phone-number.ts'
import { readEmail, withoutInvisible } from '../contract/text.ts'

import type { Secrets } from '../config/secret.ts'
import type { Sealed } from '../store/retention.ts'
import type { Store } from '../store/store.ts'
import type { Transaction } from '../store/transactions.ts'
import type { Randomness } from '../work/randomness.ts'

export type Sealer = ReturnType<typeof createSealer>

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
/** A sealed text begins with as many characters of a digest of its key. */
const KEY_ID_LENGTH = 8

/**
 * Returns functions that encrypt and decrypt personal data. Their keys are derived from GATEWAY_CONSUMER_SECRET.
 *
 * @param secrets The current and the previous value of GATEWAY_CONSUMER_SECRET. `seal` uses the current value.
 */
export function createSealer(secrets: Secrets, randomness: Pick<Randomness, 'token'>) {
  const keys = new Map(secrets.map((secret) => keyOf(secret)))
  const [currentId, current] = keyOf(secrets[0])

  return {
    /** The beginnings of texts that were sealed with an earlier value. */
    earlierIds: [...keys.keys()].filter((id) => id !== currentId),
    seal(personal: unknown): string {
      const iv = Buffer.from(randomness.token(), 'base64url').subarray(0, IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, current, iv)
      const text = Buffer.concat([cipher.update(JSON.stringify(personal)), cipher.final()])
      return currentId + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
    },
    /** Returns the personal data; `null` if the text was encrypted with another key or was changed. */
    open(sealed: string): unknown {
      const key = keys.get(sealed.slice(0, KEY_ID_LENGTH))
      const text = key ? decrypt(Buffer.from(sealed.slice(KEY_ID_LENGTH), 'base64url'), key) : ''
      return parseJson(text) ?? null
    },
  }
}

function keyOf(secret: Secrets[number]): [id: string, key: Buffer] {
  const key = deriveKey(secret, 'personal data')
  return [idOf(key), key]
}

/** Returns the beginning of a digest of a key, by which data of an earlier key are recognized. */
function idOf(key: Buffer): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, KEY_ID_LENGTH)
}

/** Returns the decrypted text; an empty text if it was changed. */
function decrypt(bytes: Buffer, key: Buffer): string {
  const ivEnd = IV_BYTES
  const tagEnd = IV_BYTES + TAG_BYTES
  if (bytes.length < tagEnd) {
    return ''
  }

  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, ivEnd), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(ivEnd, tagEnd))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString()
  } catch {
    return ''
  }
}

/**
 * Why a stored request is not sent. A checkout or a charge is then refused, because nobody can have paid it: it was
 * never sent, or nobody has seen its hosted page. A payout or airtime is still unsent, and sent once it can be decrypted.
 */
export const CANNOT_OPEN =
  'The request cannot be decrypted: GATEWAY_CONSUMER_SECRET was replaced, and GATEWAY_CONSUMER_SECRET_PREVIOUS is not its earlier value.'

/** What the log says of a transaction whose personal data cannot be decrypted. */
export const CANNOT_DECRYPT =
  'Personal data cannot be decrypted: GATEWAY_CONSUMER_SECRET was replaced, and GATEWAY_CONSUMER_SECRET_PREVIOUS is not its earlier value. Set it to that value and restart the server. The data are kept until then.'

/**
 * The places of personal data in the records of all kinds; `*` is each element of a list. Schemas of records take
 * `null` in these places: code reads `null` there if the data were erased, or cannot be decrypted.
 */
const PLACES = [
  'call.request',
  'response_description',
  'reported.result',
  'recipients.*.phone_number',
  'recipients.*.reported.message',
  'narration',
  'requested.narration',
  'visit.return_url',
  'visit.links',
  'link.answer',
].map((place) => place.split('.'))

/** Personal data by their places, such as `recipients.3.phone_number`. */
type Personal = Record<string, unknown>
const Personal = z.record(z.string(), z.unknown())

/** Returns the record with `null` in the places of personal data, and the personal data. */
export function separatePersonal(record: unknown): { record: unknown; personal: Personal } {
  const personal: Personal = {}

  const take = (place: string, value: unknown) => {
    personal[place] = value
    return null
  }

  return { record: PLACES.reduce((kept, path) => replaceIn(kept, path, [], take), record), personal }
}

function joinPersonal(record: unknown, personal: Personal): unknown {
  const put = (place: string) => personal[place] ?? null
  return PLACES.reduce((whole, path) => replaceIn(whole, path, [], put), record)
}

/**
 * Returns a copy of the value whose parts at a place are replaced, if it has this place.
 *
 * @param outer The keys that lead to the value.
 */
function replaceIn(
  value: unknown,
  [key, ...inner]: readonly string[],
  outer: readonly string[],
  replace: (place: string, value: unknown) => unknown,
): unknown {
  if (key === undefined) {
    return value === undefined ? value : replace(outer.join('.'), value)
  }
  if (key === '*' && Array.isArray(value)) {
    return value.map((each, index) => replaceIn(each, inner, [...outer, String(index)], replace))
  }
  if (!isObject(value) || !(key in value)) {
    return value
  }
  return { ...value, [key]: replaceIn(value[key], inner, [...outer, key], replace) }
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/**
 * Returns the store whose methods take and return whole records.
 *
 * @param onUnreadable Called with a transaction whose personal data cannot be decrypted, once in this process.
 */
export function withPersonal(
  store: Store,
  sealer: Sealer,
  onUnreadable: (row: Transaction) => void = () => {},
): Store {
  /** Cache of whole records. The key is the record object that the store was given, or has returned. */
  const records = new WeakMap<object, unknown>()
  /**
   * Cache of opened rows. An unchanged row that the store keeps in memory is one object. Opened, it stays one too,
   * because what is derived from it (the parsed record, the view as text) is cached by the object.
   */
  const openedRows = new WeakMap<Transaction, Transaction>()
  /**
   * The ids of transactions whose personal data could not be decrypted. A commit keeps these data as they are stored;
   * an erasure deletes them. Only the end of the process forgets an id: a commit would otherwise overwrite the data.
   */
  const unreadable = new Set<string>()
  return {
    ...store,
    insert: (...rows) => store.insert(...rows.map((row) => ({ ...row, ...stored(row.record) }))),
    async commit(id, revision, change) {
      const { record, personal } = stored(change.record)
      const sealed = unreadable.has(id) ? { record } : { record, personal }
      const isRecord = change.record !== undefined
      const saved = await store.commit(id, revision, isRecord ? { ...change, ...sealed } : change)
      return saved && open(saved)
    },
    erase: (id, revision, { record, movements }, ...events) =>
      store.erase(id, revision, { ...stored(record), ...(movements && { movements }) }, ...events),
    find: async (id) => openFound(await store.find(id)),
    findByReference: async (...args) => openFound(await store.findByReference(...args)),
    list: async (...args) => (await store.list(...args)).map(open),
    search: async (...args) => (await store.search(...args)).map(open),
    claimTransactions: async (...args) => (await store.claimTransactions(...args)).map(open),
    listEnded: async (...args) => (await store.listEnded(...args)).map(open),
    async findMentioning(...args) {
      const { rows, next } = await store.findMentioning(...args)
      return { rows: rows.map(open), next }
    },
  }

  /** Returns what is stored of a whole record. */
  function stored(whole: unknown): { record: unknown; personal: string | null } {
    const { record, personal } = separatePersonal(whole)
    if (isObject(record)) {
      records.set(record, whole)
    }

    const isEmpty = Object.values(personal).every((value) => value === null || isEmptyList(value))
    return { record, personal: isEmpty ? null : sealer.seal(personal) }
  }

  function openFound(row: Transaction | null): Transaction | null {
    return row && open(row)
  }

  function open(row: Transaction): Transaction {
    const { record, personal } = row
    if (personal === null || !isObject(record)) {
      return row
    }

    const earlier = openedRows.get(row)
    if (earlier) {
      return earlier
    }

    const opened = { ...row, record: records.get(record) ?? openRecord(row, record, personal) }
    openedRows.set(row, opened)
    return opened
  }

  function openRecord(row: Transaction, record: object, personal: string): unknown {
    const { id } = row
    const { success, data = {} } = Personal.safeParse(sealer.open(personal))
    if (!success && !unreadable.has(id)) {
      unreadable.add(id)
      onUnreadable(row)
    }

    const whole = joinPersonal(record, data)
    records.set(record, whole)
    return whole
  }
}

/**
 * Encrypts texts anew that an earlier key has encrypted. Resolves with their number. A text that cannot be decrypted,
 * because it was changed, stays as it is.
 */
export async function reseal(
  store: Pick<Store, 'reseal'>,
  sealer: Sealer,
  texts: readonly Sealed[],
): Promise<number> {
  let count = 0
  for (const old of texts) {
    const personal = sealer.open(old.personal)
    if (personal === null) {
      continue
    }

    await store.reseal(old, sealer.seal(personal))
    count += 1
  }

  return count
}

/**
 * What a value is. The same text has a different fingerprint for each purpose: `phone` is a phone number, `email` an
 * e-mail address, `phone_ends` the last four digits of a phone number, `account` the number of a bank account or a
 * business, `network` the network of a client, `terms` a merchant's request as JSON, `attempt` an attempt of an order
 * (`checkouts/references.ts`), `link` a name of an order of a link (`links/orders.ts`), and `order` the text by which a
 * page names an order.
 */
export type Purpose =
  | 'phone'
  | 'phone_ends'
  | 'email'
  | 'account'
  | 'network'
  | 'terms'
  | 'attempt'
  | 'link'
  | 'order'

/** The payer's details in a request to the gateway. */
export interface PayerDetails {
  payer_name?: string | undefined
  payer_email?: string | undefined
  payer_msisdn?: string | undefined
}

export type Fingerprints = ReturnType<typeof createFingerprints>

const FINGERPRINT_BYTES = 16

/** @param secrets The current and the previous value of GATEWAY_CONSUMER_SECRET, from which the keys are derived. */
export function createFingerprints(secrets: Secrets) {
  const keys = secrets.map((secret) => deriveKey(secret, 'fingerprints'))
  const current = deriveKey(secrets[0], 'fingerprints')
  const keyIds = keys.map(idOf)

  /** Returns the fingerprint to be stored: 22 characters. */
  const of = (purpose: Purpose, value: string) => fingerprint(current, purpose, value)

  let ends: Map<string, string> | null = null

  /**
   * Returns the last four digits of the phone number with this fingerprint of them; `null` if another key made it. They
   * are so few that whoever has the key finds them, and so none are stored to be told.
   */
  function endsOf(print: string): string | null {
    ends ??= new Map(
      Array.from({ length: 10_000 }, (_, number) => String(number).padStart(4, '0')).flatMap((digits) =>
        keys.map((key): [string, string] => [fingerprint(key, 'phone_ends', digits), digits]),
      ),
    )
    return ends.get(print) ?? null
  }

  return {
    of,
    endsOf,
    /** The id of the key with which `of` computes. */
    keyId: idOf(current),
    /** The ids of the keys with which `all` computes. */
    keyIds,
    /** Returns the fingerprints of the payer's phone number and e-mail address. */
    ofPayer: ({ payer_msisdn: phone, payer_email: email }: PayerDetails): string[] => [
      ...(phone === undefined ? [] : [of('phone', phone)]),
      ...(email === undefined ? [] : [of('email', email)]),
    ],
    /**
     * Returns the fingerprints that may be stored for a value: one with the current value of GATEWAY_CONSUMER_SECRET,
     * and one with its previous value.
     */
    all: (purpose: Purpose, value: string) => keys.map((key) => fingerprint(key, purpose, value)),
  }
}

function fingerprint(key: Buffer, purpose: Purpose, value: string): string {
  const text = `${purpose}:${NORMALIZED[purpose]?.(value) ?? value}`
  return createHmac('sha256', key).update(text).digest().subarray(0, FINGERPRINT_BYTES).toString('base64url')
}

/** Converts different spellings of the same value to one text. */
const NORMALIZED: Partial<Record<Purpose, (value: string) => string>> = {
  phone: (value) => readPhoneNumber(value, null) ?? value.replace(/\D/g, ''),
  email: (value) => readEmail(value).toLowerCase(),
  order: referenceKey,
  account: (value) => withoutInvisible(value.replaceAll(/[\s+\p{Dash}]/gu, '')).toUpperCase(),
}
