import { describe, expect, test } from 'vitest'

import { airtimeKind } from '../../../server/airtime/kind.ts'
import { AirtimeEntry } from '../../../server/contract/airtime.ts'
import { FORGOTTEN } from '../../../server/transactions/missing-report.ts'
import { airtimeEntry } from '../../support/spec/airtime.ts'
import {
  createRules,
  DAY,
  MINUTE,
  missedAt,
  overdue,
  rowOf,
  SENT,
  STOOD,
} from '../../support/worlds/observed.ts'

import type { AirtimeRecord, Recipient } from '../../../server/airtime/record.ts'
import type { AirtimeEvent, Observation } from '../../../server/airtime/transition.ts'
import type { AirtimeStatus } from '../../../server/contract/status.ts'

const A = '254700000001'
const B = '254700000002'
const OTHER = '254700000009'

const to = (phone_number: string): Recipient => ({
  phone_number,
  fingerprint: `of ${phone_number}`,
  amount: '100.00',
  reported: null,
  missing_since: null,
  alarm: null,
  resolution: null,
  told: [],
})
const recipients = [to(A), to(B)]
const request_fingerprint = 'of the request'
const intended: AirtimeRecord = {
  phase: 'intended',
  recipients,
  request_fingerprint,
  unknown: { times: 0, since: null },
  stuck: null,
  refused: null,
}
const accepted: AirtimeRecord = { phase: 'accepted', recipients, request_fingerprint, settled_at: null }
const rejected: AirtimeRecord = {
  phase: 'rejected',
  recipients: recipients.map((recipient) => ({ ...recipient, told: ['failed'] })),
  request_fingerprint,
  response_description: 'No.',
  rejected_at: SENT + 2 * MINUTE,
}
const doubted = {
  why: 'The gateway rejected it: No.',
  queries: 3,
  answer: { response_description: 'No.' },
} as const
const doubtful: AirtimeRecord = { ...intended, refused: doubted }

/**
 * Returns an observation with one status for each of the recipients A, B and OTHER, in this order. `null` omits the
 * recipient.
 */
const status = (...statuses: (AirtimeStatus | null)[]): Observation => ({
  kind: 'status',
  entries: statuses.flatMap((service_status, index) =>
    service_status === null ? [] : [entryOf([A, B, OTHER][index] ?? '', service_status)],
  ),
})
const entryOf = (phone_number: string, service_status: AirtimeStatus) => ({
  ...AirtimeEntry.parse({ ...airtimeEntry, phone_number, service_status }),
  fingerprint: `of ${phone_number}`,
})
const unknown: Observation = { kind: 'unknown' }
const accept: Observation = { kind: 'accepted' }
const reject: Observation = { kind: 'rejected', response_description: 'No.' }

const rules = (sent_at: number | null = SENT) =>
  createRules((record: AirtimeRecord) => rowOf('airtime', record, { sent_at }), airtimeKind)
const { observe, expectUnchanged } = rules()
const eventsOf = ({ events }: { events: AirtimeEvent[] }) =>
  events.map(({ recipient, outcome }) => `${recipient.phone_number} ${outcome}`)
const both = (outcome: string) => [`${A} ${outcome}`, `${B} ${outcome}`]

test.each([
  [accept, accepted, [], 'The gateway accepted it.'],
  [reject, doubtful, [], 'The gateway rejected it: No.'],
])('an acknowledgement %j is stored', (observation, record, events, historyEntry) => {
  const result = observe(intended, observation)
  expect(result).toMatchObject({ record, historyEntry })
  expect(eventsOf(result)).toEqual(events)
})

test('an acknowledgement of what is accepted or rejected changes nothing', () => {
  for (const record of [accepted, rejected]) {
    expectUnchanged(record, accept, reject)
  }
})

test('a rejection of a request that needs a person is a line of its history', () => {
  const stuck: AirtimeRecord = { ...intended, stuck: 'It is stuck.' }
  expect(observe(stuck, reject)).toMatchObject({ record: stuck, events: [] })
})

