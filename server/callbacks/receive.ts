/**
 * Receives the gateway's callbacks. The spec shows no signature on callbacks, so a callback's body never changes a
 * status: the callback only requests a synchronization. The body is read only at an address registered in the merchant
 * portal, to find the transaction's reference. The requested synchronization is stored before the callback is answered,
 * so a crash after the 200 loses nothing. [spec: Events]
 */

import type { Log } from '../log.ts'
import type { MerchantAccount, Store, Transaction } from '../store.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import type { PortalAddress } from './portal-address.ts'
import type { CallbackTokens } from './token.ts'
import { logError } from '../transactions/report.ts'

type Receipt = 'accepted' | 'unknown'

interface ReceiveDeps {
  store: Store
  account: MerchantAccount
  log: Log
  /** The kinds of transaction that receive callbacks at this address. */
  kinds: readonly Transaction['kind'][]
  /**
   * The functions that create and read the tokens in callback addresses. The field is present only for kinds whose
   * transactions each have their own callback address.
   */
  tokens?: CallbackTokens
  /**
   * The callback address that is registered in the merchant portal. The field is present only for kinds that use one
   * address for all transactions.
   */
  portalAddress?: PortalAddress
  synchronizer: Pick<Synchronizer, 'synchronize' | 'requestSync'>
}

/**
 * Receives one callback, and requests a synchronization of the transaction that the callback is about.
 *
 * @param token The last segment of the callback's path.
 * @param readBody Returns the parsed body of the callback. The function is called only for a token of the portal
 * address.
 * @returns `accepted` once the requested synchronization is stored, and for every callback to the portal address;
 * `unknown` for a token that this server did not create, or whose transaction is not stored.
 * @throws {StoreError} if the store is unavailable. The gateway then has to deliver the callback again.
 */
export type Receive = (token: string, readBody: () => Promise<unknown>) => Promise<Receipt>

/** The maximum number of references whose transaction id is kept in memory. The cache is emptied when it is full. */
const MAX_REMEMBERED = 10_000

export function createReceive(deps: ReceiveDeps): Receive {
  const { store, account, log, kinds, tokens, portalAddress, synchronizer } = deps
  /** The ids of transactions, by reference. The id of a reference never changes, so it can be cached. */
  const ids = new Map<string, string>()

  return async function receive(token, readBody) {
    const reference = tokens?.read(token) ?? null
    if (reference !== null) return requestSync(reference)
    if (!portalAddress?.isToken(token)) return 'unknown'
    const named = portalAddress.readReference(await readBody())
    if (named !== null) await requestSync(named)
    return 'accepted'
  }

  async function requestSync(reference: string): Promise<Receipt> {
    const id = await findId(reference)
    if (id === null) return 'unknown'
    const { isNow } = await synchronizer.requestSync(id)
    if (isNow) {
      synchronizer
        .synchronize(id, 'notified')
        .catch((error: unknown) =>
          logError({ store, log }, id, error, 'The synchronization that a callback requested failed.'),
        )
    }
    return 'accepted'
  }

  /**
   * Returns the id of the transaction with this reference; `null` if there is none. Ids are cached because an airtime
   * request with 1,000 recipients receives 1,000 callbacks, and reading its large row each time would be slow.
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
