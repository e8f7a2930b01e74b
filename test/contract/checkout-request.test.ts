import { describe, expect, test } from 'vitest'
import { InitiateRequest } from '../../server/contract/checkout.ts'
import { initiateLengths, initiateRequest } from '../support/spec-shapes.ts'

/** The fields that are refused when one of them is something else. */
function refusedFields(change: object): string[] {
  const parsed = InitiateRequest.safeParse({ ...initiateRequest, ...change })
  return parsed.success ? [] : [...new Set(parsed.error.issues.map(({ path }) => path.join('.')))]
}

/** A value of this field with exactly so many characters. */
function valueOf(field: string, length: number): string {
  if (field.endsWith('_url')) return 'https://pay.shop.example/'.padEnd(length, 'x')
  if (field === 'payer_email') return '@example.com'.padStart(length, 'x')
  if (field === 'payer_msisdn') return '+254 700 000 001'.padEnd(length, '-')
  return 'x'.repeat(length)
}

describe('a checkout request', () => {
  test('is read as printed', () => {
    expect(InitiateRequest.parse(initiateRequest)).toEqual(initiateRequest)
  })

  test('may have its numbers as text, and unknown fields', () => {
    const variant = { ...initiateRequest, amount: '1500', expires_in: '30', channel: 'WEB' }
    expect(InitiateRequest.parse(variant)).toEqual(initiateRequest)
  })

  test.each([['+254700000001'], ['254 700 000 001'], ['+254-700-000-001'], ['(254) 700.000.001']])(
    'normalizes the phone number %s',
    (payer_msisdn) => {
      expect(InitiateRequest.parse({ ...initiateRequest, payer_msisdn }).payer_msisdn).toBe('254700000001')
    },
  )

  test.each(Object.keys(initiateRequest))('is refused without a usable %s, by its name', (field) => {
    for (const wrong of [undefined, null, '', '   ', {}, [], true]) {
      expect(refusedFields({ [field]: wrong }), JSON.stringify(wrong)).toEqual([field])
    }
  })

  test.each(Object.entries(initiateLengths))('has a %s of at most %i characters', (field, most) => {
    expect(refusedFields({ [field]: valueOf(field, most) })).toEqual([])
    expect(refusedFields({ [field]: valueOf(field, most + 1) })).toEqual([field])
  })

  test.each([['amount'], ['expires_in']])('has a %s that is a whole number from 1', (field) => {
    expect(refusedFields({ [field]: 1 })).toEqual([])
    for (const wrong of [0, -5, 1.5, '1.5', 'many', '0x10', '1e3', Number.NaN, Infinity, 2 ** 53]) {
      expect(refusedFields({ [field]: wrong }), String(wrong)).toEqual([field])
    }
  })

  test('refuses a number beyond the exact range of JSON as too large', () => {
    const { error } = InitiateRequest.safeParse({ ...initiateRequest, amount: '99999999999999999' })
    expect(error?.issues.map(({ message }) => message)).toEqual(['is too large'])
  })

  test('is refused with an invalid URL', () => {
    for (const field of ['callback_url', 'redirect_url']) {
      for (const wrong of ['/callbacks', 'shop.example', 'https://']) {
        expect(refusedFields({ [field]: wrong })).toEqual([field])
      }
    }
    expect(refusedFields({ payer_email: 'asha' })).toEqual(['payer_email'])
    expect(refusedFields({ payer_msisdn: '0700000001' })).toEqual(['payer_msisdn'])
  })

  test('names every wrong field at once', () => {
    expect(refusedFields({ amount: 0, narration: '', payer_name: null })).toEqual([
      'amount',
      'payer_name',
      'narration',
    ])
  })
})
