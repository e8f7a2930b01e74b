import { describe, expect, test } from 'vitest'
import type { Charge } from '../../server/charges/record.ts'
import type { CheckoutPayload } from '../../server/contract/checkout.ts'
import { ChargeRequest } from '../../server/contract/charge.ts'
import { transition } from '../../server/charges/transition.ts'
import { isDueToSend } from '../../server/transactions/submission.ts'
import { determineOutcome } from '../../server/charges/outcome.ts'
import { charge as request } from '../support/spec-charges.ts'

const CREATED = Date.UTC(2026, 10, 21, 9)
const MINUTE = 60_000

/** Stored at nine, and not acknowledged. */
function intended(sent_at: number | null): Charge {
  return {
    id: 'a-charge',
    kind: 'charge',
    account: { environment: 'sandbox', base_url: 'https://gateway.example', account_number: 'ACC-001' },
    reference: request.external_reference,
    group: request.external_reference,
    attempt: 1,
    version: 1,
    outcome: 'sending',
    created_at: CREATED,
    updated_at: CREATED,
    sent_at,
    due_at: null,
    asked_at: null,
    failures: 0,
    record: {
      phase: 'intended',
      request: ChargeRequest.parse(request),
      given_digest: null,
      unknown: { times: 0, since: null },
      stuck: null,
    },
  }
}

/** After so many answers "unknown", the last of them after so many milliseconds. */
function missed(times: number, afterMs: number, sent_at: number | null = CREATED) {
  let charge = intended(sent_at)
  let event: string | null = null
  for (let n = 1; n <= times; n++) {
    const advanced = transition(charge, { kind: 'unknown' }, CREATED + (afterMs * n) / times)
    charge = { ...charge, record: advanced.record }
    event = advanced.events[0] ?? null
  }
  return { ...determineOutcome(charge), event }
}

function isSent({ record, ...row }: Charge, now: number): boolean {
  return record.phase === 'intended' && isDueToSend(row, record, now)
}

describe('a charge that the gateway does not know', () => {
  test.each([
    [1, 10 * MINUTE, 'sending', null],
    [2, 10 * MINUTE, 'sending', null],
    [3, 2 * MINUTE - 1, 'sending', null],
    [3, 2 * MINUTE, 'needs_attention', 'needs_attention'],
    [4, 60 * MINUTE, 'needs_attention', null],
  ])('after %i questions in %i ms is %s', (times, afterMs, outcome, event) => {
    expect(missed(times, afterMs)).toMatchObject({ outcome, settled: false, event })
  })

  test('is never sent again, however long it is missing', () => {
    for (const after of [0, MINUTE, 60 * MINUTE])
      expect(isSent(intended(CREATED), CREATED + after)).toBe(false)
  })
})

describe('a charge that was stored and never sent, because its process ended', () => {
  test('is sent while its payer still expects it', () => {
    expect(isSent(intended(null), CREATED + 2 * MINUTE - 1)).toBe(true)
    expect(isSent(intended(null), CREATED + 2 * MINUTE)).toBe(false)
    expect(missed(1, MINUTE, null)).toMatchObject({ outcome: 'sending', event: null })
  })

  test('has failed after that, and is told as failed', () => {
    expect(missed(1, 2 * MINUTE, null)).toMatchObject({ outcome: 'failed', settled: true, event: 'failed' })
  })
})

test('an answer to the post that comes after the charge was seen still tells its page', () => {
  const charge = intended(CREATED)
  const payload: CheckoutPayload = {
    amount: '0',
    checkout_reference: 'CHK-1',
    currency: 'KES',
    merchant_transaction_id: charge.reference,
    narration: null,
    payments: [],
    status: 803,
    timestamp: null,
  }
  const reported = transition(charge, { kind: 'status', payload }, CREATED)
  const answer = {
    status_code: 176,
    status_description: '',
    charge_request_id: 'CR-1',
    external_reference: charge.reference,
    total_amount: '1500',
    currency_code: 'KES',
    redirect_url: 'https://gateway.example/pay/CHK-1',
  } as const
  const learned = transition({ ...charge, record: reported.record }, { kind: 'posted', answer }, CREATED)
  expect(learned.record).toMatchObject({
    reported: { status: 803 },
    answer: { charge_request_id: 'CR-1', redirect_url: answer.redirect_url },
  })
})
