/**
 * Makes failed status queries due earlier when the gateway is available again. Makes failed deliveries due earlier when
 * the merchant's backend is available again.
 */

import type { Store } from '../../store.ts'
import type { CommitGroup } from './commit-group.ts'
import type { prepareStatements } from './statements.ts'

/** The maximum number of deliveries that one commit makes due earlier. */
const HASTENED_AT_ONCE = 2_000

/** @param changed Called after `hastenQueries` has changed transactions. The ids of these transactions are unknown. */
export function createHastening(
  { hasFailedQueries, hastenQueries, hastenRetries }: ReturnType<typeof prepareStatements>,
  writes: CommitGroup,
  changed: () => void,
): Pick<Store, 'hastenQueries' | 'hastenRetries'> {
  return {
    async hastenQueries(account, now, limit) {
      const hastened = await writes.add(() =>
        hasFailedQueries.get({ ...account, now }) ? hastenQueries.run({ ...account, now, limit }).changes : 0,
      )
      if (hastened > 0) changed()
      return Number(hastened)
    },
    async hastenRetries(account, now, spreadMs) {
      const hasten = () => hastenRetries.run({ ...account, now, spreadMs, limit: HASTENED_AT_ONCE }).changes
      while ((await writes.add(hasten)) === HASTENED_AT_ONCE);
    },
  }
}
