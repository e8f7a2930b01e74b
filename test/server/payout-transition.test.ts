import { describe, expect, test } from 'vitest'
import type { Observation } from '../../server/payouts/transition.ts'
import type { Payout } from '../../server/payouts/record.ts'
import type { PayoutStatus } from '../../server/contract/status.ts'
import { PayoutRequest, PayoutResult } from '../../server/contract/payout.ts'
import { transition } from '../../server/payouts/transition.ts'
import { isDueToSend } from '../../server/transactions/submission.ts'
import { PAYOUTS } from '../support/payable.ts'

const SENT = Date.UTC(2026, 10, 21, 9)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const STATUSES = [700, 701, 702, 703, 704, 705] as const

/** What follows what, and what the merchant hears of it, as for checkouts. */
const FOLLOWING = {
  //     700          701       702         703       704                705
  700: ['same', 'kept', 'reversed', 'kept', 'kept', 'refunded'],
  701: ['contradiction', 'same', 'kept', 'kept', 'kept', 'refunded'],
  702: ['contradiction', 'kept', 'same', 'kept', 'kept', 'kept'],
  703: ['succeeded', 'failed', 'reversed', 'same', 'needs_attention', 'refunded'],
  704: ['succeeded', 'failed', 'reversed', 'silent', 'same', 'refunded'],
  705: ['contradiction', 'kept', 'kept', 'kept', 'kept', 'same'],
} as const satisfies Record<PayoutStatus, readonly string[]>
const PAIRS = STATUSES.flatMap((before) =>
  STATUSES.map((after, column) => [before, after, FOLLOWING[before][column] ?? ''] as const),
)

const request = PayoutRequest.parse({
  ...PAYOUTS.local,
  callback_url: 'http://127.0.0.1:4020/callbacks/payouts/x',
})

function intended(): Payout {
  return {
    id: 'a-payout',
    kind: 'payout',
    account: { environment: 'sandbox', base_url: 'https://gateway.example', account_number: 'ACC-001' },
    reference: 'P-1',
    group: 'P-1',
    attempt: 1,
    version: 1,
    outcome: 'sending',
    created_at: SENT,
    updated_at: SENT,
    sent_at: SENT,
    due_at: null,
    asked_at: null,
    failures: 0,
    record: {
      phase: 'intended',
      submission: { variant: 'local', request },
      unknown: { times: 0, since: null },
      stuck: null,
    },
  }
}

function acknowledged(response_code: 720 | 721 | 722 | 723, error_code: string | null = null): Observation {
  return {
    kind: 'acknowledged',
    answer: { payout_reference: 'P-1', response_code, response_description: '', error_code },
  }
}

function status(payment_status: PayoutStatus, fields: object = {}): Observation {
  const data = { payment_status, amount: '1000.00', currency: 'KES', ...fields }
  return {
    kind: 'status',
    reported: {
      variant: 'local',
      result: PayoutResult.parse({ payout_reference: 'P-1', destination: 'MOBILE', data }),
    },
  }
}

const unknown: Observation = { kind: 'unknown' }

/** What was told, and where it ended; each observation a minute after the one before, or at its own time. */
function live(observations: (Observation | [at: number, Observation])[], begin: Payout = intended()) {
  let payout = begin
  const told: string[] = []
  const whats: (string | null)[] = []
  for (const [index, entry] of observations.entries()) {
    const [at, observation] = Array.isArray(entry) ? entry : [SENT + (index + 1) * MINUTE, entry]
    const { record, events, historyEntry } = transition(payout, observation, at)
    payout = { ...payout, record }
    told.push(...events)
    whats.push(historyEntry)
  }
  return { payout, record: payout.record, told, whats }
}

function isResent({ record, ...row }: Payout, now: number): boolean {
  return record.phase === 'intended' && isDueToSend(row, record, now)
}

