/** Makes the row of a new transaction. A transaction is stored before it is sent. */

import { newTraceId } from '../http/exchange.ts'
import { NEVER_ASKED } from '../store/transactions.ts'
import { nextLookAt } from './schedule.ts'

import type { MerchantAccount } from '../store/merchant-account.ts'
import type { NewTransaction } from '../store/transactions.ts'
import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'

interface NewTransactionDeps {
  account: MerchantAccount
  clock: Clock
  randomness: Randomness
}

/** By default, `id` and `trace_id` are random, `group` is the reference, and `attempt` is 1. */
interface NewValues
  extends
    Pick<NewTransaction, 'kind' | 'reference'>,
    Partial<Pick<NewTransaction, 'id' | 'group' | 'attempt' | 'trace_id' | 'prompt'>> {
  record: object
}

/** Returns the row of a new transaction that has not been sent. */
export function newTransaction(
  { account, clock, randomness }: NewTransactionDeps,
  values: NewValues,
): NewTransaction {
  const { kind, reference, group = reference, attempt = 1, record, prompt } = values
  const now = clock.now()
  return {
    id: values.id ?? randomness.token(),
    account,
    kind,
    reference,
    group,
    attempt,
    outcome: kind === 'checkout' ? 'waiting' : 'sending',
    record,
    trace_id: values.trace_id ?? newTraceId(randomness),
    created_at: now,
    sent_at: null,
    due_at: nextLookAt({ stage: 'unacknowledged', since: now }, NEVER_ASKED, now),
    ...(prompt && { prompt }),
  }
}
