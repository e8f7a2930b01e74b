/**
 * Receives the gateway's callbacks, and creates their addresses. The spec shows no signature on callbacks. The server
 * therefore accepts only those to an address with a valid token, and none changes a status: it requests a
 * synchronization, which is stored before the 200 response, so that a crash loses nothing. [spec: Events]
 *
 * Some transactions have an address of their own. Besides, the merchant registers addresses in the gateway's merchant
 * portal: payouts, charges and airtime, each a chapter of the spec, need one in each environment of the gateway
 * (sandbox, production). [spec: What the service does, 3: "URL types include one for B2C notifications"; Events:
 * airtime]
 *
 * Requests for airtime and charges have no `callback_url` field, so their callbacks arrive at a registered address.
 * Payout requests have this field, but callbacks for payouts arrive at a registered address if the gateway ignores the
 * field. Only the body of a callback to a registered address is read, for the reference in it.
 *
 * [assumed] A callback to the registered address of a chapter has the body that the spec shows in this chapter, or is a
 * list of such bodies, or has either in its field `data`.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

import { CHAPTERS } from '../api/kinds.ts'
import { firstCharacters } from '../contract/fields.ts'
import { isKeyOf } from '../contract/parse.ts'

import type { Chapter, OwnAddress } from '../api/kinds.ts'
import type { Config } from '../config/config.ts'
import type { Secret, Secrets } from '../config/secret.ts'
import type { Log } from '../log/log.ts'
import type { MerchantAccount, Store, Transaction } from '../store/store.ts'
import type { Kinds } from './kinds.ts'
import type { Synchronizer } from './synchronizer.ts'

/** 128 bits cannot be guessed, and keep the address short. */
const DIGEST_BYTES = 16
const Fields = z.record(z.string(), z.unknown())
/** [assumed] Numbers are as good as digits. */
const Name = z.union([z.string(), z.number().transform(String)]).refine((name) => name !== '')
const ChargeIds = z.object({
  charge_request_id: Name.pipe(z.string().regex(/^[\w-]{1,64}$/)),
})

export function createPortalAddress(
  chapter: Chapter,
  { publicUrl, environment, callbackSecrets }: Pick<Config, 'publicUrl' | 'environment' | 'callbackSecrets'>,
) {
  const tokens = createCallbackTokens('portal', callbackSecrets)
  return {
    url: `${publicUrl}/callbacks/${chapter}/${tokens.create(environment)}`,
    isToken: (token: string) => tokens.read(token) === environment,
    /** Returns the entries in the body of a callback, in its order. */
    readEntries: (received: unknown): PortalEntry[] => readEntries(received, CHAPTERS[chapter].referenceIn),
  }
}

/** One report in the body of a callback to a registered address. */
interface PortalEntry {
  /** The transaction's reference; `null` if the entry contains none. */
  reference: string | null
  /** The gateway's id of a charge; `null` if the entry contains none. */
  charge_request_id: string | null
  /** The names of its fields. */
  fields: string[]
}

function readEntries(received: unknown, referenceIn: readonly string[]): PortalEntry[] {
  if (Array.isArray(received)) {
    return received.flatMap((entry) => readEntries(entry, referenceIn))
  }

  const { data: entry = {} } = Fields.safeParse(received)
  const values = referenceIn.map((field) => Name.safeParse(entry[field]).data)
  const reference = values.find((value) => value !== undefined) ?? null
  const { data: wrapped } = entry
  if (reference === null && typeof wrapped === 'object' && wrapped !== null) {
    return readEntries(wrapped, referenceIn)
  }

  const { charge_request_id = null } = ChargeIds.safeParse(entry).data ?? {}
  return [{ reference, charge_request_id, fields: Object.keys(entry) }]
}

/**
 * Returns functions that create and read tokens. A token consists of the transaction's reference and an HMAC of this
 * reference, and is not stored. In an address that is registered in the merchant portal, the name of the gateway's
 * environment takes the place of the reference. Tokens that were created with a previous key remain valid. A token ends
 * as the name of a file does: frameworks that redirect other paths to one with a slash, which no callback follows, leave
 * it.
 *
 * @param kind The purpose of the tokens. A token for one purpose is invalid for other purposes.
 * @param keys The HMAC keys. Tokens are created with the first key, and accepted with any key.
 */
export function createCallbackTokens(kind: string, keys: Secrets) {
  const digest = (key: Secret, reference: string) =>
    createHmac('sha256', key.reveal())
      .update(`callback:${kind}:${reference}`)
      .digest()
      .subarray(0, DIGEST_BYTES)

  return {
    create: (reference: string) => `${reference}.${digest(keys[0], reference).toString('hex')}`,
    /** Returns the reference in the token; `null` if the token was not created with one of the keys. */
    read(token: string): string | null {
      const dot = token.lastIndexOf('.')
      const reference = token.slice(0, Math.max(dot, 0))
      const received = Buffer.from(token.slice(dot + 1), 'hex')
      const isValid = keys.some((key) => {
        const expected = digest(key, reference)
        return received.length === expected.length && timingSafeEqual(received, expected)
      })
      return reference !== '' && isValid ? reference : null
    },
  }
}

/** `NotStored` lists what a callback names that is not stored; at least one. */
type Receipt = 'accepted' | 'forged' | NotStored[]

/** What a genuine callback says about a transaction that is not stored: its reference, and the gateway's id of a charge. */
export interface NotStored {
  reference: string
  charge_request_id: string | null
}

