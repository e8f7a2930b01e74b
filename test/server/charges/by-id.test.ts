import { expect, test } from 'vitest'

import { chargeKind } from '../../../server/charges/kind.ts'
import { determineOutcome } from '../../../server/charges/record.ts'
import { ChargeRequest, ChargeResponse, ChargeStatus } from '../../../server/contract/charge.ts'
import { redirectCharge } from '../../support/spec/charges.ts'
import { recordedCardAnswer, recordedPayment, recordedPending } from '../../support/spec/recorded-charges.ts'
import { createRules, MINUTE, rowOf, SENT } from '../../support/worlds/observed.ts'

import type { ChargeRecord, IntendedCharge } from '../../../server/charges/record.ts'
import type { Observation } from '../../../server/charges/transition.ts'

const request = ChargeRequest.parse({ ...redirectCharge, external_reference: 'R1', amount: 100 })
const intended: IntendedCharge = {
  phase: 'intended',
  request,
  given_digest: 'digest',
  narration: null,
  people: [],
  told: [],
  resolution: null,
  call: { request: null },
  unknown: { times: 0, since: null },
  stuck: null,
  refused: null,
  named_id: null,
}
const charge = (record: ChargeRecord) => rowOf('charge', record, { reference: 'R1' })
const { observe, expectUnchanged } = createRules(charge, chargeKind)

const status = (body: object): Observation => ({
  kind: 'status',
  payload: ChargeStatus.parse(body),
  at: null,
})
const acknowledged = (body: object): Observation => ({
  kind: 'acknowledged',
  answer: ChargeResponse.parse(body),
  at: null,
})
const unfound: Observation = { kind: 'unfound' }

test.each([
  [700, {}, 'succeeded', true, null],
  [700, { amount: '100.01' }, 'succeeded', true, 'excess'],
  [700, { amount: '99' }, 'needs_attention', false, 'short'],
  [701, {}, 'failed', true, null],
  [700, { currency_code: 'UGX' }, 'needs_attention', false, 'currency'],
  [700, { account_number: 'ACC-002' }, 'needs_attention', false, 'account'],
  [700, { external_reference: 'R2' }, 'needs_attention', false, 'reference'],
])(
  'a charge reported as one payment with payment %i and %j is %s',
  (payment_status, fields, outcome, settled, discrepancy) => {
    const { record } = observe(intended, status({ ...recordedPayment, ...fields, payment_status }))
    expect(determineOutcome(charge(record))).toMatchObject({ outcome, settled, discrepancy })
  },
)

test('a charge reported as one payment is confirmed under its transaction_id, or else under its charge_request_id', () => {
  const paymentIdOf = (body: object) => {
    const { record } = observe(intended, status(body))
    return record.phase === 'open' ? record.reported?.payments[0]?.payment_id : null
  }

  expect(paymentIdOf(recordedPayment)).toBe('22406')
  expect(paymentIdOf({ ...recordedPayment, transaction_id: 771 })).toBe('771')
})

test('a charge reported as one payment forgets the page of a card payment once it is settled', () => {
  const { record } = observe(intended, acknowledged({ ...recordedCardAnswer, html: '<form>' }))
  expect(record).toMatchObject({ answer: { auth_url: recordedCardAnswer.auth_url, html: '<form>' } })
  expect(observe(record, status(recordedPending)).record).toMatchObject({ answer: { html: '<form>' } })
  expect(observe(record, status(recordedPayment)).record).toMatchObject({
    answer: { auth_url: null, html: null },
  })
})

test("a charge that only the gateway's id finds is missed without its answer, and needs a person after two minutes", () => {
  const missed = observe(intended, unfound)
  expect(missed).toMatchObject({ record: { unknown: { times: 1 }, stuck: null }, events: [] })
  const { record, events } = observe(missed.record, unfound, [SENT + 3 * MINUTE, unfound])
  expect(events).toEqual(['needs_attention'])
  expect(determineOutcome(charge(record)).attention).toContain('only by the id in that answer')
})

test('a charge that was refused is unchanged if the gateway finds charges by its own id alone', () => {
  const refused = observe(intended, { kind: 'refused', why: 'No.', refusal: null }).record
  expectUnchanged(refused, unfound)
})

test('a charge that was never sent is given up if the gateway finds charges by its own id alone', () => {
  const unsent = createRules((record: ChargeRecord) => ({ ...charge(record), sent_at: null }), chargeKind)
  const { record, events } = unsent.observe(intended, [SENT + 2 * MINUTE, unfound])
  expect({ phase: record.phase, events }).toEqual({ phase: 'abandoned', events: ['failed'] })
})

test('an open charge is not changed by a query that could not be asked', () => {
  const { record } = observe(intended, status(recordedPending))
  expectUnchanged(record, unfound)
})

test('a charge that was found by the id of a callback is followed by this id, whatever a later callback names', () => {
  const payload = ChargeStatus.parse(recordedPending)
  const { record } = observe(intended, { kind: 'status', payload, at: null, found_as: '22406' })
  expect(record).toMatchObject({ phase: 'open', found_id: '22406' })
  expectUnchanged(record, { kind: 'named', charge_request_id: 'another' })
})
