import { expect } from 'vitest'
import { expectSuccess } from '../check.ts'
import { needsControl } from '../checkout.ts'
import { tokenHeader } from '../gateway.ts'
import { statusPath } from '../payout.ts'
import type { Check } from '../check.ts'
import type { Answer, Gateway } from '../gateway.ts'

const HOUR = 3_600_000
const AUTH = '/v1/auth'
const SOMETHING = '/v1/fx?base_currency=USD'

export const ENDPOINTS: Record<string, (gateway: Gateway) => { method: string; path: string }> = {
  'GET /v1/fx?base_currency=<currency_code>': ({ credentials }) => ({
    method: 'GET',
    path: `/v1/fx?base_currency=${credentials.currency}`,
  }),
  'POST {base_url}/transactions/acknowledge': () => ({ method: 'POST', path: '/transactions/acknowledge' }),
  'GET {base_url}/v1/accounts/<account_number>/balance': ({ credentials }) => ({
    method: 'GET',
    path: `/v1/accounts/${credentials.account_number}/balance`,
  }),
  'POST /v1/payouts/initiate': () => ({ method: 'POST', path: '/v1/payouts/initiate' }),
  'POST /v1/payouts/imt/initiate': () => ({ method: 'POST', path: '/v1/payouts/imt/initiate' }),
  'GET /v1/payouts/<payout_reference>/status': () => ({ method: 'GET', path: statusPath('local', 'none') }),
  'POST /v1/payouts/b2b/initiate': () => ({ method: 'POST', path: '/v1/payouts/b2b/initiate' }),
  'GET /v1/payouts/b2b/<payout_reference>/status': () => ({ method: 'GET', path: statusPath('b2b', 'none') }),
  'POST /v1/gw/airtime/send': () => ({ method: 'POST', path: '/v1/gw/airtime/send' }),
  'GET /v1/gw/airtime/<reference>/status': () => ({ method: 'GET', path: '/v1/gw/airtime/none/status' }),
  'POST /v2/checkout/initiate': () => ({ method: 'POST', path: '/v2/checkout/initiate' }),
  'GET /v2/checkout/status/<merchant_transaction_id>': () => ({
    method: 'GET',
    path: '/v2/checkout/status/none',
  }),
}

