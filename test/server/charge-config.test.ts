import { describe, expect, test } from 'vitest'
import type { Environment } from '../../server/config/config.ts'
import { readConfig } from '../../server/config/config.ts'
import { LEAST, problemsOf } from '../support/least-config.ts'

const read = (env: Environment) => readConfig({ ...LEAST, ...env })

describe('charges', () => {
  const ON = { GATEWAY_CHARGE_PATH: '/v1/charges' }
  const FEES = { account: 'PARTNER-FEES', amount: 25, reason: 'Platform fee' }

  test('are off until their path is set', () => {
    expect(read({}).charges).toBeNull()
    const statusPath = '/v1/charges/:external_reference/status'
    expect(read(ON).charges).toEqual({
      path: '/v1/charges',
      statusPath,
      clientCode: null,
      methods: [],
      partners: [],
    })
  })

  test('carry the client code and the dynamic partner accounts', () => {
    const PARTNER_ACCOUNTS_DYNAMIC = 'PARTNER-FEES=25:Platform fee, PARTNER-TAX = 1.50 : Tax: the county'
    const env = { GATEWAY_CHARGE_PATH: '/charges/', GATEWAY_CLIENT_CODE: 'SHOP', PARTNER_ACCOUNTS_DYNAMIC }
    const tax = { account: 'PARTNER-TAX', amount: 1.5, reason: 'Tax: the county' }
    const statusPath = '/charges/:external_reference/status'
    const partners = [FEES, tax].map((share) => ({ currency: null, share }))
    expect(read(env).charges).toEqual({
      path: '/charges',
      statusPath,
      clientCode: 'SHOP',
      methods: [],
      partners,
    })
  })

  test.each([
    ['/v1/transaction/:charge_request_id/status/', '/v1/transaction/:charge_request_id/status'],
    ['/charges/:external_reference', '/charges/:external_reference'],
  ])('are queried at %s', (path, statusPath) => {
    expect(read({ ...ON, GATEWAY_CHARGE_STATUS_PATH: path }).charges).toMatchObject({ statusPath })
    expect(problemsOf({ GATEWAY_CHARGE_STATUS_PATH: path })).toEqual([
      'GATEWAY_CHARGE_STATUS_PATH needs GATEWAY_CHARGE_PATH: charges are off without it.',
    ])
  })

  test('take operators with names and prefixes', () => {
    const GATEWAY_CHARGE_METHODS = 'MOMO_KEN=MoMo:25470 25471, WAVELET_KEN=Wave let ,MPESA'
    expect(read({ ...ON, GATEWAY_CHARGE_METHODS }).charges?.methods).toEqual([
      { code: 'MOMO_KEN', name: 'MoMo', prefixes: ['25470', '25471'] },
      { code: 'WAVELET_KEN', name: 'Wave let', prefixes: [] },
      { code: 'MPESA', name: 'MPESA', prefixes: [] },
    ])
    expect(problemsOf({ GATEWAY_CHARGE_METHODS })).toEqual([
      'GATEWAY_CHARGE_METHODS needs GATEWAY_CHARGE_PATH: charges are off without it.',
    ])
  })

  test('are confirmed at GATEWAY_BASE_URL by default', () => {
    const { gateway } = read({ GATEWAY_ACKNOWLEDGE_BASE_URL: 'https://ack.gateway.example/' })
    expect(gateway.acknowledgeBaseUrl).toBe('https://ack.gateway.example')
    expect(read({}).gateway.acknowledgeBaseUrl).toBe('https://gateway.example')
  })

  test.each([
    ['GATEWAY_CHARGE_PATH', 'v1/charges', 'must be a path'],
    ['GATEWAY_CHARGE_PATH', '/v1/:charges?x', 'must be a path'],
    ['GATEWAY_CHARGE_STATUS_PATH', '/v1/status', 'must be a path with either :external_reference or'],
    ['GATEWAY_CHARGE_STATUS_PATH', '/:external_reference/:charge_request_id', 'must be a path with either'],
    ['GATEWAY_CHARGE_METHODS', 'MOMO KEN', 'which is not CODE, CODE=NAME or'],
    ['GATEWAY_CHARGE_METHODS', 'MOMO_KEN=MoMo:+254', 'which is not CODE'],
    ['GATEWAY_CHARGE_METHODS', 'MOMO_KEN,MOMO_KEN=MoMo', 'names MOMO_KEN more than once'],
    ['GATEWAY_CLIENT_CODE', 'x'.repeat(33), 'must be at most 32'],
    ['PARTNER_ACCOUNTS_DYNAMIC', 'PARTNER-FEES', 'which is not ACCOUNT=AMOUNT:REASON or CURRENCY/ACCOUNT=A'],
    ['PARTNER_ACCOUNTS_DYNAMIC', 'PARTNER-FEES=0:Fee', 'which is not'],
    ['PARTNER_ACCOUNTS_DYNAMIC', 'PARTNER-FEES=ten:Fee', 'which is not'],
    ['PARTNER_ACCOUNTS_DYNAMIC', ' =1:Fee', 'which is not'],
    ['PARTNER_ACCOUNTS_DYNAMIC', 'A=1:Fee,A=2:Fee', 'names A more than once'],
  ])('with %s as %j are refused by name and rule', (name, value, rule) => {
    const [problem, ...others] = problemsOf({ ...ON, [name]: value })
    expect([problem, others]).toEqual([expect.stringMatching(new RegExp(`^${name} .*${rule}`)), []])
  })
})