describe('a gateway that does not know the request', () => {
  test('a gateway that does not know the request changes nothing for a day if the request was never sent', () => {
    const unsent = rules(null)
    unsent.expectUnchanged({ ...intended, unknown: { times: 3, since: null } }, unknown)
    expect(eventsOf(unsent.observe(intended, [SENT + DAY - 1, unknown]))).toEqual([])
    expect(eventsOf(unsent.observe(intended, [SENT + DAY, unknown]))).toEqual(both('needs_attention'))
  })

  test('a gateway that does not know the request is believed after two minutes, until it reports the request again', () => {
    const first = observe(accepted, [SENT, unknown])
    expect(first).toMatchObject({ events: [], historyEntry: null })
    expectUnchanged(first.record, [SENT + 2 * MINUTE - 1, unknown])
    const lost = observe(first.record, [SENT + 2 * MINUTE, unknown])
    const alarm = { why: lost.historyEntry, until: 'reported' }
    const asked = { told: ['needs_attention'], missing_since: SENT, alarm }
    expect(lost.record.recipients).toEqual([
      { ...to(A), ...asked },
      { ...to(B), ...asked },
    ])
    expect(eventsOf(lost)).toEqual(both('needs_attention'))
    expectUnchanged(lost.record, [SENT + DAY, unknown])
    expect(eventsOf(observe(lost.record, status(602, 602)))).toEqual(both('succeeded'))
  })

  test('a gateway that does not know the request raises no doubt about a recipient that is settled', () => {
    const { record } = observe(accepted, status(602, 601))
    const lost = observe(record, ...missedAt(SENT + DAY, unknown))
    expect(lost.record.recipients[0]).toMatchObject({ alarm: null })
    expect(eventsOf(lost)).toEqual([`${B} needs_attention`])
    const ended = observe(accepted, status(602, 603)).record
    const forgotten = observe(ended, [SENT + DAY, unknown])
    expect(forgotten).toMatchObject({ events: [], historyEntry: FORGOTTEN })
    expectUnchanged(forgotten.record, [SENT + 2 * DAY, unknown])
  })

  test('a gateway that does not know the request confirms a rejection after three queries and two minutes, once', () => {
    const early = observe(doubtful, unknown, unknown, unknown, [SENT + 2 * MINUTE - 1, unknown])
    expect(early).toMatchObject({ record: { phase: 'intended', refused: doubted }, events: [] })
    expect(observe(doubtful, unknown, [SENT + DAY, unknown]).events).toEqual([])
    const result = observe(early.record, [SENT + 2 * MINUTE, unknown])
    expect(result).toMatchObject({ record: rejected, historyEntry: 'The gateway rejected it: No.' })
    expect(eventsOf(result)).toEqual(both('failed'))
    expectUnchanged(rejected, unknown)
  })
})

