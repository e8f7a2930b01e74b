import { expect, test } from 'vitest'

import { createWorld } from '../support/worlds/world.ts'

const CASES = [
  ['CD', '0812345678', '243812345678'],
  ['CM', '670123456', '237670123456'],
  ['ET', '0911234567', '251911234567'],
  ['TG', '90112345', '22890112345'],
  ['lr', '0770123456', '231770123456'],
] as const

test.each(CASES)(
  'a shop in %s: the number %s is its own, whatever DEFAULT_COUNTRY is',
  async (country, typed, number) => {
    const shop = await createWorld()
    shop.order('A-1')
    await shop.start('A-1', { country, payer_msisdn: typed })
    expect(await sentNumbers(shop)).toEqual([number])
  },
)

test.each(['XX', 'COD', 'Kenya'])(
  'of the unknown country %s, only a number with its calling code is taken',
  async (country) => {
    const shop = await createWorld()
    shop.order('A-1')
    for (const payer_msisdn of ['0700000001', '670123456', '254700000001']) {
      const answer = await shop.initiate('A-1', { country, payer_msisdn })
      const { errors } = await answer.json()
      expect({ status: answer.status, errors }).toMatchObject({
        status: 422,
        errors: [{ path: 'payer_msisdn' }],
      })
      expect(errors[0].message).toContain(`"${country}" is not the two letters of a country`)
    }

    expect(shop.gatewayRequests()).toEqual([])
    await shop.start('A-1', { country, payer_msisdn: '+254 700 000 001' })
    expect(await sentNumbers(shop)).toEqual(['254700000001'])
  },
)

test.each([
  ['BJ', '97 12 34 56', 'a number from before 30 November 2024, and digits that +971 may have'],
  ['NG', '009 254 700 000 001', 'one of +254 or +92'],
])(
  'in a shop in %s, %s is refused at its field, and is no phone abroad: %s',
  async (country, payer_msisdn) => {
    const shop = await createWorld({ env: { DEFAULT_COUNTRY: country } })
    shop.order('A-1')
    const answer = await shop.initiate('A-1', { payer_msisdn })
    expect({ status: answer.status, errors: (await answer.json()).errors }).toMatchObject({
      status: 422,
      errors: [{ path: 'payer_msisdn' }],
    })
    expect(await sentNumbers(shop)).toEqual([])
  },
)

test('a national number in an order is not completed by an unknown country of the tag', async () => {
  const shop = await createWorld()
  shop.order('A-1', '500', { payer: { msisdn: '0770123456' } })
  const answer = await shop.initiate('A-1', { country: 'Liberia', payer_msisdn: '' })
  expect({ status: answer.status, errors: (await answer.json()).errors }).toMatchObject({
    status: 422,
    errors: [{ path: 'payer_msisdn' }],
  })
})

test('DEFAULT_COUNTRY may be any country, and no other text', async () => {
  const shop = await createWorld({ env: { DEFAULT_COUNTRY: 'LR' } })
  shop.order('A-1')
  await shop.start('A-1', { payer_msisdn: '0770123456' })
  expect(await sentNumbers(shop)).toEqual(['231770123456'])
  await expect(createWorld({ env: { DEFAULT_COUNTRY: 'XX' } })).rejects.toThrow(
    'DEFAULT_COUNTRY must be the two letters of a country',
  )
})

/** Resolves with the phone numbers that the gateway received. */
async function sentNumbers(shop: Awaited<ReturnType<typeof createWorld>>): Promise<string[]> {
  const { requests } = await (await shop.sandbox.app.request('/_sandbox/requests')).json()
  return requests.flatMap(({ body }: { body: { payer_msisdn?: string } | null }) => body?.payer_msisdn ?? [])
}
