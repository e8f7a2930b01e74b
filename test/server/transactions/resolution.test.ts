import { describe, expect, test } from 'vitest'

import { airtimeKind } from '../../../server/airtime/kind.ts'
import { determineOutcome as outcomeOfRecipient } from '../../../server/airtime/record.ts'
import { chargeKind } from '../../../server/charges/kind.ts'
import { determineOutcome as outcomeOfCharge, withoutPayer } from '../../../server/charges/record.ts'
import { checkoutKind } from '../../../server/checkouts/kind.ts'
import { determineOutcome, moneyOfCheckout } from '../../../server/checkouts/record.ts'
import { AirtimeEntry } from '../../../server/contract/airtime.ts'
import { ChargeRequest } from '../../../server/contract/charge.ts'
import { UNREPORTED } from '../../../server/payins/record.ts'
import { SERVED } from '../../../server/payins/service-confirmation.ts'
import { UNDECIDED } from '../../../server/transactions/kind.ts'
import { FORGOTTEN } from '../../../server/transactions/missing-report.ts'
import { airtimeEntry } from '../../support/spec/airtime.ts'
import { charge as direct } from '../../support/spec/charges.ts'
import { createRules, DAY, MINUTE, missedAt, rowOf, SENT, STOOD } from '../../support/worlds/observed.ts'
import {
  checkoutOf,
  checkoutRules,
  INTENDED,
  LAST,
  OPEN,
  PAID,
  PART,
  PROMPT as prompt,
  REFERENCE,
  statusOf as status,
  WITH_SPLITS as shared,
} from '../../support/worlds/open-checkout.ts'

import type { AirtimeRecord, Recipient } from '../../../server/airtime/record.ts'
import type { ChargeRecord, OpenCharge } from '../../../server/charges/record.ts'
import type { Observation } from '../../../server/checkouts/transition.ts'
import type { AirtimeStatus } from '../../../server/contract/status.ts'
import type { Says } from '../../../server/transactions/resolution.ts'

const RESOLVED_AT = SENT + DAY
const resolved = (says: Says, part: string | null = null) =>
  ({ kind: 'resolved', resolution: { says, by: 'Asha', note: 'Ticket 1.', at: RESOLVED_AT }, part }) as const

type Timed = Observation | [askedAt: number, Observation | ReturnType<typeof resolved>]
const other = status(801, [{ status: 700, account: 'ACC-009' }])
const decided: Observation = { kind: 'decided', decision: SERVED }
const unknown: Observation = { kind: 'unknown', at: null }

