/** The checks of tokens, and that every call needs one. */

import { expectSuccess } from '../check.ts'
import { needsControl } from '../checkout.ts'
import { expect } from '../expect.ts'
import { tokenHeader } from '../gateway.ts'
import { readRows } from '../specification.ts'

import type { Check } from '../check.ts'
import type { Answer, Gateway } from '../gateway.ts'

const HOUR = 3_600_000
const AUTH = '/v1/auth'
/** Any path that needs a token. */
const PROTECTED = '/v1/fx?base_currency=USD'

const ENDPOINTS = readRows().flatMap(({ id }) => /^Endpoints \/ (\w+ .*) \/ token$/.exec(id)?.[1] ?? [])

/** Rows about a refused token that the specification has for checkouts alone: 401, and 132 if there is a code. */
const CHECKOUT_ROWS = [
  'Authentication / 6 / missing',
  'Authentication / 6 / invalid',
  'Checkout errors / unauthorized call',
  'Checkout errors / 132',
  'Checkout errors / 132 / authentication',
  'Checkout errors / 132 / credentials',
]

function requestTo(endpoint: string, { credentials }: Gateway) {
  const [method = '', path = ''] = endpoint.replace('{base_url}', '').split(' ')
  const template = path
    .replace('<currency_code>', credentials.currency)
    .replace('<account_number>', credentials.account_number)
  return { method, path: template.replace(/<\w+>/, 'none'), body: method === 'POST' ? {} : undefined }
}

export const authenticationChecks: Check[] = [
  {
    rows: [
      'What the service does / Token authentication',
      'Endpoints / POST {base_url}/v1/auth',
      'Authentication / 1 / token call',
      'Authentication / 2 / token call',
      'Authentication / 3 / fields',
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
    rows: [
      'Token response fields / expiresIn',
      'Authentication / 3 / fields',
      'Limits / Access token lifetime',
    ],
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
      rows: [`Credentials and token / ${field}`, 'Authentication / 5 / body', 'Authentication / 5 / error'],
      fact: `a wrong ${field} is refused with the authentication error`,
      run: (gateway) => expectNoToken(gateway, { [field]: 'none of ours' }),
    },
  ]),
  ...ENDPOINTS.map((endpoint): Check => ({
    rows: [
      `Endpoints / ${endpoint} / token`,
      'Endpoints / token',
      'Authentication / 1 / calls',
      ...(endpoint.includes('/v2/checkout/') ? CHECKOUT_ROWS : []),
    ],
    fact: `${endpoint} requires a token, and refuses one that is not valid`,
    async run(gateway) {
      const { method, path, body } = requestTo(endpoint, gateway)
      const without = await gateway.ask(method, path, body)
      expectUnauthorized(path, without)
      expectUnauthorized(path, await gateway.ask(method, path, body, tokenHeader(path, 'none of ours')))
      const answer = await (method === 'POST' ? gateway.post(path, {}) : gateway.get(path))
      expect({ status: answer.status, body: answer.body }, answer.text).not.toEqual({
        status: without.status,
        body: without.body,
      })
    },
  })),
  {
    rows: ['Authentication / 4 / tokens', 'General behaviour / 2 / keys'],
    fact: 'a real token of the other environment is refused, and so are its keys',
    needs: ['environments'],
    async run(gateway) {
      const other = await gateway.otherEnvironment()
      expectSuccess(await withToken(gateway, await gateway.token()))
      expectSuccess(await withToken(other, await other.token()))
      expectUnauthorized(PROTECTED, await withToken(gateway, await other.token()))
      expectUnauthorized(PROTECTED, await withToken(other, await gateway.token()))
      const { consumer_key, consumer_secret } = other.credentials
      const answer = await gateway.ask('POST', AUTH, { consumer_key, consumer_secret })
      expect([400, 401], answer.text).toContain(answer.status)
    },
  },
  {
    ...needsControl,
    rows: [
      'Authentication / 3 / one hour',
      'Authentication / 3 / renewal',
      'Authentication / 6 / expired',
      'Limits / Access token lifetime',
    ],
    fact: 'a token expires everywhere after an hour, and the merchant can get another',
    async run(gateway) {
      const old = await gateway.token()
      await gateway.advanceClock(HOUR)
      for (const endpoint of ENDPOINTS) {
        const { method, path, body } = requestTo(endpoint, gateway)
        const answer = await gateway.ask(method, path, body, tokenHeader(path, old))
        expectUnauthorized(path, answer)
      }

      expectSuccess(await gateway.get(PROTECTED))
    },
  },
  {
    rows: ['Versioning / 1 / v1', 'Versioning / 1 / v2'],
    fact: 'rates and balance are at /v1, and checkouts at /v2',
    async run(gateway) {
      const { account_number } = gateway.credentials
      expect((await gateway.read(PROTECTED)).base_currency).toBe('USD')
      expect((await gateway.read(`/v1/accounts/${account_number}/balance`)).balance).toMatch(/\d/)
      const { status, body, text } = await gateway.get('/v2/checkout/status/none')
      expect(body?.status_code, `${status} ${text}`).toBe(120)
    },
  },
]

/**
 * The specification shows 401 for checkouts only. Other calls may be refused with any status of an error, or with a
 * rejection in the body. A code is optional. [spec: Authentication, 6; Payout error_code values]
 */
function expectUnauthorized(path: string, { status, body, text }: Answer): void {
  if (path.startsWith('/v2/checkout/')) {
    expect(status, text).toBe(401)
  } else {
    expect(status >= 400 || body?.response_code === 721, text).toBe(true)
  }
  if (body?.status_code !== undefined) {
    expect(body.status_code, text).toBe(132)
  }
  if (body?.error_code !== undefined) {
    expect(['UNAUTHORIZED', 'INVALID_ACCESS_TOKEN']).toContain(body.error_code)
  }
}

function withToken(gateway: Gateway, token: string): Promise<Answer> {
  return gateway.ask('GET', PROTECTED, undefined, { 'x-access-token': token })
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
