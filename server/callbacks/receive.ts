/**
 * Receives callbacks. The spec shows no signature, so a callback's body never changes a status: it only requests a
 * synchronization. The body is read only at a portal address, for the reference of its transaction.
 * The request is stored before the callback is answered, so a crash after the 200 loses nothing. [spec: Events]
 */

import type { Log } from '../log.ts'
import type { MerchantAccount, Store, Transaction } from '../store.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import type { PortalAddress } from './portal-address.ts'
import type { CallbackTokens } from './token.ts'

type Receipt = 'accepted' | 'unknown'

interface ReceiveDeps {
  store: Store
  account: MerchantAccount
  log: Log
  /** Kinds of transaction that get callbacks at this address. */
  kinds: readonly Transaction['kind'][]
  /** Where each transaction has its own address. */
  tokens?: CallbackTokens
  /** Where the address is registered in the merchant portal. */
  portalAddress?: PortalAddress
  synchronizer: Pick<Synchronizer, 'synchronize' | 'requestSync'>
}

/**
 * @returns `unknown` for a token that is not ours, or that names no stored transaction.
 * @throws when the store fails; the gateway then has to deliver the callback again.
 */
export type Receive = (token: string, readBody: () => Promise<unknown>) => Promise<Receipt>

/** References whose row is kept in memory. */
const MAX_REMEMBERED = 10_000

export function createReceive(deps: ReceiveDeps): Receive {
  const { store, account, log, kinds, tokens, portalAddress, synchronizer } = deps
  /** Row ids by reference. A reference never moves to another row. */
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
          log.error({ id, err: error }, 'The synchronization that a callback requested failed.'),
        )
    }
    return 'accepted'
  }

  /** An airtime request with a thousand recipients gets a thousand callbacks, and its row is large. */
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
