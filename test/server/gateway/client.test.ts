import { describe, expect, test } from 'vitest'

import { ChargeRequest } from '../../../server/contract/charge.ts'
import { GatewayRefusal } from '../../../server/gateway/errors.ts'
import { NotConnectedError } from '../../../server/http/exchange.ts'
import { airtimeEntry } from '../../support/spec/airtime.ts'
import { charge } from '../../support/spec/charges.ts'
import {
  authAnswer,
  authFailures,
  authRequest,
  checkoutErrors,
  checkoutPayload,
  initiateAnswer,
  initiateRequest,
  wrongCredentials,
} from '../../support/spec/shapes.ts'
import {
  asked,
  createScriptedGateway,
  endless,
  failureOf,
  ID,
  json,
  silence,
  STATUS,
} from '../../support/worlds/scripted-gateway.ts'

import type { Answer } from '../../support/worlds/scripted-gateway.ts'

const INITIATE = '/v2/checkout/initiate'

function queried(answer: Answer) {
  const gateway = createScriptedGateway(answer)
  return { gateway, status: () => gateway.outcome(gateway.client.getCheckoutStatus(ID)) }
}

function initiated(answer: object) {
  const gateway = createScriptedGateway(() => json(answer))
  const call = gateway.client.initiateCheckout(initiateRequest, { currency: 'KES' })
  return { gateway, initiated: gateway.outcome(call) }
}

test('an id that comes as a long JSON number keeps its digits, and an amount loses the noise of its fraction', async () => {
  const { payments } = checkoutPayload
  const text = JSON.stringify({
    ...checkoutPayload,
    payments: [{ ...payments[0], transaction_id: '?', amount: '!' }],
  })
    .replace('"?"', '12345678901234567890')
    .replace('"!"', '1500.0000000000002')
  const { status } = queried(() => new Response(text))
  expect(await status()).toMatchObject({
    payments: [{ transaction_id: '12345678901234567890', amount: '1500' }],
  })
})

describe('an answer', () => {
  test.each([200, 201, 202])('to a status query is the payload, with HTTP %i', async (status) => {
    expect(await queried(() => json(checkoutPayload, status)).status()).toMatchObject({ status: 801 })
  })

  test.each([400, 404, 500])('of code 120 with HTTP %i means an unknown checkout', async (httpStatus) => {
    const body = { status_code: 120, message: 'Transaction not found' }
    const { gateway, status } = queried(() => json(body, httpStatus))
    expect({ status: await status(), count: gateway.count(STATUS) }).toEqual({ status: null, count: 1 })
  })
})

test('text of the gateway has no half of a surrogate pair, and is cut between characters', async () => {
  const [payment] = checkoutPayload.payments
  const texts = { service_code: '\udcb3\\ud83d 💳', payment_method_code: '💳'.repeat(1_001) }
  const payload = { ...checkoutPayload, checkout_reference: 'a \ud83d', payments: [{ ...payment, ...texts }] }
  const body = JSON.stringify(payload)
  expect(body).toContain(String.raw`\ud83d`)
  const { status } = queried(() => new Response(body))
  expect(await status()).toMatchObject({
    checkout_reference: 'a \ufffd',
    payments: [{ service_code: '\ufffd\\ud83d 💳', payment_method_code: '💳'.repeat(1_000) }],
  })
})