describe('a checkout that a person resolved', () => {
  const { observe, expectUnchanged } = checkoutRules
  const stuck = { ...INTENDED, stuck: 'It is stuck.' }
  const outcomeOf = (record: Parameters<typeof checkoutOf>[0]) => determineOutcome(checkoutOf(record)).outcome

  test('a checkout that nobody has to check cannot be resolved', () => {
    for (const record of [OPEN, INTENDED, observe(OPEN, status(801, PAID)).record]) {
      expectUnchanged(record, resolved('not_paid'))
    }
  })

  test('a resolved checkout stays as it is while the gateway repeats what it said', () => {
    const { record } = observe(OPEN, other, resolved('paid'))
    expect(outcomeOf(record)).toBe('paid')
    expectUnchanged(record, other)
  })

  test('a resolved checkout stays as it is while the gateway repeats its contradiction', () => {
    const contradicted: Timed[] = [status(801, PAID), [STOOD, status(803, [])]]
    const { record } = observe(OPEN, ...contradicted, resolved('paid'))
    expectUnchanged(record, status(803, []))
    const returned = observe(record, status(801, PAID))
    expect(returned).toMatchObject({ events: [], record: { resolution: null, alarm: null } })
  })

  test('a resolved checkout needs a person again if the gateway returns to what it contradicted, and this is otherwise', () => {
    const contradicted: Timed[] = [status(801, PAID), [STOOD, status(803, [])]]
    const { record } = observe(OPEN, ...contradicted, resolved('not_paid'))
    expectUnchanged(record, status(803, []))
    expect(observe(record, status(801, PAID)).events).toEqual(['needs_attention'])
  })

  test('counts by what the gateway says next, if this is neither of what it contradicted itself with', () => {
    const contradicted: Timed[] = [status(801, PAID), [STOOD, status(803, [])]]
    const { record } = observe(OPEN, ...contradicted, resolved('not_paid'))
    const flying = observe(record, [RESOLVED_AT, status(803, [{ status: 703 }])])
    expect(flying.record).toMatchObject({ resolution: null, reported: { status: 803 } })
    expect(moneyOfCheckout(checkoutOf(flying.record))).toMatchObject({ in_flight: true })
    expectUnchanged(observe(record, [RESOLVED_AT, status(820, [])]).record, [RESOLVED_AT, status(820, [])])
    expect(observe(record, [RESOLVED_AT, status(802, PART)]).events).toContain('needs_attention')
  })

  test('can be resolved as it was before, against what the gateway says, and stays so', () => {
    const { record } = observe(OPEN, other, resolved('not_paid'), [RESOLVED_AT, status(801, PAID)])
    expect(record).toMatchObject({ resolution: null, alarm: { until: 'resolved' } })
    const again = observe(record, resolved('not_paid')).record
    expectUnchanged(again, [RESOLVED_AT + DAY, status(801, PAID)])
  })

  test('in flight is open, and ends by time as any pay-in', () => {
    const stuckThere = status(850, [{ status: 704 }])
    const { record } = observe(OPEN, stuckThere, resolved('not_paid'))
    const flying = observe(record, [SENT + 3 * MINUTE, status(851, [{ status: 703 }])])
    expect(outcomeOf(flying.record)).toBe('pending')
    expect(observe(flying.record, [LAST, status(851, [{ status: 703 }])]).events).toEqual(['review'])
  })

  test('needs a person again if the gateway reports other money than before', () => {
    const { events, record } = observe(OPEN, other, resolved('paid'), [RESOLVED_AT, status(801, PART)])
    expect(events).toEqual(['review', 'resolved', 'needs_attention', 'review'])
    expect(record).toMatchObject({ resolution: null, alarm: { why: expect.stringContaining('Asha') } })
  })

  test('a resolved checkout that ended before the gateway knew it causes no second event when the gateway agrees', () => {
    const declined = status(803, [{ status: 701 }])
    const { events, record } = observe({ ...stuck, prompt }, resolved('not_paid'), declined)
    expect(events).toEqual(['resolved'])
    expect(record).toMatchObject({ phase: 'open', resolution: null })
    expect(outcomeOf(record)).toBe('unpaid')
  })

  test('a resolved checkout has one history entry when the gateway no longer knows it', () => {
    const { record } = observe(OPEN, other, resolved('not_paid'))
    const missing = observe(record, [RESOLVED_AT, unknown])
    expect(missing).toMatchObject({ events: [], historyEntry: null })
    const forgotten = observe(missing.record, [RESOLVED_AT + DAY, unknown])
    expect(forgotten).toMatchObject({ events: [], historyEntry: FORGOTTEN })
    expect(observe(forgotten.record, [RESOLVED_AT + 2 * DAY, unknown])).toMatchObject({ historyEntry: null })
  })

  test('a resolved checkout sends no decision that the gateway has not answered, and a later one at once', () => {
    const contradicted: Timed[] = [status(801, PAID), decided, [STOOD, status(803, [])]]
    const { record } = observe(shared, ...contradicted, resolved('paid'))
    const withdrawn = { stage: 'refused', message: expect.stringContaining('A person resolved it') }
    expect(record).toMatchObject({ confirmation: { payments: [withdrawn] } })
    expect(checkoutKind.progressOf(checkoutOf(record))).toEqual({ stage: 'settled', at: RESOLVED_AT })
    const again = observe(record, [RESOLVED_AT, decided])
    expect(checkoutKind.progressOf(checkoutOf(again.record))).toMatchObject({ stage: 'confirming' })
  })

  test('a resolved checkout is not confirmed, also when the gateway agrees', () => {
    const { record } = observe(shared, other, resolved('paid'), status(801, PAID))
    expect(record).toMatchObject({
      resolution: null,
      alarm: null,
      confirmation: { payments: [{ stage: 'open' }] },
    })
  })
})

