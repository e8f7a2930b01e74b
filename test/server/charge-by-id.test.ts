import { describe, expect, test } from 'vitest'
import type { ChargeRecord, IntendedCharge } from '../../server/charges/record.ts'
import type { Observation } from '../../server/charges/transition.ts'
import { addNamedId, isAbout, readNamedId } from '../../server/payins/named-ids.ts'
import { attentionOf, determineOutcome } from '../../server/charges/outcome.ts'
import { transition } from '../../server/charges/transition.ts'
import { ChargeRequest, ChargeResponse } from '../../server/contract/charge.ts'
import { ChargeStatus } from '../../server/contract/charge-status.ts'
import { createRules, MINUTE, rowOf, SENT } from '../support/observed.ts'
import {
  recordedAnswer,
  recordedCardAnswer,
  recordedDecline,
  recordedPayment,
  recordedPending,
} from '../support/recorded-charges.ts'
import { redirectCharge } from '../support/spec-charges.ts'
import { checkoutPayload } from '../support/spec-shapes.ts'

const request = ChargeRequest.parse({ ...redirectCharge, external_reference: 'R1', amount: 100 })
const intended: IntendedCharge = {
  phase: 'intended',
  request,
  given_digest: 'digest',
  request_digest: 'digest',
  people: [],
  submission: null,
  named_ids: [],
  unknown: { times: 0, since: null },
  stuck: null,
}
const charge = (record: ChargeRecord) => rowOf('charge', record, { reference: 'R1' })
const { observe, expectUnchanged } = createRules(charge, transition)

const status = (body: object, named_id?: string): Observation => ({
  kind: 'status',
  payload: ChargeStatus.parse(body),
  ...(named_id !== undefined && { named_id }),
})
const posted = (body: object): Observation => ({ kind: 'posted', answer: ChargeResponse.parse(body) })
const named = (charge_request_id: string): Observation => ({ kind: 'named', charge_request_id })
const unfound = (...wrong: string[]): Observation => ({ kind: 'unfound', wrong })

describe('a charge that the gateway reports as one payment', () => {
  test.each([
    [700, {}, 'succeeded', true, null],
    [700, { amount: '100.01' }, 'succeeded', true, 'excess'],
    [700, { amount: '99' }, 'needs_attention', false, 'short'],
    [700, { currency_code: 'UGX' }, 'needs_attention', false, 'currency'],
    [700, { account_number: 'ACC-002' }, 'needs_attention', false, 'account'],
    [700, { external_reference: 'R2' }, 'needs_attention', false, 'reference'],
    [701, {}, 'failed', true, null],
    [702, {}, 'reversed', true, null],
    [703, {}, 'pending', false, null],
    [704, {}, 'needs_attention', false, null],
    [705, {}, 'refunded', true, null],
    [706, {}, 'pending', false, null],
    [707, {}, 'pending', false, null],
    [708, {}, 'pending', false, null],
  ])('with payment %i and %j is %s', (payment_status, fields, outcome, settled, discrepancy) => {
    const { record } = observe(intended, status({ ...recordedPayment, ...fields, payment_status }))
    expect(determineOutcome(charge(record))).toEqual({ outcome, settled, discrepancy })
  })

  test('is followed from pending to paid and reversed, with one event each', () => {
    const reversed = { ...recordedPayment, payment_status: 702 }
    const steps = [recordedPending, recordedPayment, recordedPayment, reversed].map((body) => status(body))
    expect(observe(intended, posted(recordedAnswer), ...steps).events).toEqual(['succeeded', 'reversed'])
  })

  test('that is paid after it failed needs a person', () => {
    const { record, events } = observe(intended, status(recordedDecline), status(recordedPayment))
    expect(events).toEqual(['failed', 'needs_attention'])
    expect(attentionOf(charge(record))).toBe('It was paid after it had failed.')
  })

  test('is confirmed under its transaction_id, or else under its charge_request_id', () => {
    const paymentIdOf = (body: object) => {
      const { record } = observe(intended, status(body))
      return record.phase === 'posted' ? record.reported?.payments[0]?.payment_id : null
    }
    expect(paymentIdOf(recordedPayment)).toBe('22406')
    expect(paymentIdOf({ ...recordedPayment, transaction_id: 771 })).toBe('771')
  })

  test('forgets the page of a card payment once it is settled', () => {
    const { record } = observe(intended, posted({ ...recordedCardAnswer, html: '<form>' }))
    expect(record).toMatchObject({ answer: { auth_url: recordedCardAnswer.auth_url, html: '<form>' } })
    expect(observe(record, status(recordedPending)).record).toMatchObject({ answer: { html: '<form>' } })
    expect(observe(record, status(recordedPayment)).record).toMatchObject({
      answer: { auth_url: null, html: null },
    })
  })
})

