/** What is stored of each observation of an airtime request, and which recipients it is an event for. */

import { describe, expect, test } from 'vitest'
import type { Airtime, AirtimeRecord, Recipient } from '../../server/airtime/record.ts'
import type { Observation } from '../../server/airtime/transition.ts'
import type { AirtimeStatus } from '../../server/contract/status.ts'
import { transition } from '../../server/airtime/transition.ts'
import { AirtimeEntry } from '../../server/contract/airtime.ts'
import { airtimeEntry } from '../support/spec-airtime.ts'

const SENT = Date.UTC(2026, 10, 21, 9)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const A = '254700000001'
const B = '254700000002'

const to = (phone_number: string): Recipient => ({
  phone_number,
  amount: '100.00',
  reported: null,
  missing_since: null,
  attention: null,
})
const recipients = [to(A), to(B)]
const intended: AirtimeRecord = {
  phase: 'intended',
  recipients,
  unknown: { times: 0, since: null },
  stuck: null,
}
const accepted: AirtimeRecord = { phase: 'accepted', recipients, settled_at: null }
const rejected = (is_confirmed: boolean): AirtimeRecord => ({
  phase: 'rejected',
  recipients,
  response_description: 'No.',
  is_confirmed,
})

const entry = (phone_number: string, service_status: AirtimeStatus) =>
  AirtimeEntry.parse({ ...airtimeEntry, phone_number, service_status })
const status = (...entries: AirtimeEntry[]): Observation => ({ kind: 'status', entries })
const unknown: Observation = { kind: 'unknown' }
const reject = (isConfirmed: boolean): Observation => ({ kind: 'rejected', why: 'No.', isConfirmed })

function observe(record: AirtimeRecord, observation: Observation, askedAt = SENT + MINUTE, sent = true) {
  const airtime: Airtime = {
    id: 'a',
    kind: 'airtime',
    account: { environment: 'sandbox', base_url: 'https://gateway.example', account_number: 'ACC-001' },
    reference: 'AIRTIME-1',
    group: 'AIRTIME-1',
    attempt: 1,
    version: 2,
    outcome: 'sending',
    record,
    created_at: SENT,
    updated_at: SENT,
    due_at: SENT,
    sent_at: sent ? SENT : null,
    asked_at: null,
    failures: 0,
  }
  const { events, ...rest } = transition(airtime, observation, askedAt)
  return {
    ...rest,
    events: events.map(({ recipient, outcome }) => `${recipient.phone_number} ${outcome}`),
  }
}

function unchanged(record: AirtimeRecord, observation: Observation, askedAt?: number) {
  const result = observe(record, observation, askedAt)
  expect(result).toEqual({ record, events: [], historyEntry: null })
  expect(result.record).toBe(record)
}

describe('an acknowledgement', () => {
  test('accepts or rejects what was not acknowledged', () => {
    expect(observe(intended, { kind: 'accepted' })).toEqual({
      record: accepted,
      events: [],
      historyEntry: 'The gateway accepted it.',
    })
    for (const isConfirmed of [true, false])
      expect(observe(intended, reject(isConfirmed))).toEqual({
        record: rejected(isConfirmed),
        events: isConfirmed ? [`${A} failed`, `${B} failed`] : [],
        historyEntry: 'The gateway rejected it: No.',
      })
  })

  test('changes nothing afterwards', () => {
    for (const record of [accepted, rejected(true), rejected(false)])
      for (const observation of [{ kind: 'accepted' } as const, reject(true)]) unchanged(record, observation)
  })
})

describe('a gateway that does not know it', () => {
  test('is counted, and needs a person for each recipient in the end', () => {
    const once = observe(intended, unknown)
    expect(once).toMatchObject({ record: { unknown: { times: 1, since: SENT } }, events: [] })
    expect(once.historyEntry).not.toBeNull()
    const twice = observe(once.record, unknown)
    const over = observe(twice.record, unknown, SENT + 2 * MINUTE)
    expect(over.events).toEqual([`${A} needs_attention`, `${B} needs_attention`])
    unchanged(over.record, unknown, SENT + DAY)
  })

  test('stores nothing while it was not sent, until a day is over', () => {
    const early = observe(intended, unknown, SENT + DAY - 1, false)
    expect(early.record).toBe(intended)
    const over = observe(intended, unknown, SENT + DAY, false)
    expect(over).toMatchObject({ events: [`${A} needs_attention`, `${B} needs_attention`] })
  })

  test('is believed after two minutes where it was accepted', () => {
    unchanged(accepted, unknown, SENT + 2 * MINUTE - 1)
    const lost = observe(accepted, unknown, SENT + 2 * MINUTE)
    expect(lost).toMatchObject({
      record: { recipients: [{ attention: lost.historyEntry }, { attention: lost.historyEntry }] },
      events: [`${A} needs_attention`, `${B} needs_attention`],
    })
    unchanged(lost.record, unknown, SENT + DAY)
  })

  test('raises no doubt about a recipient that is settled', () => {
    const { record } = observe(accepted, status(entry(A, 602), entry(B, 601)))
    const lost = observe(record, unknown, SENT + DAY)
    expect(lost.record.recipients[0]).toBe(record.recipients[0])
    expect(lost.events).toEqual([`${B} needs_attention`])
    const settled = observe(accepted, status(entry(A, 602), entry(B, 603))).record
    unchanged(settled, unknown, SENT + DAY)
  })

  test('confirms a rejection, once', () => {
    expect(observe(rejected(false), unknown)).toEqual({
      record: rejected(true),
      events: [`${A} failed`, `${B} failed`],
      historyEntry: 'The gateway knows none of it.',
    })
    unchanged(rejected(true), unknown)
  })
})

