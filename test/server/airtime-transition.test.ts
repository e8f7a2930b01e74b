import { describe, expect, test } from 'vitest'
import type { AirtimeStatus } from '../../server/contract/status.ts'
import type { Observation } from '../../server/airtime/transition.ts'
import type { Airtime } from '../../server/airtime/record.ts'
import { AirtimeEntry } from '../../server/contract/airtime.ts'
import { AIRTIME_STATUS } from '../../server/contract/status.ts'
import { transition } from '../../server/airtime/transition.ts'
import { determineOutcome } from '../../server/airtime/outcome.ts'
import { FOLLOWS } from '../../server/airtime/recipient-transition.ts'
import { airtimeEntry } from '../support/spec-airtime.ts'

const SENT = Date.UTC(2026, 10, 21, 9)
const MINUTE = 60_000
const STATUSES = Object.values(AIRTIME_STATUS)
const PAIRS = STATUSES.flatMap((before) => STATUSES.map((after) => [before, after] as const))

/** One recipient, sent and never acknowledged. */
const sent: Airtime = {
  id: 'a',
  kind: 'airtime',
  account: { environment: 'sandbox', base_url: 'https://gateway.example', account_number: 'ACC-001' },
  reference: 'AIRTIME-1',
  group: 'AIRTIME-1',
  attempt: 1,
  version: 2,
  outcome: 'sending',
  record: {
    phase: 'intended',
    recipients: [
      {
        phone_number: '254700000001',
        amount: '100.00',
        reported: null,
        missing_since: null,
        attention: null,
      },
    ],
    unknown: { times: 0, since: null },
    stuck: null,
  },
  created_at: SENT,
  updated_at: SENT,
  due_at: SENT,
  sent_at: SENT,
  asked_at: null,
  failures: 0,
}

const status = (service_status: AirtimeStatus, fields: object = {}): Observation => ({
  kind: 'status',
  entries: [AirtimeEntry.parse({ ...airtimeEntry, service_status, ...fields })],
})

/** What was told, and where it ended; each observation a minute after the one before. */
function live(...observations: Observation[]) {
  let airtime = sent
  const told: string[] = []
  for (const [index, observation] of observations.entries()) {
    const { record, events } = transition(airtime, observation, SENT + (index + 1) * MINUTE)
    airtime = { ...airtime, record, version: airtime.version + 1 }
    told.push(...events.map(({ outcome }) => outcome))
  }
  const [recipient] = airtime.record.recipients
  return {
    told,
    record: airtime.record,
    recipient,
    outcome: recipient && determineOutcome(airtime.record, recipient).outcome,
  }
}

describe('what follows what', () => {
  test.each(PAIRS)('%i, then %i', (before, after) => {
    const first = live({ kind: 'accepted' }, status(before))
    const both = live({ kind: 'accepted' }, status(before), status(after))
    const follows = before === after || FOLLOWS[before].includes(after)
    const comesAfterAll = !follows && before !== 602 && (after === 602 || after === 607)
    expect(both.recipient?.reported?.service_status).toBe(follows ? after : before)
    if (comesAfterAll) expect(both.recipient?.attention).toBe(`The gateway says ${after} after ${before}.`)
    else expect(both.recipient?.attention).toBeNull()
    // An outcome is told when it is news, and never twice.
    expect(both.told.slice(0, first.told.length)).toEqual(first.told)
    expect(both.told.length - first.told.length).toBeLessThanOrEqual(1)
    expect(new Set(both.told).size).toBe(both.told.length)
  })

  test('a doubt is over when the gateway says again what it said', () => {
    const { told, outcome } = live({ kind: 'accepted' }, status(603), status(602), status(603))
    expect([told, outcome]).toEqual([['failed', 'needs_attention', 'failed'], 'failed'])
  })
})

describe('what is not as it was asked', () => {
  test.each([
    ['another amount', [{ amount: 99 }], 'The gateway has 99 where 100.00 was asked.'],
    ['the same number twice', [{}, {}], 'The gateway has it more than once.'],
  ])('%s', (_, fields, attention) => {
    const entries = fields.map((more) => AirtimeEntry.parse({ ...airtimeEntry, ...more }))
    const { told, recipient } = live({ kind: 'accepted' }, { kind: 'status', entries })
    expect([told, recipient?.attention]).toEqual([['needs_attention'], attention])
  })

  test('an amount that is written otherwise is the same', () => {
    expect(live({ kind: 'accepted' }, status(602, { amount: '100.000' })).told).toEqual(['succeeded'])
  })

  test('a rejection is doubted when the gateway has it after all', () => {
    const rejected = { kind: 'rejected', why: 'No.', isConfirmed: true } as const
    expect(live(rejected, status(601)).told).toEqual(['failed', 'needs_attention'])
    // Before it was told, the reference had simply been used before.
    expect(live({ ...rejected, isConfirmed: false }, status(602)).told).toEqual(['succeeded'])
    expect(live({ ...rejected, isConfirmed: false }, { kind: 'unknown' }).told).toEqual(['failed'])
  })

  test('what was acknowledged and is no longer known needs a person, once, until it is known again', () => {
    const unknown: Observation = { kind: 'unknown' }
    const { told } = live({ kind: 'accepted' }, unknown, unknown, unknown, status(602))
    expect(told).toEqual(['needs_attention', 'succeeded'])
  })
})