export const authenticationChecks: Check[] = [
  {
    rows: [
      'What the service does / Token authentication',
      'Endpoints / POST {base_url}/v1/auth',
      'Authentication / 2',
      'Credentials and token / consumer_key',
      'Credentials and token / consumer_secret',
      'Token response fields / access_token',
    ],
    fact: 'consumer credentials as JSON are exchanged for a token that is valid for the other calls',
    async run(gateway) {
      const { consumer_key, consumer_secret } = gateway.credentials
      const answer = await gateway.ask('POST', AUTH, { consumer_key, consumer_secret })
      expectSuccess(answer)
      expect(answer.body.access_token).toMatch(/\S/)
      const opened = await withToken(gateway, answer.body.access_token)
      expectSuccess(opened)
    },
  },
  {
    rows: ['Token response fields / expiresIn', 'Limits / Access token lifetime'],
    fact: 'expiresIn is at most an hour',
    async run(gateway) {
      const { consumer_key, consumer_secret } = gateway.credentials
      const { body } = await gateway.ask('POST', AUTH, { consumer_key, consumer_secret })
      // The rates API returns the lifetime as `expires_in`, a string.
      const { expiresIn = body.expires_in } = body
      expect(['number', 'string']).toContain(typeof expiresIn)
      expect(Number(expiresIn)).toBeGreaterThan(0)
      expect(Number(expiresIn)).toBeLessThanOrEqual(3600)
    },
  },
  ...(['consumer_key', 'consumer_secret'] as const).flatMap((field): Check[] => [
    {
      rows: [`Credentials and token / ${field} / required`],
      fact: `${field} is required for a token`,
      run: (gateway) => expectNoToken(gateway, { [field]: undefined }),
    },
    {
      rows: [`Credentials and token / ${field}`, 'Authentication / 5'],
      fact: `a wrong ${field} is refused with the authentication error`,
      run: (gateway) => expectNoToken(gateway, { [field]: 'none of ours' }),
    },
  ]),
  ...Object.entries(ENDPOINTS).map(([endpoint, ask]): Check => ({
    rows: [`Endpoints / ${endpoint} / token`, 'Endpoints / token', 'Authentication / 1'],
    fact: `${endpoint} requires a token`,
    async run(gateway) {
      const { method, path } = ask(gateway)
      const body = method === 'POST' ? {} : undefined
      const without = await gateway.ask(method, path, body)
      expect(without.status, without.text).toBe(401)
      const answer = await (method === 'POST' ? gateway.post(path, {}) : gateway.get(path))
      expect(answer.status, answer.text).not.toBe(401)
    },
  })),
  {
    rows: ['Authentication / 4'],
    fact: 'a token of another environment is refused',
    async run(gateway) {
      expectSuccess(await withToken(gateway, await gateway.token()))
      expect((await withToken(gateway, 'a-token-of-another-environment')).status).toBe(401)
    },
  },
  {
    rows: ['Authentication / 6', 'Checkout errors / unauthorized call', 'Checkout errors / 132'],
    fact: 'a checkout or a confirmation without a token, or with one that is not valid, is a 401 with code 132',
    async run(gateway) {
      for (const headers of [{}, { 'x-access-token': 'none of ours' }]) {
        for (const path of [
          '/v2/checkout/initiate',
          '/v2/checkout/status/none',
          '/transactions/acknowledge',
        ]) {
          const method = path.endsWith('none') ? 'GET' : 'POST'
          const body = method === 'POST' ? {} : undefined
          const answer = await gateway.ask(method, path, body, headers)
          expect(answer.status, answer.text).toBe(401)
          expect(answer.body).toMatchObject({
            status_code: 132,
            status_description: expect.any(String),
            message: expect.any(String),
          })
        }
      }
    },
  },
  {
    ...needsControl,
    rows: ['Authentication / 3', 'Authentication / 6', 'Limits / Access token lifetime'],
    fact: 'a token expires everywhere after an hour, and the merchant can get another',
    async run(gateway) {
      const old = await gateway.token()
      await gateway.later(HOUR)
      for (const ask of Object.values(ENDPOINTS)) {
        const { method, path } = ask(gateway)
        const body = method === 'POST' ? {} : undefined
        const answer = await gateway.ask(method, path, body, tokenHeader(path, old))
        expect(answer.status, path).toBe(401)
      }
      expectSuccess(await gateway.get(SOMETHING))
    },
  },
  {
    rows: ['Versioning / 1'],
    fact: 'paths without a version or with another version do not exist',
    async run(gateway) {
      const { account_number } = gateway.credentials
      for (const path of [SOMETHING, `/v1/accounts/${account_number}/balance`]) {
        expectSuccess(await gateway.get(path))
        expect((await gateway.get(path.replace('/v1', ''))).status, path).toBe(404)
      }
      const { status, text } = await gateway.get('/v2/checkout/status/none')
      expect(JSON.parse(text).status_code, `${status} ${text}`).toBe(120)
      expect((await gateway.get('/v1/checkout/status/none')).body?.status_code).not.toBe(120)
    },
  },
]

function withToken(gateway: Gateway, token: string): Promise<Answer> {
  return gateway.ask('GET', SOMETHING, undefined, { 'x-access-token': token })
}

// [spec: Authentication, 5]
async function expectNoToken(gateway: Gateway, fields: object): Promise<void> {
  const { consumer_key, consumer_secret } = gateway.credentials
  expect(await gateway.token()).toMatch(/\S/)
  const { status, body, text } = await gateway.ask('POST', AUTH, { consumer_key, consumer_secret, ...fields })
  expect([400, 401], text).toContain(status)
  expect(body).toEqual({
    statusCode: status,
    message: 'Invalid Authentication Credentials',
    error: status === 401 ? 'Unauthorized' : 'Bad Request',
  })
}
