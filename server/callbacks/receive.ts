/**
 * Receives the gateway's callbacks. The spec shows no signature on callbacks. A callback therefore never changes a
 * status: it only requests a synchronization.
 *
 * The callback address of a single transaction contains the transaction's reference. A callback to the address that is
 * registered in the gateway's merchant portal contains the reference in its body. The body of any other callback is not
 * read.
 *
 * The server stores the requested synchronization before the 200 response, so that a crash after the response loses
 * nothing. [spec: Events]
 */

import type { Config } from '../config/config.ts'
import type { MerchantAccount, Store, Transaction } from '../store/store.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import type { Chapter, OwnAddress } from '../api/kinds.ts'
import { CHAPTERS, isChapter } from '../api/kinds.ts'
import { createCallbackTokens, createPortalAddress } from './addresses.ts'

type Receipt = 'accepted' | 'unknown' | 'forged'

interface ReceiveDeps {
  config: Pick<Config, 'publicUrl' | 'environment' | 'callbackSecrets'>
  store: Store
  account: MerchantAccount
  synchronizer: Pick<Synchronizer, 'requestSync'>
}

/** The maximum number of cached transaction ids. A full cache is cleared. */
const MAX_REMEMBERED = 10_000

export class Callbacks {
  readonly chapters = Object.keys(CHAPTERS)
  readonly #deps: ReceiveDeps
  /**
   * A cache of transaction ids by chapter and reference. Entries stay valid, because the transaction of a reference never
   * changes.
   */
  readonly #ids = new Map<string, string>()

  constructor(deps: ReceiveDeps) {
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
   * @param readBody Returns the parsed body of the callback. Called only for callbacks to the address that is registered
   * in the merchant portal.
   * @returns `accepted` for every callback to the registered address, and for a token that names a stored transaction;
   * `unknown` for a token that this server created for a transaction that is not stored, for example because it was
   * pruned; `forged` for any other token, and for an unknown chapter.
   * @throws {StoreError} if the store is unavailable. The gateway then has to deliver the callback again.
   */
  async receive(chapter: string, token: string, readBody: () => Promise<unknown>): Promise<Receipt> {
    if (!isChapter(chapter)) return 'forged'
    const { config } = this.#deps
    const { tokens, referenceIn } = CHAPTERS[chapter]
    const reference = tokens && createCallbackTokens(tokens, config.callbackSecrets).read(token)
    if (reference !== null) return this.#requestSync(chapter, reference)
    const portalAddress = createPortalAddress(chapter, config)
    if (referenceIn.length === 0 || !portalAddress.isToken(token)) return 'forged'
    const named = portalAddress.readReference(await readBody())
    if (named !== null) await this.#requestSync(chapter, named)
    return 'accepted'
  }

  async #requestSync(chapter: Chapter, reference: string): Promise<Receipt> {
    const id = await this.#findId(chapter, reference)
    if (id === null) return 'unknown'
    await this.#deps.synchronizer.requestSync(id)
    return 'accepted'
  }

  /**
   * Resolves with the id of the transaction with this reference; `null` if no transaction has this reference. The id is
   * cached, because an airtime request with 1,000 recipients has a large row and causes 1,000 callbacks.
   */
  async #findId(chapter: Chapter, reference: string): Promise<string | null> {
    const key = `${chapter} ${reference}`
    const cached = this.#ids.get(key)
    if (cached !== undefined) return cached
    const { store, account } = this.#deps
    const kinds: readonly Transaction['kind'][] = CHAPTERS[chapter].kinds
    const rows = await Promise.all(kinds.map((kind) => store.findByReference(account, kind, reference)))
    const row = rows.find((each) => each !== null)
    if (!row) return null
    if (this.#ids.size >= MAX_REMEMBERED) this.#ids.clear()
    this.#ids.set(key, row.id)
    return row.id
  }
}
