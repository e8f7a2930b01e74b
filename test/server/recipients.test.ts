/** Recipients of airtime: how a list of them is read, and what the gateway's list makes of one. */

import { describe, expect, test } from 'vitest'
import type { AirtimeRecord, Recipient } from '../../server/airtime/record.ts'
import { determineOutcome, isSettled, outcomeOf, summarise } from '../../server/airtime/outcome.ts'
import { readRecipients } from '../../server/airtime/recipient-list.ts'
import { addUnrequested, missRecipient, reportRecipient } from '../../server/airtime/recipient-transition.ts'
import { AirtimeEntry } from '../../server/contract/airtime.ts'
import { AIRTIME_STATUS } from '../../server/contract/status.ts'
import { airtimeEntry } from '../support/spec-airtime.ts'

const NOW = Date.UTC(2026, 10, 21, 9)
const MINUTE = 60_000
const PHONE = '254700000001'
const requested: Recipient = {
  phone_number: PHONE,
  amount: '100.00',
  reported: null,
  missing_since: null,
  attention: null,
}
const entry = (fields: object = {}) => AirtimeEntry.parse({ ...airtimeEntry, ...fields })
const delivered = reportRecipient(requested, entry(), 0)
const accepted = (...recipients: Recipient[]): AirtimeRecord => ({
  phase: 'accepted',
  recipients,
  settled_at: null,
})
const intended = (stuck: string | null): AirtimeRecord => ({
  phase: 'intended',
  recipients: [requested],
  unknown: { times: 0, since: null },
  stuck,
})
const rejected = (is_confirmed: boolean): AirtimeRecord => ({
  phase: 'rejected',
  recipients: [requested],
  response_description: 'No.',
  is_confirmed,
})

describe('a list of recipients', () => {
  test('is read in the form of the gateway, amounts exact to a hundredth', () => {
    expect(
      readRecipients([
        { phone_number: '+254 700 000 001', amount: 100 },
        { phone_number: '254700000002', amount: '0.10' },
        { phone_number: '254700000003', amount: '1.500' },
      ]),
    ).toEqual({
      recipients: [
        { phone_number: PHONE, amount: '100' },
        { phone_number: '254700000002', amount: '0.10' },
        { phone_number: '254700000003', amount: '1.500' },
      ],
    })
  })

  test('names everything that is wrong with it', () => {
    expect(
      readRecipients([
        { phone_number: PHONE, amount: '1.005' },
        'nobody',
        { phone_number: '+254700000001', amount: '1' },
        { phone_number: PHONE, amount: '1' },
        { phone_number: 'x', amount: '0' },
      ]),
    ).toEqual({
      errors: [
        { index: 0, field: 'amount', rule: 'must have at most 2 fraction digits' },
        { index: 1, field: null, rule: 'must be an object' },
        { index: 2, field: 'phone_number', rule: { sameAs: 0 } },
        { index: 3, field: 'phone_number', rule: { sameAs: 0 } },
        { index: 4, field: 'phone_number', rule: expect.any(String) },
        { index: 4, field: 'amount', rule: expect.any(String) },
      ],
    })
  })
})

describe('an entry of the list of the gateway', () => {
  test('is kept without its numbers', () => {
    expect(delivered).toEqual({
      ...requested,
      reported: {
        service_status: 602,
        provider_reference: 'R1NETWORK9',
        correlation_id: 'c0ffee',
        message: 'The airtime was delivered.',
      },
    })
  })

  test('that says nothing new changes nothing', () => {
    expect(reportRecipient(delivered, entry(), 0)).toBe(delivered)
    expect(reportRecipient(delivered, entry({ message: 'Done.' }), 0)).toMatchObject({
      reported: { message: 'Done.' },
    })
  })

  test('ends what was in doubt, and what was missing', () => {
    for (const fields of [{ attention: 'It is in doubt.' }, { missing_since: NOW }])
      expect(reportRecipient({ ...delivered, ...fields }, entry(), 0)).toEqual(delivered)
  })

  test('that contradicts what was asked is a doubt, stored once', () => {
    for (const [given, repeats] of [[entry(), 1] as const, [entry({ amount: 99 }), 0] as const]) {
      const doubted = reportRecipient(delivered, given, repeats)
      expect(doubted).toEqual({ ...delivered, attention: expect.any(String) })
      expect(reportRecipient(doubted, given, repeats)).toBe(doubted)
    }
  })

  test('whose status cannot follow is ignored', () => {
    expect(reportRecipient(delivered, entry({ service_status: 601 }), 0)).toBe(delivered)
    expect(reportRecipient(delivered, entry({ service_status: 607 }), 0)).toBe(delivered)
  })

  test.each([
    [600, [601, 602, 603, 604, 605, 606, 607]],
    [601, [602, 603, 604, 605, 606, 607]],
    [602, [605, 606]],
    [603, [606]],
    [604, [600, 601, 602, 603, 605, 606, 607]],
    [605, []],
    [606, []],
    [607, [600, 601, 602, 603, 604, 605, 606]],
  ] satisfies [number, number[]][])('of %i may be followed by %j', (before, after) => {
    const recipient = reportRecipient(requested, entry({ service_status: before }), 0)
    const kept = Object.values(AIRTIME_STATUS).filter((service_status) => {
      const next = reportRecipient(recipient, entry({ service_status }), 0)
      return next.reported?.service_status === service_status
    })
    expect(kept).toEqual([...after, before].toSorted((a, b) => a - b))
  })

  test('that nobody requested needs a person, whatever becomes of it', () => {
    const added = addUnrequested(entry({ service_status: 601 }))
    expect(added).toEqual({
      ...requested,
      amount: null,
      reported: { ...delivered.reported, service_status: 601 },
      attention: 'Nobody asked for it, and the gateway has 100.',
    })
    const later = reportRecipient(added, entry({ service_status: 602, amount: 7 }), 1)
    expect(later).toEqual({ ...added, reported: delivered.reported })
  })
})