describe('a charge that a person resolved', () => {
  const open: OpenCharge = {
    phase: 'open',
    request: withoutPayer(ChargeRequest.parse(direct)),
    given_digest: 'given',
    narration: null,
    people: [],
    told: [],
    resolution: null,
    named_id: null,
    answer: null,
    answered_at: SENT,
    ...UNREPORTED,
    confirmation: UNDECIDED,
  }
  const charge = (record: ChargeRecord) => rowOf('charge', record, { reference: REFERENCE })
  const { observe } = createRules(charge, chargeKind)
  const lost = observe(open, ...missedAt(SENT + 3 * MINUTE, unknown)).record

  test('a charge resolved as not paid needs a person when there is money, whatever its terms are', () => {
    const { events, record } = observe(lost, resolved('not_paid'), [RESOLVED_AT, other])
    expect(events).toEqual(['resolved', 'needs_attention'])
    expect(outcomeOfCharge(charge(record))).toMatchObject({ outcome: 'needs_attention', settled: false })
  })

  test('a charge resolved as paid after it had failed is not late any more', () => {
    const late = [status(820, []), status(801, PAID), resolved('paid')]
    const { events, record } = observe(open, ...late, [RESOLVED_AT, status(801, [...PAID, { status: 701 }])])
    expect(events).toEqual(['failed', 'needs_attention', 'resolved'])
    expect(outcomeOfCharge(charge(record))).toMatchObject({ outcome: 'succeeded', settled: true })
  })
})

describe('a recipient that a person resolved', () => {
  const PHONE = '254700000001'
  const recipient: Recipient = {
    phone_number: PHONE,
    fingerprint: PHONE,
    amount: '100.00',
    reported: null,
    missing_since: null,
    alarm: null,
    resolution: null,
    told: [],
  }
  const accepted: AirtimeRecord = {
    phase: 'accepted',
    recipients: [recipient],
    request_fingerprint: 'of the request',
    settled_at: null,
  }
  const { observe, expectUnchanged } = createRules(
    (record: AirtimeRecord) => rowOf('airtime', record),
    airtimeKind,
  )

  const listed = (service_status: AirtimeStatus, fields: object = {}) => {
    const entry = AirtimeEntry.parse({ ...airtimeEntry, phone_number: PHONE, service_status, ...fields })
    return { kind: 'status', entries: [{ ...entry, fingerprint: PHONE }] } as const
  }

  const outcomesOf = (...observations: Parameters<typeof observe>[1][]) => {
    const { events, record } = observe(accepted, ...observations)
    return [
      ...events.map(({ outcome }) => outcome),
      outcomeOfRecipient(record, record.recipients[0]!).outcome,
    ]
  }

  test('a recipient whom nobody has to check, or who is not in the list, cannot be resolved', () => {
    expectUnchanged(accepted, resolved('paid', PHONE))
    const { record } = observe(accepted, listed(604))
    expectUnchanged(record, resolved('paid', '254700000009'))
    expectUnchanged(record, resolved('paid'))
  })

  test('a resolved recipient needs nobody when the gateway agrees, whatever was to be checked', () => {
    const news = ['needs_attention', 'resolved', 'succeeded']
    const wrong = listed(601, { amount: '1.00' })
    expect(outcomesOf(wrong, resolved('paid', PHONE), listed(602))).toEqual(news)
    const late = [listed(603), listed(607), resolved('paid', PHONE), listed(602)]
    expect(outcomesOf(...late)).toEqual(['failed', ...news])
    const contradicted: Parameters<typeof outcomesOf> = [
      listed(602),
      [STOOD, listed(603)],
      resolved('returned', PHONE),
      listed(606),
    ]
    expect(outcomesOf(...contradicted)).toEqual(['succeeded', ...news.slice(0, 2), 'refunded'])
  })

  test('a resolved recipient needs a person again for another reason than before', () => {
    const wrong = listed(602, { amount: '1.00' })
    const { record } = observe(accepted, wrong, resolved('paid', PHONE))
    expectUnchanged(record, wrong)
    const other = listed(602, { amount: '2.00' })
    const outcomes = outcomesOf(wrong, resolved('paid', PHONE), other)
    expect(outcomes).toEqual(['needs_attention', 'resolved', 'needs_attention', 'needs_attention'])
  })
})
