import { describe, expect, test } from 'vitest'

import { createUnrequested, applyEntry as report } from '../../../server/airtime/entry.ts'
import { determineOutcome, isSettled, outcomeOf, summarise } from '../../../server/airtime/record.ts'
import { readRecipients } from '../../../server/airtime/submit.ts'
import { MAX_ERRORS } from '../../../server/api/refusal.ts'
import { AirtimeEntry } from '../../../server/contract/airtime.ts'
import { airtimeEntry } from '../../support/spec/airtime.ts'
import { codes } from '../../support/spec/shapes.ts'

import type { AirtimeRecord, Recipient } from '../../../server/airtime/record.ts'
import type { AirtimeStatus } from '../../../server/contract/status.ts'
import type { Alarm } from '../../../server/transactions/alarm.ts'

const PHONE = '254700000001'
const HEARD = 1_000_000
const LAG_MS = 120_000

const requested: Recipient = {
  phone_number: PHONE,
  fingerprint: PHONE,
  amount: '100.00',
  reported: null,
  missing_since: null,
  alarm: null,
  resolution: null,
  told: [],
}

const entry = (fields: object = {}) => {
  const parsed = AirtimeEntry.parse({ ...airtimeEntry, ...fields })
  return { ...parsed, fingerprint: parsed.phone_number }
}

/** The recipient after a report that arrives at the time of the first one. */
const applyEntry = (
  recipient: Recipient,
  of: Parameters<typeof report>[1],
  repeats: Parameters<typeof report>[2],
) => report(recipient, of, repeats, HEARD)
const delivered = applyEntry(requested, entry(), [])
const of = (service_status: AirtimeStatus) => applyEntry(requested, entry({ service_status }), [])
const accepted = (...recipients: Recipient[]): AirtimeRecord => ({
  phase: 'accepted',
  recipients,
  request_fingerprint: '',
  settled_at: null,
})
const intended = (stuck: string | null): AirtimeRecord => ({
  phase: 'intended',
  recipients: [requested],
  request_fingerprint: '',
  unknown: { times: 0, since: null },
  stuck,
  refused: null,
})
const rejected: AirtimeRecord = {
  phase: 'rejected',
  recipients: [requested],
  request_fingerprint: '',
  response_description: 'No.',
  rejected_at: 0,
}

describe('a list of recipients', () => {
  test('a list of recipients is read in the form of the gateway, amounts exact to a hundredth', () => {
    const others = [
      { phone_number: '254700000002', amount: '0.10' },
      { phone_number: '254700000003', amount: '1.50' },
    ]
    expect(readRecipients([{ phone_number: '+254 700 000 001', amount: 100 }, ...others])).toEqual({
      recipients: [{ phone_number: PHONE, amount: '100' }, ...others],
      errors: [],
    })
  })

  test('a list of recipients is refused with a message for every error', () => {
    expect(
      readRecipients([
        { phone_number: PHONE, amount: '1.005' },
        'nobody',
        { phone_number: '+254700000001', amount: '1' },
        { phone_number: PHONE, amount: '1' },
        { phone_number: 'x', amount: '0' },
      ]),
    ).toMatchObject({
      errors: [
        { path: 'recipients[0].amount', message: 'must have at most 2 fraction digits in KES' },
        { path: 'recipients[1]', message: 'must be an object' },
        { path: 'recipients[2].phone_number', message: 'is the same as recipients[0]' },
        { path: 'recipients[3].phone_number', message: 'is the same as recipients[0]' },
        { path: 'recipients[4].phone_number', message: expect.any(String) },
        { path: 'recipients[4].amount', message: expect.any(String) },
      ],
    })
  })

  test('a list of recipients has amounts exact to a hundredth where the local currency is unknown', () => {
    const read = (amount: string) => readRecipients([{ phone_number: '4915112345678', amount }])
    expect(read('1.50')).toHaveProperty('recipients.length', 1)
    const rule = 'must have at most 2 fraction digits'
    for (const amount of ['1.505', '25.000']) {
      expect(read(amount)).toMatchObject({ errors: [{ path: 'recipients[0].amount', message: rule }] })
    }
  })

  test('a list of recipients is read until there are more errors than an answer names', () => {
    const given = Array(MAX_ERRORS + 9).fill('nobody')
    expect(readRecipients(given)).toHaveProperty('errors.length', MAX_ERRORS + 1)
  })
})

