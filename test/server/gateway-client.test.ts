import { describe, expect, test } from 'vitest'
import type { Answer } from '../support/scripted-gateway.ts'
import { GatewayRefusal } from '../../server/gateway/errors.ts'
import {
  asked,
  createScriptedGateway,
  endless,
  failureOf,
  ID,
  json,
  silence,
  STATUS,
} from '../support/scripted-gateway.ts'
import { airtimeEntry } from '../support/spec-airtime.ts'
import {
  authAnswer,
  authFailures,
  authRequest,
  checkoutErrors,
  checkoutPayload,
  initiateAnswer,
  initiateRequest,
} from '../support/spec-shapes.ts'

const INITIATE = '/v2/checkout/initiate'

describe('an answer', () => {
  test('to initiate is returned as the gateway sent it', async () => {
    const gateway = createScriptedGateway(() => json(initiateAnswer))
    const answer = await gateway.outcome(
      gateway.client.initiateCheckout(initiateRequest, { currency: 'KES' }),
    )
    expect(answer).toEqual(initiateAnswer)
  })

  test('to a status query is the payload, with any 2xx', async () => {
    for (const status of [200, 201, 202]) {
      const gateway = createScriptedGateway(() => json(checkoutPayload, status))
      expect(await gateway.outcome(gateway.client.getCheckoutStatus(ID))).toMatchObject({ status: 801 })
    }
  })

  test.each([400, 404, 500])('of code 120 with HTTP %i means an unknown checkout', async (status) => {
    const gateway = createScriptedGateway(() =>
      json({ status_code: 120, message: 'Transaction not found' }, status),
    )
    expect(await gateway.outcome(gateway.client.getCheckoutStatus(ID))).toBeNull()
    expect(gateway.count(STATUS)).toBe(1)
  })
})

describe('a list of airtime', () => {
  const list = (...entries: unknown[]) => {
    const gateway = createScriptedGateway(() => json(entries))
    return gateway.outcome(gateway.client.getAirtimeStatus(airtimeEntry.external_reference))
  }
  const unreadable = [
    { ...airtimeEntry, service_status: 999 },
    { ...airtimeEntry, amount: null },
    { ...airtimeEntry, phone_number: '2547****0001' },
    null,
  ]

  test.each(unreadable)('is returned without the unreadable entry %j', async (entry) => {
    const read = { ...airtimeEntry, amount: '100' }
    expect(await list(entry, airtimeEntry)).toEqual([read])
  })

  test('is unknown when it is empty, and invalid when no entry is readable', async () => {
    expect(await list()).toBeNull()
    expect(await failureOf(list(...unreadable))).toMatchObject({ code: 'gateway_answer_invalid' })
  })
})

describe('a refusal', () => {
  test.each(checkoutErrors.filter(({ status_code }) => status_code !== 120))(
    'of code $status_code with 4xx is thrown and not retried',
    async (refusal) => {
      const { error, tries } = await asked(() => json(refusal, 400))
      expect(error).toBeInstanceOf(GatewayRefusal)
      expect(error).toMatchObject({ code: 'gateway_refused', refusal })
      expect(tries).toBe(1)
    },
  )

  test('with the generic code and 5xx is retried', async () => {
    const { error, tries } = await asked(() => json({ status_code: 174 }, 503))
    expect([error.code, tries]).toEqual(['gateway_unavailable', 3])
  })

  test('with a specific code and 5xx is not retried', async () => {
    const { error, tries } = await asked(() => json({ status_code: 172 }, 500))
    expect([error.code, tries]).toEqual(['gateway_refused', 1])
  })
})

