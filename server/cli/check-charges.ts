/**
 * Finds out whether charges work at the gateway, that is, whether the store has a charge that settled because of a
 * status from the gateway. The configuration alone does not show this, because the specification contains neither the
 * paths of charges nor the format of their status.
 */

import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { MerchantAccount, Store } from '../store.ts'
import { readCharge } from '../charges/record.ts'
import { accountOf } from '../engine.ts'
import { CommandFailure } from './exit-code.ts'
import { openConfiguredStore } from './open-store.ts'

/** The outcomes that a status from the gateway causes. A refusal also causes `failed`. */
const ENDS = ['succeeded', 'reversed', 'refunded', 'failed'] as const
/** The maximum number of charges per outcome that are read. */
const MOST_READ = 100

/**
 * Resolves with `true` if a status from the gateway settled a charge of this merchant account. Resolves with `false` if
 * there is no such charge, or if the store cannot be read. Creates no SQLite file.
 */
export async function areChargesProven(config: Config): Promise<boolean> {
  const [, path] = /^sqlite:(.*)$/.exec(config.storeUrl.reveal()) ?? []
  if (path !== undefined && !existsSync(path)) return false
  const store = await openConfiguredStore(config, { isCommand: true }).catch(nullIfUnusable)
  if (!store) return false
  try {
    return await hasEnded(store, accountOf(config))
  } finally {
    await store.close()
  }
}

function nullIfUnusable(error: unknown): null {
  if (error instanceof CommandFailure) return null
  throw error
}

async function hasEnded(store: Store, account: MerchantAccount): Promise<boolean> {
  const rows = await Promise.all(
    ENDS.map((outcome) => store.search(account, 'charge', { outcome, limit: MOST_READ })),
  )
  return rows.flat().some((row) => {
    const { record } = readCharge(row)
    return record.phase === 'posted' && record.settled_at !== null
  })
}