describe("an entry of the gateway's list", () => {
  test("an entry of the gateway's list is kept without its numbers", () => {
    const { provider_reference, correlation_id, message } = entry()
    const kept = { provider_reference, correlation_id, message }
    const reported = {
      since: HEARD,
      service_status: 602,
      ...kept,
      difference: null,
      paid: '100',
      returned: '0',
    }
    expect(delivered).toEqual({ ...requested, reported })
  })

  test("an entry of the gateway's list without news changes nothing, even with another notation of the amount", () => {
    for (const amount of [100, '100.000']) {
      expect(applyEntry(delivered, entry({ amount }), [])).toBe(delivered)
    }

    const other = applyEntry(delivered, entry({ message: 'Done.' }), [])
    expect(other).toMatchObject({ reported: { message: 'Done.' } })
  })

  test.each([{ amount: '1,000' }, { service_status: 999 }])(
    "an entry of the gateway's list with %j needs a person until it is readable",
    (wrong) => {
      for (const before of [requested, delivered]) {
        const unread = applyEntry(before, entry(wrong), [])
        expect(determineOutcome(accepted(unread), unread).outcome).toBe('needs_attention')
        expect(applyEntry(unread, entry(), [])).toEqual(delivered)
      }

      const stranger = createUnrequested(entry({ ...wrong, phone_number: '254700000009' }), HEARD)
      expect(determineOutcome(accepted(stranger), stranger).outcome).toBe('needs_attention')
    },
  )

  test.each(['1,000', '0', null])('that failed needs no amount: %j', (amount) => {
    const failed = applyEntry(requested, entry({ amount, service_status: 603 }), [])
    expect(determineOutcome(accepted(failed), failed)).toMatchObject({ outcome: 'failed', settled: true })
  })

  test("an entry of the gateway's list ends an alarm that it resolves, and no other", () => {
    const alarmed = (until: Alarm['until']) => ({ ...delivered, alarm: { why: 'It is in doubt.', until } })
    for (const until of ['reported', 'settled'] as const) {
      expect(applyEntry(alarmed(until), entry(), [])).toEqual(delivered)
    }

    const standing = alarmed('returned')
    expect(applyEntry(standing, entry(), [])).toBe(standing)
    expect(applyEntry(standing, entry({ service_status: 606 }), [])).toEqual(of(606))
  })

  test.each([
    ['The gateway has it more than once: 602, 601.', {}, [entry({ service_status: 601 })]],
    ['The gateway has 99 where 100.00 was asked.', { amount: 99 }, []],
  ])('that contradicts what was asked needs a person, once for each status: %s', (why, fields, repeats) => {
    const attentionOf = (recipient: Recipient) => determineOutcome(accepted(recipient), recipient).attention
    const doubted = applyEntry(delivered, entry(fields), repeats)
    expect(doubted).toMatchObject({ reported: { service_status: 602, difference: why }, alarm: null })
    expect(attentionOf(doubted)).toBe(`${why} Its status is 602.`)
    expect(applyEntry(doubted, entry(fields), repeats)).toBe(doubted)
    const returned = applyEntry(doubted, entry({ ...fields, service_status: 606 }), repeats)
    expect(attentionOf(returned)).toContain('606')
    expect(applyEntry(doubted, entry(), [])).toEqual(delivered)
  })

  test.each<[AirtimeStatus, AirtimeStatus[]]>([
    [600, [601, 602, 603, 604, 605, 606, 607]],
    [601, [600, 602, 603, 604, 605, 606, 607]],
    [602, [605, 606]],
    [603, [602, 605, 606, 607]],
    [604, [600, 601, 602, 603, 605, 606, 607]],
    [605, [602, 606, 607]],
    [606, [602, 605, 607]],
    [607, [600, 601, 602, 603, 604, 605, 606]],
  ])(
    'an entry of status %i may be followed by %j, and others contradict it once it has stood',
    (before, after) => {
      const recipient = of(before)
      for (const next of codes.airtimeStatus) {
        const reported = entry({ service_status: next })
        const soon = report(recipient, reported, [], HEARD + LAG_MS - 1)
        const later = report(recipient, reported, [], HEARD + LAG_MS)
        if (next === before) {
          expect(later).toBe(recipient)
        } else if (after.includes(next)) {
          expect(soon.reported?.service_status).toBe(next)
        } else {
          expect(soon).toBe(recipient)
          const alarm = { why: `The gateway says ${next} after ${before}.`, until: 'returned' }
          expect(later).toEqual({ ...recipient, alarm, consulted: { about: [String(next)], says: null } })
        }
      }
    },
  )

  test('has stood since its status was first heard, whatever was heard of it since', () => {
    const again = report(delivered, entry({ message: 'Delivered.' }), [], HEARD + LAG_MS - 1)
    const contradicted = report(again, entry({ service_status: 601 }), [], HEARD + LAG_MS)
    expect(contradicted.alarm?.why).toBe('The gateway says 601 after 602.')
  })

  test('an entry for a recipient that was not requested needs a person, with any status', () => {
    const why = 'No recipient of the request is known to have this number, and the gateway has 100.'
    const added = createUnrequested(entry({ service_status: 601 }), HEARD)
    const unnamed = { phone_number: null, amount: null, alarm: { why, until: 'returned' } }
    expect(added).toEqual({ ...of(601), ...unnamed })
    const later = applyEntry(added, entry({ service_status: 602, amount: 7 }), [entry()])
    expect(later).toEqual({ ...delivered, ...unnamed, reported: { ...delivered.reported, paid: '7' } })
    const reversed = createUnrequested(entry({ service_status: 605 }), HEARD)
    expect(applyEntry(reversed, entry({ service_status: 605 }), [])).toBe(reversed)
  })
})

