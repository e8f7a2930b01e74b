/** Tests whether the store can write to disk, and counts the rows of the store. */

import type { MerchantAccount, Countable, Store } from '../../store.ts'
import type { CommitGroup } from './commit-group.ts'
import type { FileCheck } from './file-check.ts'
import type { Statements } from './statements.ts'
import { CountRow } from './rows.ts'

export function createOperations(
  statements: Statements,
  writes: CommitGroup,
  files: FileCheck,
): Pick<Store, 'count' | 'ping'> {
  return {
    count: async (account, what, limit) => countRows(statements, account, what, limit),

    async ping() {
      files.check()
      await writes.add(() => statements.ping.run({}))
    },
  }
}

function countRows(statements: Statements, account: MerchantAccount, what: Countable, limit: number): number {
  return CountRow.parse(count()).waiting

  function count(): unknown {
    switch (what.of) {
      case 'undelivered':
        return statements.countUndelivered.get({ limit })
      case 'outcome':
        return statements.countOutcome.get({ ...account, kind: what.kind, outcome: what.outcome, limit })
      case 'due': {
        const { queue, now } = what
        if (queue === 'transactions') return statements.countDueTransactions.get({ ...account, now, limit })
        return statements.countDueEvents.get({ ...account, isRetry: queue === 'retries' ? 1 : 0, now, limit })
      }
    }
  }
}
