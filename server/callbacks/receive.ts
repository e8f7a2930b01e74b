/**
 * A callback is a hint to look, never news: the spec shows no signature, so its body is not even read.
 * It is noted durably before it is acknowledged, so a crash right after the 200 loses nothing. [spec: Events]
 */

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Home, Store, Transaction } from '../store.ts'
import type { Door } from '../transactions/door.ts'
import type { CallbackTokens } from './token.ts'

export type Receipt = 'noted' | 'unknown'

export interface ReceiveDeps {
  store: Store
  home: Home
  clock: Clock
  log: Log
  kind: Transaction['kind']
  tokens: CallbackTokens
  door: Pick<Door, 'refresh'>
}

/** @throws when the store cannot note it; the gateway is then to deliver it again. */
export function createReceive(deps: ReceiveDeps): (token: string) => Promise<Receipt> {
  const { store, home, clock, log, kind, tokens, door } = deps

  return async function receive(token) {
    const reference = tokens.read(token)
    const transaction = reference === null ? null : await store.findByReference(home, kind, reference)
    if (!transaction) return 'unknown'
    const { id } = transaction
    await note(id)
    door
      .refresh(id, 'hint')
      .catch((error: unknown) => log.error({ id, err: error }, 'A callback could not be followed.'))
    return 'noted'
  }

  /** Makes it due now, unless it is already. When somebody else saves first, they have just looked: try again. */
  async function note(id: string): Promise<void> {
    for (;;) {
      const row = await store.find(id)
      const now = clock.now()
      if (!row || (row.due_at !== null && row.due_at <= now)) return
      if (await store.commit(id, row.version, { at: now, due_at: now })) return
    }
  }
}
