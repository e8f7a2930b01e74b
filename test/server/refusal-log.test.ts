import { describe, expect, test } from 'vitest'
import type { WorldOptions } from '../support/world.ts'
import { createWorld, formOf, PAYER, SHOP } from '../support/world.ts'

/** Starts a checkout, and returns the answer and the lines of the log. */
async function start(form: Record<string, string>, { gateway, env = {}, order, headers }: Start = {}) {
  const shop = await createWorld({
    env,
    gateway: gateway ?? (() => Promise.reject(new Error('away'))),
  })
  shop.order('A-1', '1500', order)
  const answer = await shop.ask('/checkout/initiate', {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ order: 'A-1', ...PAYER, ...form }).toString(),
  })
  const lines = shop.logged
    .filter(({ level, facts }) => level !== 'debug' && 'code' in facts)
    .map(({ level, facts, message }) => ({ ...facts, level, message }))
  return { status: answer.status, body: await answer.json(), lines }
}

interface Start extends Pick<WorldOptions, 'env' | 'gateway'> {
  order?: object
  headers?: Record<string, string>
}

const REFUSED_LOGIN = () =>
  Response.json(
    { statusCode: 401, message: 'Invalid Authentication Credentials', error: 'Unauthorized' },
    { status: 401 },
  )

describe('a refused start', () => {
  test('for wrong credentials says so on the page and in the log, and is not worth a retry', async () => {
    const { status, body, lines } = await start({}, { gateway: REFUSED_LOGIN })
    expect([status, body]).toEqual([
      502,
      expect.objectContaining({
        code: 'gateway_unauthorized',
        retryable: false,
        detail: expect.stringContaining('does not accept GATEWAY_CONSUMER_KEY and GATEWAY_CONSUMER_SECRET'),
      }),
    ])
    expect(JSON.stringify(body)).not.toContain('send the same request again')
    expect(lines).toContainEqual(
      expect.objectContaining({ level: 'warn', order: 'A-1', message: expect.stringContaining('/v1/auth') }),
    )
  })

  test.each<[string, Record<string, string>, Start, RegExp]>([
    [
      'the origin',
      {},
      { headers: { origin: 'https://evil.example' } },
      /does not name https:\/\/evil\.example/,
    ],
    [
      'the return URL',
      { return_url: 'https://a.example/x?key=1' },
      {},
      /this return_url on https:\/\/a\.example\.$/,
    ],
    ['the order', { order: 'A-9' }, {}, /no order/],
    ['the field', { payer_email: 'nobody' }, {}, /payer_email must be an e-mail address/],
    [
      'the currency, and the setting',
      {},
      { order: { currency: 'EUR' }, env: { GATEWAY_SERVICE_CODE: 'KES=CHECKOUT-KES' } },
      /GATEWAY_SERVICE_CODE has no service for EUR/,
    ],
  ])('names in the log what was refused: %s', async (_, form, options, message) => {
    const { lines } = await start(form, options)
    expect(lines).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })])
    for (const secret of Object.values(PAYER)) expect(JSON.stringify(lines)).not.toContain(secret)
  })
})

test('every line about a checkout has its order, from the start to the acknowledged event', async () => {
  let isDown = true
  const shop = await createWorld({ backend: () => new Response(null, { status: isDown ? 500 : 204 }) })
  shop.order('A-1')
  const view = await shop.start('A-1')
  await shop.pay(view, 'approve')
  await shop.later(60_000)
  isDown = false
  await shop.later(60_000)
  const lines = shop.logged.filter(({ level, facts }) => level !== 'debug' && 'trace_id' in facts)
  expect(lines.map(({ message }) => message)).toEqual(
    expect.arrayContaining([
      'The checkout is settled: paid.',
      'An event could not be delivered to the merchant; it is retried.',
      "The merchant's backend accepted checkout.paid.",
    ]),
  )
  for (const { facts } of lines) expect(facts).toMatchObject({ order: 'A-1' })
})

test('a start under another host than that of PUBLIC_URL is named once, and no request that is refused', async () => {
  const other = { host: 'pay.shop.example' }
  const right = [
    { host: '127.0.0.1:4020' },
    { host: 'localhost:4020' },
    { host: '127.0.0.1' },
    { host: 'gateway_checkout', 'x-forwarded-host': '127.0.0.1:4020' },
  ]
  const shop = await createWorld()
  shop.order('A-1')
  const named = async (order: string, ...sent: Record<string, string>[]) => {
    for (const headers of sent)
      await shop.ask('/checkout/initiate', { ...formOf(order), headers: { origin: SHOP, ...headers } })
    return shop.logged.filter(({ message }) => message.startsWith('Requests arrive under another host'))
  }
  expect([await named('A-1', ...right), await named('NOBODY', other)]).toEqual([[], []])
  expect(await named('A-1', other, other)).toMatchObject([
    { level: 'warn', facts: { ...other, public_url: 'http://127.0.0.1:4020' } },
  ])
})
