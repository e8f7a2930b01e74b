import { describe, expect, test } from 'vitest'
import type { Arrival } from '../support/scripted-gateway.ts'
import { GatewayError, GatewayRefusal } from '../../server/gateway/errors.ts'
import { createScriptedGateway, endless, json, silence } from '../support/scripted-gateway.ts'
import {
  authAnswer,
  authFailures,
  authRequest,
  checkoutErrors,
  checkoutPayload,
  initiateAnswer,
  initiateRequest,
} from '../support/spec-shapes.ts'

const ID = initiateRequest.merchant_transaction_id
const STATUS = `/v2/checkout/status/${ID}`
const INITIATE = '/v2/checkout/initiate'

async function failureOf(call: Promise<unknown>): Promise<GatewayError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof GatewayError) return error
  throw new Error(`Expected a GatewayError, not ${String(error)}.`)
}

/** How a gateway that answers like this comes out of a status query. */
async function asked(answer: (arrival: Arrival) => ReturnType<typeof json> | Promise<never>) {
  const gateway = createScriptedGateway(answer)
  const error = await failureOf(gateway.outcome(gateway.client.getCheckoutStatus(ID)))
  return { gateway, error, tries: gateway.count(STATUS) }
}

describe('an answer', () => {
  test('to initiate is what the gateway said', async () => {
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

  test.each([400, 404, 500])(
    'of code 120 with HTTP %i says that the gateway knows no such checkout',
    async (status) => {
      const gateway = createScriptedGateway(() =>
        json({ status_code: 120, message: 'Transaction not found' }, status),
      )
      expect(await gateway.outcome(gateway.client.getCheckoutStatus(ID))).toBeNull()
      expect(gateway.count(STATUS)).toBe(1)
    },
  )
})

describe('a refusal', () => {
  test.each(checkoutErrors.filter(({ status_code }) => status_code !== 120))(
    'of code $status_code with 4xx is handed over and not repeated',
    async (refusal) => {
      const { error, tries } = await asked(() => json(refusal, 400))
      expect(error).toBeInstanceOf(GatewayRefusal)
      expect(error).toMatchObject({ code: 'gateway_refused', refusal })
      expect(tries).toBe(1)
    },
  )

  test('of the generic kind with 5xx may pass, and is asked again', async () => {
    const { error, tries } = await asked(() => json({ status_code: 174 }, 503))
    expect([error.code, tries]).toEqual(['gateway_unavailable', 3])
  })

  test('of a certain kind with 5xx is a refusal all the same', async () => {
    const { error, tries } = await asked(() => json({ status_code: 172 }, 500))
    expect([error.code, tries]).toEqual(['gateway_refused', 1])
  })
})

describe('what is no usable answer', () => {
  const cases: [string, (arrival: Arrival) => ReturnType<typeof json> | Promise<never>, string][] = [
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

  test.each(cases)('%s is asked for three times, and told by its code', async (_, answer, code) => {
    const { error, tries } = await asked(answer)
    expect([error.code, tries]).toEqual([code, 3])
    expect(error.message).toContain('GET /v2/checkout/status/:merchant_transaction_id')
  })

  test('names the field that is wrong', async () => {
    const payments = [{ amount: '5', payment_status: 801 }]
    const { error } = await asked(() => json({ ...checkoutPayload, currency: undefined, payments }))
    expect(error.message).toMatch(/currency .*payments\.0\.payment_status /)
  })

  test('is forgotten when the next one is', async () => {
    let refusals = 2
    const gateway = createScriptedGateway(() => (refusals-- > 0 ? json({}, 502) : json(checkoutPayload)))
    expect(await gateway.outcome(gateway.client.getCheckoutStatus(ID))).toMatchObject({ status: 801 })
  })

  test('takes no more of the shopper’s time than three deadlines and their pauses', async () => {
    const gateway = createScriptedGateway(silence)
    const begun = gateway.timeline.now()
    await failureOf(gateway.outcome(gateway.client.getCheckoutStatus(ID)))
    expect(gateway.timeline.now() - begun).toBeLessThanOrEqual(26_000)
    expect(gateway.arrivals.every(({ path, signal }) => path !== STATUS || signal.aborted)).toBe(true)
  })

  test('ends at once when the caller gives up', async () => {
    const gateway = createScriptedGateway(silence)
    const leaving = new AbortController()
    const call = gateway.client.getCheckoutStatus(ID, { signal: leaving.signal })
    await gateway.timeline.advance(0)
    leaving.abort(new Error('The caller left.'))
    await expect(call).rejects.toThrow('The caller left.')
    expect(gateway.arrivals.at(-1)?.signal.aborted).toBe(true)
  })
})

describe('an answer about something else', () => {
  test.each([
    ['merchant_transaction_id', 'another'],
    ['amount', 15],
    ['currency', 'UGX'],
  ])('than the %s that was asked for is a contradiction', async (field, other) => {
    const gateway = createScriptedGateway(() => json({ ...initiateAnswer, [field]: other }))
    const call = gateway.client.initiateCheckout(initiateRequest, { currency: 'KES' })
    const error = await failureOf(gateway.outcome(call))
    expect([error.code, gateway.count(INITIATE)]).toEqual(['gateway_contradiction', 1])
    expect(error.message).toContain(field)
  })

  test("to a status query is never another checkout's", async () => {
    const { error, tries } = await asked(() =>
      json({ ...checkoutPayload, merchant_transaction_id: 'another' }),
    )
    expect([error.code, tries]).toEqual(['gateway_contradiction', 1])
  })
})

describe('the token', () => {
  const anHour = 3_600_000

  test('is asked for once by 500 requests at the moment it ends', async () => {
    const gateway = createScriptedGateway(() => json(checkoutPayload))
    await gateway.outcome(gateway.client.getCheckoutStatus(ID))
    await gateway.timeline.advance(anHour)
    const all = Promise.all(Array.from({ length: 500 }, () => gateway.client.getCheckoutStatus(ID)))
    await gateway.outcome(all)
    expect([gateway.count('/v1/auth'), gateway.count(STATUS)]).toEqual([2, 501])
  })

  test('is asked for once more by 500 requests that were refused with it', async () => {
    const gateway = createScriptedGateway(({ token }) =>
      token === 'new' ? json(checkoutPayload) : json({}, 401),
    )
    let given = 0
    gateway.script.auth = () => json({ ...authAnswer, access_token: given++ === 0 ? 'old' : 'new' })
    const all = Promise.all(Array.from({ length: 500 }, () => gateway.client.getCheckoutStatus(ID)))
    await gateway.outcome(all)
    expect([gateway.count('/v1/auth'), gateway.count(STATUS)]).toEqual([2, 1_000])
  })

  test.each([
    ['HTTP 401', () => new Response(null, { status: 401 })],
    ['401 as the spec prints it', () => json(authFailures[0], 401)],
    ['400 as the spec prints it', () => json(authFailures[1], 400)],
    ['code 132', () => json({ status_code: 132, status_description: 'Invalid credentials' }, 403)],
  ])('is dropped and the call tried once more, and never more, after %s', async (_, answer) => {
    const { error, gateway, tries } = await asked(answer)
    expect([error.code, tries, gateway.count('/v1/auth')]).toEqual(['gateway_unauthorized', 2, 2])
  })

  test.each(authFailures)(
    'is not asked for again when the credentials are wrong: $statusCode',
    async (failure) => {
      const gateway = createScriptedGateway(() => json(checkoutPayload))
      gateway.script.auth = () => json(failure, failure.statusCode)
      const error = await failureOf(gateway.outcome(gateway.client.getCheckoutStatus(ID)))
      expect([error.code, gateway.count('/v1/auth'), gateway.count(STATUS)]).toEqual([
        'gateway_unauthorized',
        1,
        0,
      ])
    },
  )

  test('of a gateway that recovers is asked for again', async () => {
    const gateway = createScriptedGateway(() => json(checkoutPayload))
    gateway.script.auth = () => json({}, 503)
    expect((await failureOf(gateway.outcome(gateway.client.getCheckoutStatus(ID)))).code).toBe(
      'gateway_unavailable',
    )
    gateway.script.auth = () => json(authAnswer)
    expect(await gateway.outcome(gateway.client.getCheckoutStatus(ID))).toMatchObject({ status: 801 })
  })

  test.each([
    ['an hour, through most of it', 3600, 58 * 60, 1],
    ['an hour, not up to its last minute', 3600, 59 * 60, 2],
    ['a day, which is not believed', 86_400, 59 * 60, 2],
    ['ten minutes as text', '600', 9 * 60, 2],
    ['ten minutes, through most of them', 600, 8 * 60, 1],
    ['twenty seconds, through half of them', 20, 8, 1],
    ['a time that is not known', null, 59 * 60, 2],
  ])('is used for %s', async (_, expiresIn, seconds, authentications) => {
    const gateway = createScriptedGateway(() => json(checkoutPayload))
    gateway.script.auth = () => json({ access_token: 'a-token', expiresIn })
    await gateway.outcome(gateway.client.getCheckoutStatus(ID))
    await gateway.timeline.advance(seconds * 1000)
    await gateway.outcome(gateway.client.getCheckoutStatus(ID))
    expect(gateway.count('/v1/auth')).toBe(authentications)
  })
})

test('no message holds a secret, a token or what the gateway sent', async () => {
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