interface ReceiveDeps {
  config: Pick<Config, 'publicUrl' | 'environment' | 'callbackSecrets'>
  store: Store
  account: MerchantAccount
  synchronizer: Pick<Synchronizer, 'requestSync' | 'applyDecision'>
  kinds: Kinds
  log: Log
  /** The chapters whose callbacks this server receives. */
  chapters: readonly Chapter[]
}

/** The maximum number of characters of the names of fields in a line of the log. */
const MAX_LOGGED = 300

export class Callbacks {
  readonly chapters: readonly Chapter[]
  readonly #deps: ReceiveDeps

  constructor(deps: ReceiveDeps) {
    this.chapters = deps.chapters
    this.#deps = deps
  }

  /** Returns the callback address of a single transaction. */
  urlOf(chapter: OwnAddress, reference: string): string {
    const { publicUrl, callbackSecrets } = this.#deps.config
    const token = createCallbackTokens(CHAPTERS[chapter].tokens, callbackSecrets).create(reference)
    return `${publicUrl}/callbacks/${chapter}/${encodeURIComponent(token)}`
  }

  /**
   * Receives one callback, and requests a synchronization of the transaction.
   *
   * @param token The last segment of the callback's path.
   * @param readBody Returns the parsed body of the callback. Called only for callbacks to the address that is
   * registered in the merchant portal.
   * @returns `accepted` for a callback about stored transactions, or to the registered address about none; `forged` for a
   * token that this server did not create, and for a chapter that it does not receive. Otherwise, names the transactions
   * that are not stored, for example because they were pruned.
   * @throws {StoreError} if the store is unavailable. The gateway then has to deliver the callback again.
   */
  async receive(chapter: string, token: string, readBody: () => Promise<unknown>): Promise<Receipt> {
    const address = this.#readAddress(chapter, token)
    if (address === null) {
      return 'forged'
    }
    if ('reference' in address) {
      return receiptOf([await this.#requestSync(address.chapter, address.reference)])
    }

    const entries = address.portal.readEntries(await readBody())
    this.#logUnnamed(address.chapter, entries)
    // A list may have many entries about one transaction: a request for airtime has one for each recipient.
    const named = new Map(
      entries.flatMap(({ reference, charge_request_id }) =>
        reference === null
          ? []
          : [[JSON.stringify([reference, charge_request_id]), { reference, charge_request_id }] as const],
      ),
    )
    const requested: (NotStored | null)[] = []
    for (const { reference, charge_request_id } of named.values()) {
      requested.push(await this.#requestSync(address.chapter, reference, charge_request_id))
    }
    return receiptOf(requested)
  }

  #logUnnamed(chapter: Chapter, entries: readonly PortalEntry[]): void {
    const unnamed = entries.filter(({ reference }) => reference === null)
    if (unnamed.length === 0) {
      return
    }

    const fields = [...new Set(unnamed.flatMap((entry) => entry.fields))].join(', ')
    this.#deps.log.warn(
      { chapter, entries: unnamed.length },
      `A callback to the registered address of ${chapter} names no reference (${firstCharacters(fields, MAX_LOGGED) || 'no fields'}), and is ignored.`,
    )
  }

  /** Returns whether this server created the address. Reads no store: the transaction may be gone. */
  isAddress(chapter: string, token: string): boolean {
    return this.#readAddress(chapter, token) !== null
  }

  /** Returns what an address names: a transaction, or the bodies of a chapter; `null` if it is forged. */
  #readAddress(chapter: string, token: string) {
    if (!isKeyOf(CHAPTERS)(chapter) || !this.chapters.includes(chapter)) {
      return null
    }

    const { config } = this.#deps
    const { tokens, referenceIn } = CHAPTERS[chapter]
    const reference = tokens && createCallbackTokens(tokens, config.callbackSecrets).read(token)
    if (reference !== null) {
      return { chapter, reference }
    }

    const portal = createPortalAddress(chapter, config)
    return referenceIn.length > 0 && portal.isToken(token) ? { chapter, portal } : null
  }

  /**
   * Requests a synchronization of the transaction. Resolves with its names if it is not stored, and otherwise with `null`.
   *
   * @param charge_request_id The gateway's id in the callback, by which the gateway may be asked; `null` without one.
   */
  async #requestSync(
    chapter: Chapter,
    reference: string,
    charge_request_id: string | null = null,
  ): Promise<NotStored | null> {
    const found = await this.#find(chapter, reference)
    if (found === null) {
      return { reference, charge_request_id }
    }

    const { synchronizer, kinds } = this.#deps
    if (charge_request_id !== null && (found.kind === 'charge' || found.kind === 'checkout')) {
      const observation = { kind: 'named', charge_request_id }
      await synchronizer.applyDecision(kinds.of(found.kind), found.id, observation)
    }

    await synchronizer.requestSync(found.id)
    return null
  }

  /** Resolves with the transaction with this reference; `null` if no transaction has this reference. */
  async #find(chapter: Chapter, reference: string): Promise<Transaction | null> {
    const { store, account } = this.#deps
    const kinds: readonly Transaction['kind'][] = CHAPTERS[chapter].kinds
    const rows = await Promise.all(kinds.map((kind) => store.findByReference(account, kind, reference)))
    return rows.find((row) => row !== null) ?? null
  }
}

function receiptOf(requested: readonly (NotStored | null)[]): Receipt {
  const missing = requested.filter((names) => names !== null)
  return missing.length === 0 ? 'accepted' : missing
}
