/**
 * A callback is a hint to look, never news: the spec shows no signature, so its body changes nothing. It is read
 * only where the address is the portal's, and then only for whom it is about.
 * It is noted durably before it is acknowledged, so a crash right after the 200 loses nothing. [spec: Events]
 */

import type { Log } from '../log.ts'
import type { MerchantAccount, Store, Transaction } from '../store.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import type { Portal } from './portal.ts'
import type { CallbackTokens } from './token.ts'

type Receipt = 'noted' | 'unknown'

interface ReceiveDeps {
  store: Store
  account: MerchantAccount
  log: Log
  /** What has such callbacks. */
  kinds: readonly Transaction['kind'][]
  /** Where each transaction has an address of its own. */
  tokens?: CallbackTokens
  /** Where the portal's address leads here. */
  portal?: Portal
  synchronizer: Pick<Synchronizer, 'synchronize' | 'requestSync'>
}

/** @throws when the store cannot note it; the gateway is then to deliver it again. */
export type Receive = (token: string, readBody: () => Promise<unknown>) => Promise<Receipt>

const MOST_REMEMBERED = 10_000

export function createReceive(deps: ReceiveDeps): Receive {
  const { store, account, log, kinds, tokens, portal, synchronizer } = deps
  /** Which row a reference is of never changes. */
  const ids = new Map<string, string>()

  return async function receive(token, readBody) {
    const reference = tokens?.read(token) ?? null
    if (reference !== null) return follow(reference)
    if (!portal?.isToken(token)) return 'unknown'
    const named = portal.readReference(await readBody())
    if (named !== null) await follow(named)
    return 'noted'
  }

  async function follow(reference: string): Promise<Receipt> {
    const id = await find(reference)
    if (id === null) return 'unknown'
    const { isNow } = await synchronizer.requestSync(id)
    if (isNow)
      synchronizer
        .synchronize(id, 'hint')
        .catch((error: unknown) => log.error({ id, err: error }, 'A callback could not be followed.'))
    return 'noted'
  }

  /** A thousand recipients of one request are a thousand callbacks, and its row is large. */
  async function find(reference: string): Promise<string | null> {
    const known = ids.get(reference)
    if (known !== undefined) return known
    const found = await Promise.all(kinds.map((kind) => store.findByReference(account, kind, reference)))
    const row = found.find((each) => each !== null)
    if (!row) return null
    if (ids.size >= MOST_REMEMBERED) ids.clear()
    ids.set(reference, row.id)
    return row.id
  }
}
