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

import type { MerchantAccount, Store, Transaction } from '../store.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import type { PortalAddress } from './portal-address.ts'
import type { CallbackTokens } from './token.ts'

type Receipt = 'accepted' | 'unknown' | 'forged'

interface ReceiveDeps {
  store: Store
  account: MerchantAccount
  /** The kinds of the transactions whose callbacks are received. */
  kinds: readonly Transaction['kind'][]
  /**
   * Reads the tokens in the callback addresses of single transactions. Absent if transactions have no callback
   * addresses of their own.
   */
  tokens?: CallbackTokens
  /**
   * The callback address that is registered in the gateway's merchant portal. Absent if no address has to be
   * registered.
   */
  portalAddress?: PortalAddress
  synchronizer: Pick<Synchronizer, 'requestSync'>
}

/**
 * Receives one callback, and requests a synchronization of the transaction.
 *
 * @param token The last segment of the callback's path.
 * @param readBody Returns the parsed body of the callback. Called only for callbacks to the address that is registered
 * in the merchant portal.
 * @returns `accepted` for every callback to the registered address, and for a token that names a stored transaction;
 * `unknown` for a token that this server created for a transaction that is not stored, for example because it was
 * pruned; `forged` for any other token.
 * @throws {StoreError} if the store is unavailable. The gateway then has to deliver the callback again.
 */
export type Receive = (token: string, readBody: () => Promise<unknown>) => Promise<Receipt>

/** The maximum number of cached transaction ids. A full cache is cleared. */
const MAX_REMEMBERED = 10_000

export function createReceive(deps: ReceiveDeps): Receive {
  const { store, account, kinds, tokens, portalAddress, synchronizer } = deps
  /**
   * A cache of transaction ids by reference. Entries stay valid, because the transaction of a reference never changes.
   */
  const ids = new Map<string, string>()

  return async function receive(token, readBody) {
    const reference = tokens?.read(token) ?? null
    if (reference !== null) return requestSync(reference)
    if (!portalAddress?.isToken(token)) return 'forged'
    const named = portalAddress.readReference(await readBody())
    if (named !== null) await requestSync(named)
    return 'accepted'
  }

  async function requestSync(reference: string): Promise<Receipt> {
    const id = await findId(reference)
    if (id === null) return 'unknown'
    await synchronizer.requestSync(id)
    return 'accepted'
  }

  /**
   * Resolves with the id of the transaction with this reference; `null` if no transaction has this reference. The id is
   * cached, because an airtime request with 1,000 recipients has a large row and causes 1,000 callbacks.
   */
  async function findId(reference: string): Promise<string | null> {
    const cached = ids.get(reference)
    if (cached !== undefined) return cached
    const rows = await Promise.all(kinds.map((kind) => store.findByReference(account, kind, reference)))
    const row = rows.find((each) => each !== null)
    if (!row) return null
    if (ids.size >= MAX_REMEMBERED) ids.clear()
    ids.set(reference, row.id)
    return row.id
  }
}
