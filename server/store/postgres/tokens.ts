/** Takes tokens from the request budget that all processes of a merchant account share. */

import type { Store } from '../../store.ts'
import type { Database } from './database.ts'
import { z } from 'zod'
import { accountKey } from './rows.ts'
import { STATEMENTS } from './statements.ts'

const TakenRows = z.array(z.object({ taken: z.number() }))

export function createTakeTokens(database: Database): NonNullable<Store['takeTokens']> {
  return async (account, queries, counted, { most, perSecond }) => {
    const key = accountKey(account)
    const values = [key, queries, counted, most.shared, most.reserved, perSecond.shared, perSecond.reserved]
    const take = async () => TakenRows.parse(await database.query(STATEMENTS.takeTokens, values))[0]?.taken
    const taken = await take()
    if (taken !== undefined) return taken
    await database.query(STATEMENTS.openBudget, [key, most.shared, most.reserved])
    return (await take()) ?? 0
  }
}