describe('a recipient that the gateway leaves out', () => {
  test('is doubted two minutes after it was first missing', () => {
    const missing = missRecipient(requested, false, NOW)
    expect(missing).toEqual({ ...requested, missing_since: NOW })
    expect(missRecipient(missing, false, NOW + 2 * MINUTE - 1)).toBe(missing)
    const doubted = missRecipient(missing, false, NOW + 2 * MINUTE)
    expect(doubted).toEqual({ ...missing, attention: expect.any(String) })
    expect(missRecipient(doubted, false, NOW + 3 * MINUTE)).toBe(doubted)
  })

  test('may be left out when it is settled, or was never requested', () => {
    const missing = { ...requested, missing_since: NOW }
    expect(missRecipient(missing, true, NOW + 3 * MINUTE)).toBe(missing)
    const unrequested = { ...missing, amount: null }
    expect(missRecipient(unrequested, false, NOW + 3 * MINUTE)).toBe(unrequested)
  })
})

describe('the outcome of a recipient', () => {
  test.each([
    [600, 'pending', false],
    [601, 'pending', false],
    [602, 'succeeded', true],
    [603, 'failed', true],
    [604, 'needs_attention', false],
    [605, 'reversed', true],
    [606, 'refunded', true],
    [607, 'pending', false],
  ] as const)('of status %i is %s, settled: %s', (service_status, outcome, settled) => {
    const recipient = reportRecipient(requested, entry({ service_status }), 0)
    expect(determineOutcome(accepted(recipient), recipient)).toEqual({ outcome, settled })
    expect(isSettled(accepted(delivered, recipient))).toBe(settled)
    const doubted = { ...recipient, attention: 'It is in doubt.' }
    expect(determineOutcome(accepted(doubted), doubted)).toEqual({
      outcome: 'needs_attention',
      settled: false,
    })
  })

  test.each([
    [intended(null), 'sending', false],
    [intended('It is stuck.'), 'needs_attention', false],
    [accepted(requested), 'pending', false],
    [rejected(false), 'sending', false],
    [rejected(true), 'failed', true],
  ] as const)('of %j is %s, settled: %s', (record, outcome, settled) => {
    expect(determineOutcome(record, requested)).toEqual({ outcome, settled })
  })
})

describe('a summary', () => {
  const of = (...statuses: (keyof typeof AIRTIME_STATUS)[]) =>
    accepted(
      ...statuses.map((status) =>
        reportRecipient(requested, entry({ service_status: AIRTIME_STATUS[status] }), 0),
      ),
    )
  const NONE = { count: 0, amount: '0.00' }

  test('counts recipients and adds up what was requested, by outcome', () => {
    const unrequested = { ...delivered, amount: null }
    expect(
      summarise([of('successful', 'successful', 'failed'), accepted(unrequested), intended(null)]),
    ).toEqual({
      total: { count: 5, amount: '400.00' },
      sending: { count: 1, amount: '100.00' },
      pending: NONE,
      succeeded: { count: 3, amount: '200.00' },
      failed: { count: 1, amount: '100.00' },
      reversed: NONE,
      refunded: NONE,
      needs_attention: NONE,
    })
  })

  test.each([
    ['needs_attention', [of('successful', 'jammed', 'processing'), intended(null)]],
    ['sending', [of('processing', 'failed'), intended(null)]],
    ['pending', [of('successful', 'processing', 'failed')]],
    ['succeeded', [of('successful', 'successful')]],
    ['partial', [of('successful', 'failed')]],
    ['partial', [of('successful', 'refunded')]],
    ['failed', [of('failed', 'reversed', 'refunded')]],
  ] as const)('is %s, the most urgent first', (outcome, records) => {
    expect(outcomeOf(summarise(records))).toBe(outcome)
  })
})
