import { describe, expect, test } from 'vitest'
import type { ChargeRecord } from '../../server/charges/record.ts'
import { createMaskCharge } from '../../server/charges/mask.ts'
import { Secret } from '../../server/config/secret.ts'
import { ChargeRequest } from '../../server/contract/charge.ts'
import { PayoutRequest } from '../../server/contract/payout.ts'
import { createFingerprints } from '../../server/fingerprints.ts'
import { maskName, maskNumber } from '../../server/redactor.ts'
import { createMaskPayout } from '../../server/payouts/mask.ts'
import { rowOf } from '../support/observed.ts'
import { charge } from '../support/spec-charges.ts'
import { localPayout } from '../support/spec-payouts.ts'

const fingerprints = createFingerprints([new Secret('a secret')])

test.each([
  ['Asha', 'A***'],
  [' Ünal', 'Ü***'],
  ['💳 Ltd', '💳***'],
  ['', '***'],
])('the mask of the name %j is %j', (name, mask) => expect(maskName(name)).toBe(mask))

test.each([
  ['254700000001', '***001'],
  ['400200', '***'],
  ['2547*****001', '***001'],
])('the mask of the number %j is %j', (number, mask) => expect(maskNumber(number)).toBe(mask))

describe('a charge that an earlier version has stored with its payer', () => {
  const request = ChargeRequest.parse(charge)
  const record: ChargeRecord = {
    phase: 'refused',
    request,
    given_digest: null,
    request_digest: null,
    people: [],
    why: 'No.',
    refusal: null,
  }
  const mask = createMaskCharge(fingerprints)

  test('keeps fingerprints of the payer and of the request, and no details', () => {
    const masking = mask(rowOf('charge', record), 'everybody', false)
    expect(masking).toMatchObject({
      kind: 'masked',
      record: {
        request: { external_reference: 'ORDER-7731', amount: 1500 },
        request_digest: fingerprints.of('terms', JSON.stringify(request)),
        people: [fingerprints.of('phone', '254700000001'), fingerprints.of('email', 'asha@example.com')],
      },
    })
    expect(JSON.stringify(masking)).not.toMatch(/Asha|254700000001|example\.com|kangas/)
    const masked = { ...record, ...(masking.kind === 'masked' ? Object(masking.record) : {}) }
    expect(mask(rowOf('charge', masked), 'everybody', false)).toEqual({ kind: 'nothing' })
  })

  test('keeps no fingerprint of a payer who has requested the erasure', () => {
    const person = new Set(fingerprints.all('email', 'ASHA@example.com'))
    expect(mask(rowOf('charge', record), person, true)).toMatchObject({ record: { people: [] } })
    expect(mask(rowOf('charge', record), new Set(['another']), true)).toEqual({ kind: 'nothing' })
  })
})

describe('a payout', () => {
  const mask = createMaskPayout(fingerprints)
  const submission = {
    variant: 'local' as const,
    request: PayoutRequest.parse({ ...localPayout, callback_url: 'https://pay.example/callback' }),
  }
  const rejected = {
    phase: 'rejected',
    submission,
    response_description: 'Asha Otieno has no wallet at 0700 000 001.',
    error_code: 'INVALID_WALLET',
    rejected_at: 0,
    was_resent: false,
  } as const

  test('is masked once, with the gateway’s words about the recipient', () => {
    const masking = mask(rowOf('payout', rejected), 'everybody', false)
    expect(masking).toMatchObject({
      kind: 'masked',
      record: { response_description: '*** has no wallet at ***.', error_code: 'INVALID_WALLET' },
    })
    expect(JSON.stringify(masking)).not.toMatch(/Asha|Otieno|0700|254700000001|Wages/)
    const { record } = masking as { record: typeof rejected }
    expect(mask(rowOf('payout', record), 'everybody', true)).toEqual({ kind: 'nothing' })
  })

  test('waits while it is under way', () => {
    const intended = { phase: 'intended', submission, unknown: { times: 0, since: null }, stuck: null }
    expect(mask(rowOf('payout', intended), 'everybody', true)).toEqual({
      kind: 'waits',
      why: 'it is under way (sending)',
    })
  })
})