test.each([
  [600, 'pending', false],
  [601, 'pending', false],
  [602, 'succeeded', true],
  [603, 'failed', true],
  [604, 'needs_attention', false],
  [605, 'reversed', true],
  [606, 'refunded', true],
  [607, 'pending', false],
] as const)(
  'the outcome of a recipient of status %i is %s, settled: %s; in doubt it needs a person',
  (status, outcome, settled) => {
    const recipient = of(status)
    expect(determineOutcome(accepted(recipient), recipient)).toEqual({ outcome, settled, attention: null })
    expect(isSettled(accepted(delivered, recipient))).toBe(settled)
    const doubted: Recipient = { ...recipient, alarm: { why: 'It is in doubt.', until: 'settled' } }
    const doubt = { outcome: 'needs_attention', settled: false, attention: 'It is in doubt.' }
    expect(determineOutcome(accepted(doubted), doubted)).toEqual(doubt)
  },
)

test.each([
  [intended(null), 'sending', false],
  [intended('It is stuck.'), 'needs_attention', false],
  [accepted(requested), 'pending', false],
  [rejected, 'failed', true],
] as const)('the outcome of a recipient of %j is %s, settled: %s', (record, outcome, settled) => {
  expect(determineOutcome(record, requested)).toMatchObject({ outcome, settled })
})

describe('a summary', () => {
  const all = (...statuses: AirtimeStatus[]) => accepted(...statuses.map(of))

  test('a summary counts recipients and adds up what was requested, by outcome', () => {
    const unrequested = { ...delivered, amount: null }
    const share = (count: number, amount: string) => ({ count, amount })
    expect(summarise([all(602, 602, 603), accepted(unrequested), intended(null)])).toEqual({
      total: share(5, '400'),
      sending: share(1, '100'),
      pending: share(0, '0'),
      succeeded: share(3, '200'),
      failed: share(1, '100'),
      reversed: share(0, '0'),
      refunded: share(0, '0'),
      needs_attention: share(0, '0'),
    })
  })

  test.each([
    ['needs_attention', [all(602, 604, 601), intended(null)]],
    ['sending', [all(601, 603), intended(null)]],
    ['pending', [all(602, 601, 603)]],
    ['succeeded', [all(602, 602)]],
    ['partial', [all(602, 603)]],
    ['partial', [all(602, 606)]],
    ['failed', [all(603, 605, 606)]],
  ] as const)('a summary is %s, the most urgent first', (outcome, records) => {
    expect(outcomeOf(summarise(records))).toBe(outcome)
  })
})
