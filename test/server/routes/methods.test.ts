import { expect, test } from 'vitest'

import { SHOP } from '../../support/worlds/environment.ts'
import { shopWithOrder } from '../../support/worlds/shop-with-order.ts'

const METHODS =
  'MOMO_KEN=MoMo:25470 25471 dial=*334# least=10 greatest=150000,WAVELET_KEN=Wavelet:25473 away,MOMO_UGA'

async function ask(query = '', env: Record<string, string> = {}) {
  const { shop } = await shopWithOrder({ env: { GATEWAY_CHARGE_METHODS: METHODS, ...env } })
  const answer = await shop.ask(`/checkout/methods${query}`, { headers: { origin: SHOP } })
  return { answer, body: await answer.json() }
}

test('the operators are told with their prefixes and whether they are away, and nothing else of them', async () => {
  const { answer, body } = await ask('?country=KE')
  expect(answer.status).toBe(200)
  expect(body).toEqual({
    calling_code: '254',
    methods: [
      { name: 'MoMo', prefixes: ['25470', '25471'], away: false },
      { name: 'Wavelet', prefixes: ['25473'], away: true },
      { name: 'MOMO_UGA', prefixes: [], away: false },
    ],
  })
})

test('pages that may start a checkout read the operators, and may keep them for a minute', async () => {
  const { answer } = await ask()
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'cache-control': 'public, max-age=60',
    'access-control-allow-origin': SHOP,
    vary: 'Origin',
  })
})

test.each([
  ['?country=ug', 'KE', '256'],
  ['?country=', 'KE', '254'],
  ['', 'KE', '254'],
  ['', '', null],
  ['?country=Kenya', 'KE', null],
])(
  'a national number is completed as it is after a press: %s, and DEFAULT_COUNTRY=%s',
  async (query, country, code) => {
    const { body } = await ask(query, { DEFAULT_COUNTRY: country })
    expect(body).toHaveProperty('calling_code', code)
  },
)

test('a server that asks nobody on the phone has no operators', async () => {
  const { body } = await ask('', { GATEWAY_CHARGE_METHODS: '' })
  expect(body).toHaveProperty('methods', [])
})
