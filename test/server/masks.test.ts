import { describe, expect, test } from 'vitest'
import { Secret } from '../../server/config/secret.ts'
import { PayoutRequest } from '../../server/contract/payout.ts'
import { createFingerprints } from '../../server/fingerprints.ts'
import { maskName, maskNumber } from '../../server/redactor.ts'
import { createMaskPayout } from '../../server/payouts/mask.ts'
import { rowOf } from '../support/observed.ts'
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
