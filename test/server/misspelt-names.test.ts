import { describe, expect, test } from 'vitest'
import type { Environment } from '../../server/config.ts'
import { readConfig } from '../../server/config.ts'
import { LEAST, problemsOf } from '../support/least-config.ts'

const read = (env: Environment, file?: (path: string) => string) => readConfig({ ...LEAST, ...env }, file)

describe('a misspelt name', () => {
  test.each([
    ['ALLOWED_ORIGIN', 'ALLOWED_ORIGINS'],
    ['MERCHANT_WEBHOOK_URI', 'MERCHANT_WEBHOOK_URL'],
    ['MERCHENT_API_KEY', 'MERCHANT_API_KEY'],
    ['TRUSTED_PROXY', null],
    ['POSTS', null],
    ['GATEWAY_CONSUMER_KEYS', 'GATEWAY_CONSUMER_KEY'],
    ['GATEWAY_CONSUMER_KEYRING', null],
    ['MERCHANT_WEBHOOK_SECRETS', 'MERCHANT_WEBHOOK_SECRET'],
    ['DATABASE_URL', 'STORE_URL'],
    ['GATEWAY_CONSUMER_SECRET_FILE', null],
  ])('%s is named beside %s', (name, meant) => {
    const file = () => 'the-consumer-secret'
    const { warnings } = read({ [name]: 'https://shop.example' }, file)
    expect(warnings).toEqual(meant ? [`${name} is set, but is not read: ${meant} may be meant.`] : [])
  })

  test('is named beside a variable that is set, if one letter differs', () => {
    const { warnings } = read({
      ALLOWED_ORIGINS: 'https://shop.example',
      ALLOWED_ORIGIN: 'https://a.example',
    })
    expect(warnings).toEqual(['ALLOWED_ORIGIN is set, but is not read: ALLOWED_ORIGINS may be meant.'])
    const store = { STORE_URL: 'sqlite:store.sqlite', DATABASE_URL: 'postgres://db.internal/shop' }
    expect(read(store).warnings).toEqual([])
  })

  test('may be the beginning of a name', () => {
    expect(problemsOf({ GATEWAY_ENVIRONMENT: '', GATEWAY_ENV: 'production' })).toContain(
      'GATEWAY_ENV is set, but is not read: GATEWAY_ENVIRONMENT may be meant.',
    )
  })

  test('is among the problems where there are others', () => {
    const problems = problemsOf({ GATEWAY_ACCOUNT_NUMBER: '', GATEWAY_ACOUNT_NUMBER: 'ACC-001' })
    expect(problems).toEqual([
      'GATEWAY_ACCOUNT_NUMBER is required.',
      'GATEWAY_ACOUNT_NUMBER is set, but is not read: GATEWAY_ACCOUNT_NUMBER may be meant.',
    ])
  })
})