describe('what follows what', () => {
  test.each(PAIRS)('%i, then %i: %s', (before, after, follows) => {
    const first = live([acknowledged(720), status(before)])
    const { told, record } = live([status(after)], first.payout)
    const reported =
      record.phase === 'accepted' && record.reported?.variant === 'local' ? record.reported.result.data : null
    const isKept = ['kept', 'contradiction', 'same'].includes(follows)
    expect(reported?.payment_status).toBe(isKept ? before : after)
    if (follows === 'contradiction') expect(told).toEqual(['needs_attention'])
    else expect(told).toEqual(['kept', 'same', 'silent'].includes(follows) ? [] : [follows])
  })
})

describe('an acknowledgement', () => {
  test.each([
    [720, null, 'accepted', []],
    [722, null, 'accepted', []],
    [721, 'DUPLICATE_IGNORED', 'accepted', []],
    [721, 'INSUFFICIENT_BALANCE', 'rejected', ['failed']],
    [721, null, 'rejected', ['failed']],
    [723, null, 'intended', []],
  ] as const)('%i %s leaves it %s', (code, error_code, phase, events) => {
    const { record, told } = live([acknowledged(code, error_code)])
    expect(record.phase).toBe(phase)
    expect(told).toEqual(events)
  })

  test.each(['INVALID_ACCESS_TOKEN', 'UNAUTHORIZED', 'FAILED'])(
    'of what was sent again says nothing of the first by %s',
    (error_code) => {
      const asked = live([unknown, unknown, unknown]).payout
      const resent = { ...asked, sent_at: SENT + 4 * MINUTE }
      const { record, told } = live([acknowledged(721, error_code)], resent)
      expect([record.phase, told]).toEqual(['intended', []])
    },
  )

  test('that rejects what was sent again is doubted when the gateway has it after all', () => {
    const asked = live([unknown, unknown, unknown]).payout
    const resent = { ...asked, sent_at: SENT + 4 * MINUTE }
    const { told } = live([acknowledged(721, 'INSUFFICIENT_BALANCE'), status(700)], resent)
    expect(told).toEqual(['failed', 'needs_attention'])
  })
})

describe('a gateway that does not know it', () => {
  test('right after it was accepted is not believed', () => {
    expect(live([acknowledged(720), [SENT + MINUTE, unknown]]).told).toEqual([])
  })

  test('later needs a person, once, and is over when it knows it again', () => {
    const { told, record } = live([
      acknowledged(720),
      [SENT + HOUR, unknown],
      [SENT + 2 * HOUR, unknown],
      status(700),
    ])
    expect(told).toEqual(['needs_attention', 'succeeded'])
    expect(record).toMatchObject({ contradiction: null })
  })

  test('is asked three times over two minutes before it is sent again', () => {
    const twice = live([unknown, unknown]).payout
    expect(isResent(twice, SENT + HOUR)).toBe(false)
    const thrice = live([unknown, unknown, unknown]).payout
    expect(isResent(thrice, SENT + 2 * MINUTE - 1)).toBe(false)
    expect(isResent(thrice, SENT + 2 * MINUTE)).toBe(true)
    expect(isResent({ ...thrice, sent_at: SENT + HOUR }, SENT + 2 * HOUR)).toBe(false)
  })

  test('is sent to no more after a day, and a person is told', () => {
    const { payout, told } = live([
      unknown,
      unknown,
      unknown,
      [SENT + 24 * HOUR, unknown],
      [SENT + 25 * HOUR, unknown],
    ])
    expect(told).toEqual(['needs_attention'])
    expect(isResent(payout, SENT + 48 * HOUR)).toBe(false)
  })
})

describe('a payout that is not the one asked for', () => {
  test.each([
    ['another amount', { amount: '100' }],
    ['another currency', { currency: 'UGX' }],
    ['another recipient', { recipient_phone_number: '254700000002' }],
  ])('by %s needs a person, once', (_, fields) => {
    const { told, record } = live([acknowledged(722), status(700, fields), status(700, fields)])
    expect(told).toEqual(['needs_attention'])
    expect(record).toMatchObject({ phase: 'accepted', reported: null })
  })

  test.each([
    { recipient_phone_number: '2547****001' },
    { recipient_phone_number: null },
    { currency: null },
  ])('cannot be told by what is masked or left out: %o', (fields) => {
    expect(live([acknowledged(720), status(700, fields)]).told).toEqual(['succeeded'])
  })
})
