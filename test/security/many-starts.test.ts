import { describe, expect, test } from 'vitest'
import { createWorld, SHOP } from '../support/world.ts'

const THANKS = `${SHOP}/thanks`
const HTML = { accept: 'text/html', 'accept-language': 'en' }

async function shopper(order: object = {}) {
  const world = await createWorld()
  world.order('A-1', '500', order)
  const start = (fields: Record<string, string> = {}) => world.start('A-1', { return_url: THANKS, ...fields })
  async function comeBack({ checkout_id }: { checkout_id: string }) {
    const answer = await world.ask(`/checkout/return/${checkout_id}`, { headers: HTML })
    const page = await answer.text()
    const links = [...page.matchAll(/<a[^>]* href="([^"]*)"/g)].map(([, href = '']) => href)
    return { status: answer.status, location: answer.headers.get('location'), page, links }
  }
  return { world, start, comeBack }
}

test('sixty parallel starts of one order with different return URLs neither fail nor lock the shopper out', async () => {
  const { world, start, comeBack } = await shopper()
  const urls = Array.from({ length: 60 }, (_, index) => `${SHOP}/start?n=${index}`)
  const answers = await Promise.all(urls.map((return_url) => world.initiate('A-1', { return_url })))
  expect(answers.filter(({ ok }) => !ok).map(({ status }) => status)).toEqual([])
  const again = await Promise.all([...urls.map((return_url) => start({ return_url })), start()])
  expect(new Set(again.map(({ checkout_id }) => checkout_id)).size).toBe(1)
  const begun = await start()
  await world.pay(begun, 'approve')
  await world.later(5_000)
  const { status, page, links } = await comeBack(begun)
  expect([status, links.length]).toEqual([200, 5])
  expect(page).toContain('<main class="paid"')
  for (const link of links) expect(link).toMatch(/^https:\/\/shop\.example\/.*#gateway-checkout=[\w-]+$/)
})

describe('somebody who starts the same order', () => {
  test.each<[string, Record<string, string>]>([
    ['another return URL', { return_url: `${SHOP}/elsewhere` }],
    ['another way to open the page', { launch: 'popup' }],
  ])('with %s redirects nobody: the shopper sees the outcome and his link', async (_, other) => {
    for (const starts of [
      [{}, other],
      [other, {}],
    ]) {
      const { world, start, comeBack } = await shopper()
      const [begun] = [await start(starts[0]), await start(starts[1])]
      await world.pay(begun, 'approve')
      await world.later(5_000)
      const { status, location, page, links } = await comeBack(begun)
      expect([status, location]).toEqual([200, null])
      expect(page).toContain('<main class="paid"')
      expect(page).not.toMatch(/location|data-opener/)
      const fragment = `#gateway-checkout=${begun.checkout_id}`
      const urls = new Set([THANKS, other['return_url'] ?? THANKS])
      expect(new Set(links)).toEqual(new Set([...urls].map((url) => url + fragment)))
    }
  })

  test('in another language does not change the language of the shopper', async () => {
    for (const langs of [
      ['en', 'ar'],
      ['ar', 'en'],
    ]) {
      const { start, comeBack } = await shopper()
      const [begun] = [
        await start({ return_url: '', lang: langs[0] ?? '' }),
        await start({ return_url: '', lang: langs[1] ?? '' }),
      ]
      expect((await comeBack(begun)).page).toContain('<html lang="en"')
    }
  })

  test('with a forbidden return URL adds no link', async () => {
    const { world, start, comeBack } = await shopper()
    const begun = await start()
    const answer = await world.initiate('A-1', { return_url: 'https://evil.example/' })
    expect(answer.status).toBe(422)
    const { status, location } = await comeBack(begun)
    expect([status, location]).toEqual([303, `${THANKS}#gateway-checkout=${begun.checkout_id}`])
  })

  test('cannot change the return URL of an order that has its own', async () => {
    const own = 'https://elsewhere.example/own'
    for (const other of [{ return_url: `${SHOP}/elsewhere` }, { launch: 'popup' }, { lang: 'ar' }]) {
      const { start, comeBack } = await shopper({ return_url: own })
      const [begun] = [await start(other), await start(), await start(other)]
      const { status, location } = await comeBack(begun)
      expect([status, location]).toEqual([303, `${own}#gateway-checkout=${begun.checkout_id}`])
    }
  })
})

test('a shopper who starts again from the same page is redirected to it', async () => {
  const { start, comeBack } = await shopper()
  const [begun] = [await start(), await start(), await start({ return_url: '' })]
  const { status, location } = await comeBack(begun)
  expect([status, location]).toEqual([303, `${THANKS}#gateway-checkout=${begun.checkout_id}`])
})