describe('an unusable answer', () => {
  const cases: [string, Answer, string][] = [
    ['no connection', () => Promise.reject(new TypeError('fetch failed')), 'gateway_unreachable'],
    ['no answer in time', silence, 'gateway_timeout'],
    ['HTTP 500', () => json({}, 500), 'gateway_unavailable'],
    ['HTTP 429', () => json({ status_code: 174 }, 429), 'gateway_unavailable'],
    [
      'a redirect',
      () => new Response(null, { status: 302, headers: { location: '/' } }),
      'gateway_unavailable',
    ],
    ['4xx without an error object', () => new Response('Not here', { status: 404 }), 'gateway_unavailable'],
    [
      "another framework's 503",
      () => json({ statusCode: 503, message: '', error: '' }, 503),
      'gateway_unavailable',
    ],
    ['HTML', () => new Response('<html>Welcome</html>'), 'gateway_answer_invalid'],
    ['truncated JSON', () => new Response('{"status":801,"amo'), 'gateway_answer_invalid'],
    ['an empty body', () => new Response(''), 'gateway_answer_invalid'],
    ['no body', () => new Response(null, { status: 204 }), 'gateway_answer_invalid'],
    ['a body without end', endless, 'gateway_answer_invalid'],
    ['another shape', () => json({ ...checkoutPayload, status: 'paid' }), 'gateway_answer_invalid'],
  ]

  test.each(cases)('%s is attempted three times and has its own error code', async (_, answer, code) => {
    const { error, tries } = await asked(answer)
    expect([error.code, tries]).toEqual([code, 3])
    expect(error.message).toContain('GET /v2/checkout/status/:merchant_transaction_id')
  })

  test('names the invalid field', async () => {
    const { error } = await asked(() => json({ ...checkoutPayload, currency: undefined, status: 700 }))
    expect(error.message).toMatch(/currency .*status /)
  })

  test('is forgotten when a retry succeeds', async () => {
    let refusals = 2
    const gateway = createScriptedGateway(() => (refusals-- > 0 ? json({}, 502) : json(checkoutPayload)))
    expect(await gateway.outcome(gateway.client.getCheckoutStatus(ID))).toMatchObject({ status: 801 })
  })

  test('takes at most three deadlines and their pauses', async () => {
    const gateway = createScriptedGateway(silence)
    const begun = gateway.timeline.now()
    await failureOf(gateway.outcome(gateway.client.getCheckoutStatus(ID)))
    expect(gateway.timeline.now() - begun).toBeLessThanOrEqual(26_000)
    expect(gateway.arrivals.every(({ path, signal }) => path !== STATUS || signal.aborted)).toBe(true)
  })

  test('ends at once when the caller aborts', async () => {
    const gateway = createScriptedGateway(silence)
    const leaving = new AbortController()
    const call = gateway.client.getCheckoutStatus(ID, { signal: leaving.signal })
    await gateway.timeline.advance(0)
    leaving.abort(new Error('The caller left.'))
    await expect(call).rejects.toThrow('The caller left.')
    expect(gateway.arrivals.at(-1)?.signal.aborted).toBe(true)
  })
})

describe('a contradiction', () => {
  test.each([
    ['merchant_transaction_id', 'another'],
    ['amount', 15],
    ['currency', 'UGX'],
  ])('is an answer with another %s than requested', async (field, other) => {
    const gateway = createScriptedGateway(() => json({ ...initiateAnswer, [field]: other }))
    const call = gateway.client.initiateCheckout(initiateRequest, { currency: 'KES' })
    const error = await failureOf(gateway.outcome(call))
    expect([error.code, gateway.count(INITIATE)]).toEqual(['gateway_contradiction', 1])
    expect(error.message).toContain(field)
  })

  test('is an answer about another checkout', async () => {
    const { error, tries } = await asked(() =>
      json({ ...checkoutPayload, merchant_transaction_id: 'another' }),
    )
    expect([error.code, tries]).toEqual(['gateway_contradiction', 1])
  })
})

test('error messages contain no secret, no token and nothing that the gateway sent', async () => {
  const answers = [
    () => json({ ...checkoutPayload, status: 'a-private-value', amount: 'a-private-value' }),
    () => new Response('a-private-value', { status: 502 }),
    () => new Response('{"a-private-value'),
    () => json(authFailures[0], 401),
    () => Promise.reject(new TypeError('fetch failed')),
  ]
  for (const answer of answers) {
    const { error } = await asked(answer)
    for (const secret of ['a-private-value', authAnswer.access_token, ...Object.values(authRequest)]) {
      expect(error.message).not.toContain(secret)
    }
  }
})

test('onExchange gets no reference and no secret', async () => {
  let refusals = 1
  const gateway = createScriptedGateway(() => (refusals-- > 0 ? json({}, 502) : json(checkoutPayload)))
  await gateway.outcome(gateway.client.getCheckoutStatus(ID))
  const path = '/v2/checkout/status/:merchant_transaction_id'
  expect(gateway.exchanges).toMatchObject([
    { method: 'POST', path: '/v1/auth', code: null },
    { method: 'GET', path, status: 502, code: 'gateway_unavailable' },
    { method: 'GET', path, status: 200, code: null },
  ])
  expect(JSON.stringify(gateway.exchanges)).not.toMatch(new RegExp(`${ID}|secret|token`))
})

test('a validation error of another framework is not a failed authentication', async () => {
  const body = { statusCode: 400, message: 'amount must be a number', error: 'Bad Request' }
  const { error } = await asked(() => json(body, 400))
  expect(error.code).toBe('gateway_unavailable')
})