describe('a charge whose answer was lost, where the gateway finds charges by its own id', () => {
  test('remembers the ids that callbacks name, the newest first, until one of them is confirmed', () => {
    const { record, historyEntry } = observe(intended, named('1'), named('22406'))
    expect([record, historyEntry]).toEqual([
      { ...intended, named_ids: ['22406', '1'] },
      'A callback names it 22406.',
    ])
    expectUnchanged(record, named('22406'))
    const { record: found } = observe(record, status(recordedPayment, '22406'))
    expect(found).toMatchObject({ phase: 'posted', confirmed_id: '22406', named_ids: [], answer: null })
    expectUnchanged(found, named('1'))
  })

  test('forgets named ids of other charges', () => {
    const { record } = observe(intended, named('1'), named('22406'), unfound('1'))
    expect(record).toMatchObject({ named_ids: ['22406'], unknown: { times: 1 } })
  })

  test('needs a person after two minutes, and settles when a later callback names it', () => {
    const late = [SENT + 3 * MINUTE, unfound()] as [number, Observation]
    const { record, events } = observe(intended, unfound(), unfound(), late)
    expect(events).toEqual(['needs_attention'])
    expect(attentionOf(charge(record))).toContain("no callback has named the gateway's id")
    const settled = observe(record, named('22406'), status(recordedPayment, '22406'))
    expect(settled.events).toEqual(['succeeded'])
  })

  test('and that was refused, remembers them as well', () => {
    const refused = observe(intended, { kind: 'refused', why: 'No.', refusal: null }).record
    const { record } = observe(refused, named('1'), named('22406'), unfound('1'))
    expect(record).toEqual({ ...refused, named_ids: ['22406'] })
    const paid = observe(record, status(recordedPayment, '22406'))
    expect(paid).toMatchObject({ record: { confirmed_id: '22406' }, events: ['needs_attention'] })
  })

  test('is given up if it was never sent', () => {
    const unsent = { ...charge(intended), sent_at: null }
    const { record, events } = transition(unsent, unfound(), SENT + 2 * MINUTE)
    expect([record.phase, events]).toEqual(['refused', ['failed']])
  })

  test('is not changed by a query that could not be asked, once it is posted', () => {
    const { record } = observe(intended, status(recordedPending))
    expectUnchanged(record, unfound())
  })

  test('needs a person if the late answer has another id than the confirmed one', () => {
    const { record } = observe(intended, named('9'), status(recordedPending, '9'))
    expect(observe(record, posted({ ...recordedAnswer, charge_request_id: '9' })).events).toEqual([])
    const other = observe(record, posted(recordedAnswer))
    expect(other.events).toEqual(['needs_attention'])
    expect(other.record).toMatchObject({ answer: { charge_request_id: '22406' }, confirmed_id: null })
  })
})

describe('an id that a callback names', () => {
  test('is read from a payment record, or from the last of several', () => {
    expect(readNamedId(recordedPayment)).toBe('22406')
    expect(readNamedId({ charge_request_id: 22406 })).toBe('22406')
    expect(readNamedId({ payments: [recordedPayment, { charge_request_id: '7' }] })).toBe('7')
  })

  test.each([
    null,
    'text',
    [],
    {},
    { charge_request_id: null },
    { charge_request_id: '' },
    { charge_request_id: '..' },
    { charge_request_id: 'a\nb' },
    { charge_request_id: 'x'.repeat(65) },
    { charge_request_id: {} },
    { payments: [] },
  ])('is not read from %j', (body) => {
    expect(readNamedId(body)).toBeNull()
  })

  test('replaces the oldest of four', () => {
    const ids = ['1', '2', '3', '4', '5'].reduce<readonly string[]>(addNamedId, [])
    expect(ids).toEqual(['5', '4', '3', '2'])
    expect(addNamedId(ids, '3')).toEqual(['3', '5', '4', '2'])
  })

  const payment = (fields: object) => ChargeStatus.parse({ ...recordedPayment, ...fields })

  test.each([
    [{}, true],
    [{ currency_code: 'KES', account_number: 'ACC-001', service_code: 'CHECKOUT-KES' }, true],
    [{ amount: '100.00' }, true],
    [{ payment_status: 703 }, true],
    [{ amount: '99' }, false],
    [{ amount: '101' }, false],
    [{ payment_status: 701, amount: '99' }, false],
    [{ currency_code: 'UGX' }, false],
    [{ account_number: 'ACC-002' }, false],
    [{ service_code: 'OTHER' }, false],
  ])('leads to the charge if the answer is about its terms: %j is %s', (fields, expected) => {
    expect(isAbout(request, payment(fields))).toBe(expected)
  })

  test.each([
    [{ status: 803, amount: '0', payments: [] }, true],
    [{ status: 801, amount: '100' }, true],
    [{ status: 801, amount: '99' }, false],
    [{ currency: 'UGX' }, false],
  ])('leads to the charge if the session is about its terms: %j is %s', (fields, expected) => {
    const payments = [{ ...checkoutPayload.payments[0], amount: '60' }]
    const payload = ChargeStatus.parse({ ...checkoutPayload, amount: '100', payments, ...fields })
    expect(isAbout(request, payload)).toBe(expected)
  })
})