describe('a status', () => {
  test.each([intended, accepted, doubtful])(
    'a status of airtime accepts %j, with an event for each that ended',
    (before) => {
      const result = observe(before, status(602, 601))
      expect(result).toMatchObject({
        record: {
          phase: 'accepted',
          settled_at: null,
          recipients: [{ reported: { service_status: 602 } }, { reported: { service_status: 601 } }],
        },
        historyEntry: 'The gateway says: 1 pending, 1 succeeded.',
      })
      expect(eventsOf(result)).toEqual([`${A} succeeded`])
    },
  )

  test('a status acknowledges the request even if the reported statuses are unchanged', () => {
    const pending = observe(accepted, status(601, 601)).record.recipients
    const result = observe({ ...intended, recipients: pending }, status(601, 601))
    expect(result).toMatchObject({ record: { phase: 'accepted' }, historyEntry: expect.any(String) })
  })

  test('a status settles the request with its last recipient, and anew with each new status', () => {
    const jammed = observe(accepted, status(602, 604))
    expect(jammed).toMatchObject({
      record: { settled_at: null },
      historyEntry: 'The gateway says: 1 succeeded, 1 needs attention.',
    })
    const last = observe(jammed.record, [SENT + 6, status(602, 603)])
    expect(last).toMatchObject({ record: { settled_at: SENT + 6 } })
    const reversed = observe(last.record, [SENT + 7, status(605, 603)])
    expect(reversed).toMatchObject({ record: { settled_at: SENT + 7 } })
    expect(eventsOf(last)).toEqual([`${B} failed`])
    expect(eventsOf(reversed)).toEqual([`${A} reversed`])
  })

  test('a recipient who fails again is told of again, and one who is delivered after all needs a person anew', () => {
    const later = [603, 607, 600, 603, 603].map((code) => status(602, code as AirtimeStatus))
    const failed = observe(accepted, ...later)
    const again = [`${B} failed`, `${B} needs_attention`, `${B} failed`]
    expect(eventsOf(failed)).toEqual([`${A} succeeded`, ...again])
    const late = [603, 607, 602].map((code) => status(602, code as AirtimeStatus))
    const news = [`${B} failed`, `${B} needs_attention`, `${B} needs_attention`]
    expect(eventsOf(observe(accepted, ...late))).toEqual([`${A} succeeded`, ...news])
  })

  test.each([603, 604] as const)(
    'a recipient needs a person when the gateway still says %i after 602',
    (after) => {
      const { record, events } = observe(accepted, status(602, 601), [STOOD, status(after, 601)])
      expect(events.map(({ outcome }) => outcome)).toEqual(['succeeded', 'needs_attention'])
      expect(record.recipients[0]).toMatchObject({ alarm: { why: `The gateway says ${after} after 602.` } })
    },
  )

  test('a status of pending recipients needs a person at the last deadline, until they end', () => {
    const { record, events } = observe(accepted, status(602, 601), overdue)
    expect(eventsOf({ events })).toEqual([`${A} succeeded`, `${B} needs_attention`])
    expectUnchanged(record, overdue, status(602, 601))
    expect(eventsOf(observe(record, status(602, 603)))).toEqual([`${B} failed`])
    for (const before of [intended, doubtful]) {
      expect(eventsOf(observe(before, overdue, overdue))).toEqual(both('needs_attention'))
    }

    expectUnchanged(rejected, overdue)
  })

  test('a status without a recipient needs a person after two minutes, until the recipient is listed', () => {
    const { record } = observe(accepted, [SENT, status(601)])
    expect(record.recipients[1]).toEqual({ ...to(B), missing_since: SENT })
    const missing = observe(record, [SENT + 2 * MINUTE, status(601)])
    expect(eventsOf(missing)).toEqual([`${B} needs_attention`])
    expect(eventsOf(observe(missing.record, status(601, 602)))).toEqual([`${B} succeeded`])
    const forgotten = observe(accepted, status(602, 602), ...missedAt(SENT + DAY, status(602)))
    expect(forgotten.events).toHaveLength(2)
  })

  test('a status that lists a recipient twice needs a person', () => {
    const one = status(602)
    const two = status(602)
    const entries = [one, two].flatMap((listed) => (listed.kind === 'status' ? listed.entries : []))
    expect(eventsOf(observe(accepted, { kind: 'status', entries }))).toEqual([`${A} needs_attention`])
  })

  test('a status with a number that nobody requested adds a recipient without it, once', () => {
    for (const before of [accepted, observe(accepted, status(601, 601)).record]) {
      const result = observe(before, status(601, 601, 602))
      expect(result.record.recipients).toMatchObject([{}, {}, { phone_number: null, amount: null }])
      expect(eventsOf(result)).toEqual(['null needs_attention'])
      expectUnchanged(result.record, status(601, 601, 602))
    }
  })

  test('a status of a rejected request needs a person', () => {
    const request_fingerprint = 'of the request'
    const result = observe({ ...rejected, request_fingerprint }, status(602))
    expect(result).toMatchObject({
      record: { phase: 'accepted', settled_at: null, request_fingerprint },
    })
    expect(eventsOf(result)).toEqual(both('needs_attention'))
  })
})
