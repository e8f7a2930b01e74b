/**
 * Receives the gateway's callbacks. The spec shows no signature on callbacks. The server therefore accepts only those to
 * an address with a valid token (`callback-address.ts`), and none changes a status: it requests a synchronization, which
 * is stored before the 200 response, so that a crash loses nothing. [spec: Events]
 *
 * Only the body of a callback to a registered address is read, for the reference in it. [assumed] A callback to the
 * registered address of a chapter has the body that the spec shows in this chapter, or is a list of such bodies, or has
 * either in its field `data`.
 */

import { z } from 'zod'

import { CHAPTERS } from '../api/kind-table.ts'
import { firstCharacters } from '../contract/text.ts'
import { createOwnAddress, readAddress } from './callback-address.ts'

import type { Chapter, OwnAddress } from '../api/kind-table.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../log/log.ts'
import type { MerchantAccount } from '../store/merchant-account.ts'
import type { Store } from '../store/store.ts'
import type { Transaction } from '../store/transactions.ts'
import type { Kinds } from './kinds.ts'
import type { Synchronizer } from './synchronizer.ts'

const Fields = z.record(z.string(), z.unknown())
/** [assumed] Numbers are as good as digits. */
const Name = z.union([z.string(), z.number().transform(String)]).refine((name) => name !== '')
const ChargeIds = z.object({
  charge_request_id: Name.pipe(z.string().regex(/^[\w-]{1,64}$/)),
})

/** What became of a callback. `NotStored` lists what it names that is not stored; at least one. */
type CallbackResult = 'accepted' | 'forged' | NotStored[]

/** What a genuine callback says about a transaction that is not stored: its reference, and the gateway's id of a charge. */
export interface NotStored {
  reference: string
  charge_request_id: string | null
}

interface ReceiveDeps {
  config: Pick<Config, 'publicUrl' | 'environment' | 'callbackSecrets'>
  store: Store
  account: MerchantAccount
  synchronizer: Pick<Synchronizer, 'requestSync' | 'applyWithoutQuery'>
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
    return createOwnAddress(chapter, reference, this.#deps.config)
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
  async receive(chapter: string, token: string, readBody: () => Promise<unknown>): Promise<CallbackResult> {
    const address = readAddress(chapter, token, this.#deps)
    if (address === null) {
      return 'forged'
    }
    if (address.reference !== null) {
      return resultOf([await this.#requestSync(address.chapter, address.reference)])
    }

    const entries = readEntries(await readBody(), CHAPTERS[address.chapter].referenceIn)
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
    return resultOf(requested)
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
    return readAddress(chapter, token, this.#deps) !== null
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
      await synchronizer.applyWithoutQuery(kinds.of(found.kind), found.id, observation)
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

function resultOf(requested: readonly (NotStored | null)[]): CallbackResult {
  const missing = requested.filter((names) => names !== null)
  return missing.length === 0 ? 'accepted' : missing
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
