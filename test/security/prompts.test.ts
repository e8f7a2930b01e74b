import { expect, test } from 'vitest'

import { createChargeWorld } from '../support/worlds/charge-world.ts'
import { formOf } from '../support/worlds/world.ts'

const VICTIM = ['+254 700 000 001', '0700-000-001', '254 0700 000 001', '\u200e+254 (0)700 000 001']

async function openShop() {
  const shop = await createChargeWorld({ env: { GATEWAY_CHARGE_METHODS: 'MOMO_KEN' } })

  const ask = (order: string, fields: Record<string, string> = {}) => {
    shop.order(order)
    return shop.initiate(order, { method: 'prompt', ...fields })
  }

  return { ...shop, request: shop.ask, ask }
}

test('a stranger rings one phone three times in ten minutes, however he writes it; its payer still gets the page', async () => {
  const shop = await openShop()
  const asks = Array.from({ length: 20 }, (_, order) =>
    shop.ask(`A-${order}`, { payer_msisdn: VICTIM[order % 4] ?? '' }),
  )
  const answers = await Promise.all(asks)
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  const pages = await Promise.all(
    answers.filter(({ status }) => status === 200).map((answer) => answer.json()),
  )
  expect(pages).toHaveLength(17)
  for (const page of pages) {
    expect(page).toMatchObject({ prompt: { method: null }, redirect_url: expect.any(String) })
  }

  expect(shop.posts()).toBe(3)
  await shop.restart()
  expect((await shop.ask('A-30', { payer_msisdn: VICTIM[0] ?? '' })).status).toBe(200)
  expect(shop.posts()).toBe(3)
  expect(JSON.stringify(shop.logged)).not.toContain('700000001')
})

test('a prompt beyond a limit whose payer has not the details of a page is refused, with the way that remains', async () => {
  const shop = await openShop()
  const phone = { payer_msisdn: VICTIM[0] ?? '', payer_name: '', payer_email: '' }
  for (let order = 0; order < 3; order++) {
    expect((await shop.ask(`A-${order}`, phone)).status).toBe(201)
  }

  const answer = await shop.ask('A-3', phone)
  expect({ status: answer.status, 'retry-after': answer.headers.get('retry-after') }).toEqual({
    status: 429,
    'retry-after': '600',
  })
  expect((await answer.json()).detail).toBe('Too many prompts were sent. The payment page remains.')
  expect((await shop.initiate('A-3')).status).toBe(201)
})

test('prompts that a stranger has on phones that nobody answers lock no payer out: the third attempt in a day is the page', async () => {
  const shop = await openShop()
  for (const payer_msisdn of ['0711119003', '0722229003']) {
    expect((await shop.ask('A-1', { payer_msisdn })).status).toBe(201)
    await shop.later(61_000)
  }

  const answer = await shop.ask('A-1', { payer_msisdn: '0733339003' })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ attempt: 3, prompt: { method: null } })
  expect(shop.posts()).toBe(2)
  expect(await shop.start('A-1')).toMatchObject({ attempt: 3, redirect_url: expect.any(String) })
})

test('a plain form beyond a limit is led to the page', async () => {
  const shop = await openShop()
  for (let order = 0; order < 3; order++) {
    await shop.ask(`A-${order}`)
  }

  shop.order('A-3')
  const form = formOf('A-3', { method: 'prompt' }, { accept: 'text/html' })
  const answer = await shop.request('/checkout/initiate', form)
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toMatch(/^http/)
})