describe('a status', () => {
  test('accepts what was not acknowledged, with an event for each recipient that ended', () => {
    for (const record of [intended, accepted, rejected(false)])
      expect(observe(record, status(entry(B, 601), entry(A, 602)))).toMatchObject({
        record: {
          phase: 'accepted',
          settled_at: null,
          recipients: [{ reported: { service_status: 602 } }, { reported: { service_status: 601 } }],
        },
        events: [`${A} succeeded`],
        historyEntry: 'The gateway says: 1 pending, 1 succeeded.',
      })
  })

  test('accepts it also while all are pending', () => {
    const all = [
      {
        ...to(A),
        reported: {
          service_status: 601 as const,
          provider_reference: null,
          correlation_id: null,
          message: null,
        },
      },
    ]
    const one = AirtimeEntry.parse({
      phone_number: A,
      amount: 100,
      service_status: 601,
      external_reference: 'AIRTIME-1',
    })
    const same = observe({ ...intended, recipients: all }, status(one))
    expect(same).toMatchObject({ record: { phase: 'accepted' }, historyEntry: expect.any(String) })
  })

  test('settles it when its last recipient is settled, and keeps that time', () => {
    const first = observe(accepted, status(entry(A, 602), entry(B, 604)), SENT + 5)
    expect(first).toMatchObject({
      record: { settled_at: null },
      events: [`${A} succeeded`, `${B} needs_attention`],
      historyEntry: 'The gateway says: 1 succeeded, 1 needs attention.',
    })
    const last = observe(first.record, status(entry(A, 602), entry(B, 603)), SENT + 6)
    expect(last).toMatchObject({ record: { settled_at: SENT + 6 }, events: [`${B} failed`] })
    const later = observe(last.record, status(entry(A, 605), entry(B, 603)), SENT + 7)
    expect(later).toMatchObject({ record: { settled_at: SENT + 6 }, events: [`${A} reversed`] })
  })

  test('that says the same changes nothing', () => {
    const { record } = observe(accepted, status(entry(A, 602), entry(B, 601)))
    unchanged(record, status(entry(A, 602), entry(B, 601)), SENT + DAY)
  })

  test('that leaves a recipient out is stored, for it may be missing', () => {
    const { record, events } = observe(accepted, status(entry(A, 601)), SENT + 9)
    expect(record.recipients[1]).toMatchObject({ missing_since: SENT + 9 })
    expect(events).toEqual([])
    const settled = observe(accepted, status(entry(A, 602), entry(B, 602))).record
    unchanged(settled, status(entry(A, 602)), SENT + DAY)
  })

  test('with a number that nobody requested adds it, once', () => {
    const other = '254700000009'
    const list = status(entry(A, 601), entry(B, 601), entry(other, 602))
    const { record, events } = observe(accepted, list)
    expect(record.recipients).toHaveLength(3)
    expect(record.recipients[2]).toMatchObject({ phone_number: other, amount: null })
    expect(events).toEqual([`${other} needs_attention`])
    unchanged(record, list)
    const known = observe(accepted, status(entry(A, 601), entry(B, 601))).record
    expect(observe(known, list)).toMatchObject({ record: { recipients: [{}, {}, { amount: null }] } })
  })

  test('of what was rejected for good needs a person', () => {
    const result = observe(rejected(true), status(entry(A, 602)))
    expect(result).toMatchObject({
      record: { phase: 'accepted', settled_at: null },
      events: [`${A} needs_attention`, `${B} needs_attention`],
      historyEntry: 'The gateway rejected it, and has it all the same.',
    })
  })
})
