import { describe, expect, test } from 'vitest'
import { asked, createScriptedGateway, failureOf, ID, json, STATUS } from '../support/scripted-gateway.ts'
import { authAnswer, authFailures, checkoutPayload } from '../support/spec-shapes.ts'

describe('the token', () => {
  const anHour = 3_600_000

  test('is requested once by 500 calls when it expires', async () => {
    const gateway = createScriptedGateway(() => json(checkoutPayload))
    await gateway.outcome(gateway.client.getCheckoutStatus(ID))
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
    ['code 132', () => json({ status_code: 132, status_description: 'Invalid credentials' }, 403)],
  ])('is renewed and the call retried once after %s', async (_, answer) => {
    const { error, gateway, tries } = await asked(answer)
    expect([error.code, tries, gateway.count('/v1/auth')]).toEqual(['gateway_unauthorized', 2, 2])
  })

  test.each(authFailures)(
    'is not requested again when the credentials are wrong: $statusCode',
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

  test('is requested again after the gateway has recovered', async () => {
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
