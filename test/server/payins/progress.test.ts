import { expect, test } from 'vitest'

import { payInProgress } from '../../../server/payins/progress.ts'
import { rowOf, SENT } from '../../support/worlds/observed.ts'

import type { PaymentConfirmation } from '../../../server/transactions/kind.ts'

function decided(payment_id: string, decided_at: number): PaymentConfirmation {
  const decision = { status: 'SUCCESSFUL', narration: 'Served.', payment_id } as const
  return { stage: 'decided', decision, decided_at, sent_at: decided_at, unanswered: 1 }
}

test('of several decisions without an answer, the first one determines when a person is called', () => {
  const payments = [decided('1', SENT + 1_000), decided('2', SENT), decided('3', SENT + 2_000)]
  const record = {
    confirmation: { accepted: null, payments },
    reported: null,
    alarm: null,
    resolution: null,
    settled_at: null,
    answered_at: SENT,
  }
  expect(payInProgress(record, rowOf('charge', {}), SENT)).toMatchObject({ stage: 'confirming', since: SENT })
})
