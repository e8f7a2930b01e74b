/** Brings failed queries and deliveries forward when the gateway or the merchant's backend is back. */

import type { Store } from '../../store.ts'
import type { CommitGroup } from './commit-group.ts'
import type { prepareStatements } from './statements.ts'

/** How many deliveries one commit brings forward. */
const HASTENED_AT_ONCE = 2_000

/** @param changed Called when rows were changed whose ids are not known. */
export function createHastening(
  { hastenQueries, hastenRetries }: ReturnType<typeof prepareStatements>,
  writes: CommitGroup,
  changed: () => void,
): Pick<Store, 'hastenQueries' | 'hastenRetries'> {
  return {
    async hastenQueries(account, now, limit) {
      const hastened = await writes.add(() => hastenQueries.run({ ...account, now, limit }).changes)
      changed()
      return Number(hastened)
    },
    async hastenRetries(account, now, spreadMs) {
      const hasten = () => hastenRetries.run({ ...account, now, spreadMs, limit: HASTENED_AT_ONCE }).changes
      while ((await writes.add(hasten)) === HASTENED_AT_ONCE);
    },
  }
}
