import { describe, expect, test } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { LEAST, problemsOf } from '../support/least-config.ts'

test.each(['GATEWAY_BASE_URL', 'PUBLIC_URL', 'ORDERS_URL'])(
  '%s has no query, fragment or placeholder',
  (name) => {
    const base = 'https://pay.shop.example/checkout'
    const read = (value: string) =>
      JSON.stringify(readConfig({ ...LEAST, ORDERS_TOKEN: 'token', [name]: value }))
    expect(read(`${base}/`)).toBe(read(base))
    for (const rest of ['?shop=1', '#orders', '/{order}'])
      expect(problemsOf({ ORDERS_TOKEN: 'token', [name]: base + rest })).toEqual([
        `${name} must have no "?", "#" or "{": paths are put after it.`,
      ])
  },
)

describe('PUBLIC_URL', () => {
  test('has to be https', () => {
    expect(problemsOf({ PUBLIC_URL: 'http://pay.shop.example' })[0]).toMatch(/^PUBLIC_URL must be https/)
    expect(problemsOf({ PUBLIC_URL: 'http://127.0.0.1:4020' })[0]).toMatch(/^PUBLIC_URL must be https/)
  })

  test.each(['http://127.0.0.1:4010', 'http://localhost:4010', 'http://[::1]:4010'])(
    'may be http beside a gateway on %s',
    (GATEWAY_BASE_URL) => {
      expect(problemsOf({ GATEWAY_BASE_URL, PUBLIC_URL: 'http://127.0.0.1:4020' })).toEqual([])
    },
  )

  test.each(['http://127.0.0.1.evil.example', 'http://localhost.evil.example', 'http://gateway.example'])(
    'is not http beside a gateway on %s',
    (GATEWAY_BASE_URL) => {
      expect(problemsOf({ GATEWAY_BASE_URL, PUBLIC_URL: 'http://127.0.0.1:4020' })).toHaveLength(1)
    },
  )

  test('loses its trailing slash', () => {
    expect(readConfig({ ...LEAST, PUBLIC_URL: 'https://shop.example/pay/' }).publicUrl).toBe(
      'https://shop.example/pay',
    )
  })
})

describe('lists', () => {
  test.each([
    [
      'ALLOWED_ORIGINS',
      'https://a.example, https://b.example:8443',
      ['https://a.example', 'https://b.example:8443'],
    ],
    ['ALLOWED_ORIGINS', '*', null],
    ['ALLOWED_ORIGINS', 'null', null],
    ['ALLOWED_ORIGINS', 'https://a.example/', null],
    ['ALLOWED_ORIGINS', 'https://user@a.example', null],
  ])('%s takes origins only: %s', (name, value, read) => {
    if (read) expect(readConfig({ ...LEAST, [name]: value }).allowedOrigins).toEqual(read)
    else expect(problemsOf({ [name]: value })).toHaveLength(1)
  })

  test.each([['pay.example'], ['pay.example:8443'], ['127.0.0.1:4010']])(
    'GATEWAY_PAGE_HOSTS accepts %s',
    (host) => {
      const { gateway } = readConfig({ ...LEAST, GATEWAY_PAGE_HOSTS: host })
      expect(gateway.pageHosts).toEqual([host])
    },
  )

  test.each([
    ['https://pay.example'],
    ['pay.example/'],
    ['*.pay.example/x'],
    ['pay.example:443'],
    ['Pay.Example'],
  ])('GATEWAY_PAGE_HOSTS refuses %s, which no address would ever match', (host) => {
    expect(problemsOf({ GATEWAY_PAGE_HOSTS: host })).toHaveLength(1)
  })

  test('RETURN_URLS defaults to ALLOWED_ORIGINS', () => {
    expect(readConfig({ ...LEAST, ALLOWED_ORIGINS: 'https://a.example' }).returnUrls).toEqual([
      'https://a.example',
    ])
  })
})