describe('a list of airtime', () => {
  const list = (...entries: unknown[]) => {
    const gateway = createScriptedGateway(() => json(entries))
    return gateway.outcome(gateway.client.getAirtimeStatus(airtimeEntry.external_reference))
  }

  const unreadable = [{ ...airtimeEntry, phone_number: '2547****0001' }, null]
  const read = { ...airtimeEntry, amount: '100' }

  test.each(unreadable)('is returned without the unreadable entry %j', async (entry) => {
    expect(await list(entry, airtimeEntry)).toEqual([read])
  })

  test.each([
    ['service_status', 999],
    ['amount', null],
    ['amount', '1,000'],
    ['external_reference', undefined],
  ])('keeps an entry whose %s is %j', async (field, value) => {
    expect(await list({ ...airtimeEntry, [field]: value })).toEqual([{ ...read, [field]: null }])
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

  test.each([
    ['the generic code', 174, 503, 'gateway_unavailable', 3],
    ['a specific code', 172, 500, 'gateway_refused', 1],
  ])('with %s, %i, and HTTP %i is %s, after %i tries', async (_, status_code, status, code, tries) => {
    expect(await asked(() => json({ status_code }, status))).toMatchObject({ error: { code }, tries })
  })

  test.each<[number, object]>([
    [504, { status_code: 504, message: 'upstream timed out' }],
    [500, { status_code: 500, message: 'Internal error' }],
    [502, { status_code: 172, message: 'Bad gateway' }],
    [500, { status_code: 176, message: 'Charge posted successfully' }],
    [409, { status_code: 176, message: 'Charge posted successfully' }],
    [400, { status_code: 173, message: 'Generic success' }],
    [409, { status_code: 999, message: 'Conflict' }],
    ...['Payer authentication failed: wrong PIN', '3-D Secure authentication pending'].map(
      (message): [number, object] => [400, { statusCode: 400, message, error: 'Bad Request' }],
    ),
  ])('is not what a charge is answered with HTTP %i and %j, and it is sent once', async (status, body) => {
    const gateway = createScriptedGateway(() => json(body, status))
    const posted = gateway.outcome(gateway.client.postCharge(ChargeRequest.parse(charge)))
    expect((await failureOf(posted)).code).toMatch(/^gateway_(unavailable|answer_invalid)$/)
    expect([gateway.count('/v1/auth'), gateway.count('/v1/charges')]).toEqual([1, 1])
  })
})

describe('an unusable answer', () => {
  const MOVED = 'https://www.gateway.example/v2?token=t'
  const REDIRECT = { status: 302, headers: { location: MOVED } }
  const EXPIRED = new TypeError('fetch failed', { cause: new Error('certificate has expired') })
  const FOREIGN = { statusCode: 400, message: 'amount must be a number', error: 'Bad Request' }
  test.each<[string, Answer, string]>([
    ['no connection', () => Promise.reject(new TypeError('fetch failed')), 'gateway_unreachable'],
    ['no answer in time', silence, 'gateway_timeout'],
    ['HTTP 500', () => json({}, 500), 'gateway_unavailable'],
    ['HTTP 429', () => json({ status_code: 174 }, 429), 'gateway_unavailable'],
    ['a redirect', () => new Response(null, REDIRECT), 'gateway_unavailable'],
    ['4xx without an error object', () => new Response('Not here', { status: 404 }), 'gateway_unavailable'],
    ["another framework's 400", () => json(FOREIGN, 400), 'gateway_unavailable'],
    ['HTML', () => new Response('<html>Welcome</html>'), 'gateway_answer_unreadable'],
    ['truncated JSON', () => new Response('{"status":801,"amo'), 'gateway_answer_unreadable'],
    ['an empty body', () => new Response(''), 'gateway_answer_unreadable'],
    ['no body', () => new Response(null, { status: 204 }), 'gateway_answer_unreadable'],
    ['a body without end', endless, 'gateway_answer_unreadable'],
    ['another shape', () => json({ ...checkoutPayload, status: 'paid' }), 'gateway_answer_invalid'],
  ])('%s is attempted three times and has its own error code', async (_, answer, code) => {
    const { error, tries } = await asked(answer)
    expect({ code: error.code, tries }).toEqual({ code, tries: 3 })
    expect(error.message).toContain('GET /v2/checkout/status/:merchant_transaction_id')
  })

  test.each<[string, Answer, RegExp]>([
    [
      'no connection',
      () => Promise.reject(EXPIRED),
      /cannot be reached at https?:\S+ \(certificate has expired\)\.$/,
    ],
    [
      'a redirect',
      () => new Response(null, REDIRECT),
      /HTTP 302 to https:\/\/www\.gateway\.example\/v2, which/,
    ],
    ['HTTP 500', () => json({}, 500), /: the gateway responds with HTTP 500\.$/],
  ])('names the cause: %s', async (_, answer, cause) => {
    expect((await asked(answer)).error.message).toMatch(cause)
  })

  test('names the invalid field', async () => {
    const { error } = await asked(() => json({ ...checkoutPayload, payments: {}, status: 700 }))
    expect(error.message).toMatch(/payments .*status /)
  })

  test('is forgotten when a retry succeeds, and logged without a reference or a secret', async () => {
    let refusals = 2
    const { gateway, status } = queried(() => (refusals-- > 0 ? json({}, 502) : json(checkoutPayload)))
    expect(await status()).toMatchObject({ status: 801 })
    const path = '/v2/checkout/status/:merchant_transaction_id'
    const failed = { method: 'GET', path, status: 502, code: 'gateway_unavailable' }
    expect(gateway.exchanges).toMatchObject([
      { method: 'POST', path: '/v1/auth', code: null },
      failed,
      failed,
      { method: 'GET', path, status: 200, code: null },
    ])
    expect(JSON.stringify(gateway.exchanges)).not.toMatch(new RegExp(`${ID}|secret|token`))
  })

  test('takes at most three deadlines and their pauses', async () => {
    const { gateway, status } = queried(silence)
    const begun = gateway.timeline.now()
    await failureOf(status())
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

describe('a send that was stored', () => {
  const ago = (ms: number, answer: Answer = () => json(initiateAnswer)) => {
    const gateway = createScriptedGateway(answer)
    const sentAt = gateway.timeline.now() - ms
    const call = () => gateway.client.initiateCheckout(initiateRequest, { currency: 'KES', sentAt })
    return { gateway, send: () => gateway.outcome(call()) }
  }

  test.each([
    ['30 s before', 30_000],
    ['by a clock that was 30 s ahead', -30_000],
  ])('%s is made', async (_, ms) => {
    expect(await ago(ms).send()).toEqual({ ...initiateAnswer, expires_at: '2026-11-21T09:30:00.000Z' })
  })

  test.each([
    ['more than 30 s before', 30_001],
    ['before the clock jumped back', -60_000],
  ])('%s is not made', async (_, ms) => {
    const { gateway, send } = ago(ms)
    const error = await failureOf(send())
    expect({ code: error.code, count: gateway.count(INITIATE) }).toEqual({
      code: 'gateway_timeout',
      count: 0,
    })
    expect({ message: error.message, isUnsent: error.isUnsent }).toEqual({
      message: expect.stringContaining('was not sent'),
      isUnsent: true,
    })
  })

  test('is not repeated after 30 s', async () => {
    const { gateway, send } = ago(22_500, silence)
    expect(await failureOf(send())).toMatchObject({ code: 'gateway_timeout', isUnsent: false })
    expect(gateway.count(INITIATE)).toBe(1)
  })

  test.each(['at first', 'after the old one was refused'])(
    'is not made after 30 s with a token requested %s',
    async (when) => {
      const { gateway, send } = ago(25_000, () => json({}, 401))
      if (when !== 'at first') {
        await gateway.outcome(gateway.client.authenticate())
      }

      gateway.script.auth = () => gateway.timeline.sleep(6_000).then(() => json(authAnswer))
      expect((await failureOf(send())).code).toBe('gateway_timeout')
      expect(gateway.count(INITIATE)).toBe(when === 'at first' ? 0 : 1)
    },
  )
})

describe('a failed call is known not to have been executed', () => {
  const failing = (code: string) => () =>
    Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) }))
  const limited = () => json({ message: 'Too many requests' }, 429)
  const rejected = () => json({ statusCode: 401, message: 'Unauthorized' }, 401)

  /** Returns whether a charge that gets these answers, one after the other, has certainly not been executed. */
  async function isUnsent(...answers: Answer[]) {
    const gateway = createScriptedGateway((arrival) => (answers.shift() ?? silence)(arrival))
    await gateway.outcome(gateway.client.authenticate())
    gateway.script.auth = () => json({}, 503)
    return (await failureOf(gateway.outcome(gateway.client.postCharge(ChargeRequest.parse(charge))))).isUnsent
  }

  test.each<[string, Answer]>([
    ['nothing listens at the address', failing('ECONNREFUSED')],
    ['no connection is made', () => Promise.reject(new NotConnectedError('certificate has expired'))],
    ['the gateway asks for less', limited],
    ['the token is refused, and no other is issued', rejected],
  ])('if %s', async (_, answer) => {
    expect(await isUnsent(answer)).toBe(true)
  })

  test.each<[string, Answer]>([
    ['the connection breaks', failing('ECONNRESET')],
    ['the connection closes', failing('UND_ERR_SOCKET')],
    ['there is no answer in time', silence],
    ['the answer is HTTP 503', () => json({}, 503)],
    ['the answer is a page', () => new Response('<html>Welcome</html>')],
    ['the gateway refuses it', () => json(checkoutErrors[0]!, 400)],
  ])('but not if %s', async (_, answer) => {
    expect(await isUnsent(answer)).toBe(false)
  })

  test.each<[string, Answer[], boolean]>([
    ['each attempt does', [limited, failing('ECONNREFUSED'), limited], true],
    ['the first attempt does not', [silence, limited, failing('ECONNREFUSED')], false],
    ['the last attempt does not', [limited, limited, silence], false],
    ['an attempt before the refusal of the token does not', [silence, rejected], false],
  ])('if each attempt proves it: %s', async (_, answers, expected) => {
    const gateway = createScriptedGateway((arrival) => (answers.shift() ?? silence)(arrival))
    await gateway.outcome(gateway.client.authenticate())
    gateway.script.auth = () => json({}, 503)
    const call = gateway.client.initiateCheckout(initiateRequest, { currency: 'KES' })
    expect((await failureOf(gateway.outcome(call))).isUnsent).toBe(expected)
  })
})

describe('an echo', () => {
  test('may be in other letters, and an id that is a number may be text', async () => {
    const capitals = { ...initiateAnswer, merchant_transaction_id: ID.toUpperCase(), amount: '1500' }
    expect(await initiated(capitals).initiated).toMatchObject({ amount: 1500 })
    const { status } = queried(() => json({ ...checkoutPayload, merchant_transaction_id: ID.toUpperCase() }))
    expect(await status()).toMatchObject({ status: 801 })

    const listed = { ...airtimeEntry, external_reference: airtimeEntry.external_reference.toLowerCase() }
    const airtime = createScriptedGateway(() => json([listed]))
    const entries = airtime.client.getAirtimeStatus(airtimeEntry.external_reference.toUpperCase())
    expect(await airtime.outcome(entries)).toMatchObject([{ phone_number: airtimeEntry.phone_number }])
  })

  test('of a reference of digits may be a number, in the answer to a charge and in its status', async () => {
    const answer = {
      status_code: 176,
      charge_request_id: 22406,
      external_reference: 100245,
      total_amount: 1500,
    }
    const posting = createScriptedGateway(() => json(answer, 201))
    const request = ChargeRequest.parse({ ...charge, external_reference: '100245', amount: 1500 })
    const posted = posting.outcome(posting.client.postCharge(request))
    expect(await posted).toMatchObject({ charge_request_id: '22406', external_reference: '100245' })

    const record = { external_reference: 100245, payment_status: 700, amount: 1500 }
    for (const report of [{ ...checkoutPayload, merchant_transaction_id: 100245 }, record]) {
      const gateway = createScriptedGateway(() => json(report))
      const asked = gateway.outcome(gateway.client.getChargeStatus('100245'))
      expect(await asked).toMatchObject({ merchant_transaction_id: '100245' })
    }
  })

  test('of a decision is a number where 8815201 was sent', async () => {
    const gateway = createScriptedGateway(() => json({ payment_id: 8815201 }))
    expect(await gateway.outcome(gateway.client.confirmService(decision))).toMatchObject({ message: null })
  })
})

const decision = { payment_id: '8815201', status: 'FAILED', narration: 'Sold out' } as const

test.each([
  ['without its payment', () => json({ payment_id: null })],
  ['without fields', () => json({})],
  ['without a body', () => new Response(null, { status: 200 })],
  ['of plain text', () => new Response('OK', { status: 200 })],
])('an answer to a decision %s takes none, and the client does not ask again', async (_, answer) => {
  const gateway = createScriptedGateway(answer)
  const { code } = await failureOf(gateway.outcome(gateway.client.confirmService(decision)))
  expect(code).toMatch(/^gateway_answer_/)
  expect(gateway.count('/transactions/acknowledge')).toBe(1)
})

test.each([109, 110, 115, 120, 172, 174])(
  'an answer with HTTP 200 and the error %i is no success, whatever else it has',
  async (status_code) => {
    const failure = { code: 'gateway_answer_invalid', message: expect.stringContaining(String(status_code)) }
    const gateway = createScriptedGateway(() => json({ payment_id: '8815201', status_code }))
    const confirmed = gateway.outcome(gateway.client.confirmService(decision))
    expect(await failureOf(confirmed)).toMatchObject(failure)
    const call = initiated({ ...initiateAnswer, status_code })
    expect(await failureOf(call.initiated)).toMatchObject(failure)
  },
)

describe('a contradiction', () => {
  test.each([
    ['merchant_transaction_id', 'another'],
    ['amount', 15],
    ['currency', 'UGX'],
  ])('is an answer with another %s than requested', async (field, other) => {
    const call = initiated({ ...initiateAnswer, [field]: other })
    const error = await failureOf(call.initiated)
    expect({ code: error.code, count: call.gateway.count(INITIATE) }).toEqual({
      code: 'gateway_contradiction',
      count: 1,
    })
    expect(error.message).toContain(field)
  })

  test('is an answer about another checkout', async () => {
    const other = { ...checkoutPayload, merchant_transaction_id: 'another' }
    const { error, tries } = await asked(() => json(other))
    expect({ code: error.code, tries }).toEqual({ code: 'gateway_contradiction', tries: 1 })
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

describe('the token', () => {
  const anHour = 3_600_000

  test('is requested once by 500 calls when it expires', async () => {
    const { gateway, status } = queried(() => json(checkoutPayload))
    await status()
    await gateway.timeline.advance(anHour)
    const all = Promise.all(Array.from({ length: 500 }, () => gateway.client.getCheckoutStatus(ID)))
    await gateway.outcome(all)
    expect([gateway.count('/v1/auth'), gateway.count(STATUS)]).toEqual([2, 501])
  })

  test('is renewed once by 500 calls that were refused with it', async () => {
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
    ['400 that names the credentials', () => json(wrongCredentials, 400)],
    ['code 132', () => json({ status_code: 132, status_description: 'Invalid credentials' }, 403)],
  ])('is renewed and the call sent again, five times in all, after %s', async (_, answer) => {
    const { error, gateway, tries } = await asked(answer)
    expect({ code: error.code, tries, count: gateway.count('/v1/auth') }).toEqual({
      code: 'gateway_unauthorized',
      tries: 5,
      count: 5,
    })
  })

  test('of one replica ends those of the others: calls of three replicas are all answered', async () => {
    let live = ''
    let given = 0
    const gateway = createScriptedGateway(({ token }) =>
      token === live ? json(checkoutPayload) : json({}, 401),
    )
    gateway.script.auth = () => json({ ...authAnswer, access_token: (live = `token ${given++}`) })
    const replicas = [gateway.client, gateway.another(2), gateway.another(3)]
    for (let round = 0; round < 20; round++) {
      const calls = replicas.flatMap((each) => [each.getCheckoutStatus(ID), each.getCheckoutStatus(ID)])
      expect(await gateway.outcome(Promise.all(calls))).toHaveLength(6)
    }
  })

  test.each([
    ['not requested again for wrong credentials', authFailures[0], 401, 'gateway_unauthorized', 1],
    ['requested again after the gateway has recovered', {}, 503, 'gateway_unavailable', 4],
  ])('is %s', async (_, failure, httpStatus, code, authentications) => {
    const { gateway, status } = queried(() => json(checkoutPayload))
    gateway.script.auth = () => json(failure, httpStatus)
    expect((await failureOf(status())).code).toBe(code)
    expect(gateway.count(STATUS)).toBe(0)
    gateway.script.auth = () => json(authAnswer)
    if (code === 'gateway_unavailable') {
      expect(await status()).toMatchObject({ status: 801 })
    }

    expect(gateway.count('/v1/auth')).toBe(authentications)
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
    const { gateway, status } = queried(() => json(checkoutPayload))
    gateway.script.auth = () => json({ access_token: 'a-token', expiresIn })
    await status()
    await gateway.timeline.advance(seconds * 1000)
    await status()
    expect(gateway.count('/v1/auth')).toBe(authentications)
  })
})
