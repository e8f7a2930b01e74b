import { describe, expect, test } from 'vitest'

import { MINUTE } from '../../../server/transactions/schedule.ts'
import { en } from '../../../widget/words/en.ts'
import { SHOP } from '../../support/worlds/environment.ts'
import { shopWithCheckout } from '../../support/worlds/shop-with-order.ts'
import { PAYER } from '../../support/worlds/world.ts'

import type { CheckoutView } from '../../../server/api/view.ts'
import type { World } from '../../support/worlds/world.ts'

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'
const FACE = {
  MERCHANT_NAME: 'Pwani Goods',
  MERCHANT_HELP: 'tel:+254 700 000 001',
  MERCHANT_LOGO: 'https://cdn.pwani.example/logo.png',
  MERCHANT_ACCENT: '#7a1f5c',
}

const returned = (shop: World, begun: CheckoutView, headers: Record<string, string> = {}) =>
  shop.ask(`/checkout/return/${begun.checkout_id}`, { headers: { accept: HTML, ...headers } })

/** Returns the text of a page, as a person reads it. */
const textOf = (html: string) =>
  html
    .replace(/<head>.*<\/head>|<script.*?<\/script>|<[^>]*>/gs, ' ')
    .replaceAll('\u00A0', ' ')
    .replaceAll(/\s+/g, ' ')

const payPart = (shop: World, begun: CheckoutView) => shop.pay(begun, 'partial', { amount: 200 })

describe('the outcome page', () => {
  async function page(make: (shop: World, begun: CheckoutView) => Promise<void>, env = {}) {
    const { shop, begun } = await shopWithCheckout({ env }, { return_url: '' })
    await make(shop, begun)
    const answer = await returned(shop, begun)
    expect({ status: answer.status, 'content-type': answer.headers.get('content-type') }).toEqual({
      status: 200,
      'content-type': 'text/html; charset=UTF-8',
    })
    return answer.text()
  }

  test('the outcome page does not offer to pay between the end of a session and what the gateway says of it', async () => {
    const html = await page(async (shop, begun) => {
      await shop.pay(begun, 'wrong_pin')
      await shop.later(30 * 60_000 + 30_000)
    })
    expect(html).toContain(`<h1>${en.sentence.checking[0]}</h1>`)
    expect(html).toContain(en.ended)
    expect(html).not.toContain(en.sentence.unpaid[1])
    expect(html).not.toContain('/pay/')
    expect(html).toContain('http-equiv="refresh"')
  })

  test.each([
    ['wrong_pin', en.reason.wrong_pin],
    ['limit', en.reason.limit_reached],
    ['silent', en.sentence.unpaid],
  ])(
    'the outcome page says why the last payment failed, as far as that is known: %s',
    async (scenario, [title, remedy]) => {
      const html = await page((shop, begun) => shop.pay(begun, scenario))
      expect(html).toContain(`<h1>${title}</h1>`)
      expect(textOf(html)).toContain(` ${remedy} ${en.sms} `)
    },
  )

  test('the outcome page says what remains of a payment in part, and asks for it before the numbers', async () => {
    const html = await page((shop, begun) => shop.pay(begun, 'partial', { amount: 200 }))
    // An id in an address may have the same digits.
    const text = html.replace(/<head>.*<\/head>|<[^>]*>/gs, ' ').replaceAll('\u00A0', ' ')
    expect(text).toMatch(/KES 300 to go[^]*Pay the remaining KES 300[^]*Order:/)
    expect(text.match(/KES\s300/g)).toHaveLength(2)
    expect(html).toMatch(/<a class="primary" href="http:\/\/127\.0\.0\.1:4010\/pay\//)
    expect(html).toContain(`<a class="" href="${SHOP}/" `)
  })

  test.each([
    ['waiting', async () => {}, en.openPage],
    ['failed', (shop: World, begun: CheckoutView) => shop.pay(begun, 'wrong_pin'), en.retry],
  ] as const)('the outcome page has the next step before the numbers: %s', async (_, act, words) => {
    const html = await page(act)
    const places = [words, en.backToShop, en.order].map((text) => html.indexOf(text))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    expect(places).not.toContain(-1)
  })

  test.each(['slow', 'jam'])(
    'the outcome page does not lead to the payment page where it says not to pay again: %s',
    async (does) => {
      const html = await page(async (shop, begun) => {
        await shop.pay(begun, does)
        await shop.later(10_000)
      })
      expect(html).toContain('Please do not pay again.')
      expect(html).not.toMatch(/4010\/pay\//)
    },
  )

  test('the outcome page names whom and when, the receipt number before the order, and where the shop is reached', async () => {
    const { shop, begun } = await shopWithCheckout({ env: FACE }, { return_url: '' })
    await shop.pay(begun, 'approve')
    await shop.later(3_000)
    const [payment] = (await shop.status(begun.checkout_id)).payments
    const answer = await returned(shop, begun)
    const html = await answer.text()
    expect(payment?.receipt).toMatch(/^\w{10}$/)
    const text = html.replace(/<head>.*<\/head>|<script.*?<\/script>|<[^>]*>/gs, ' ').replaceAll(/\s+/g, ' ')
    expect(text).toContain(
      `Receipt number: ${payment?.receipt} Copy Order: A-1 Copy Reference: ${begun.merchant_transaction_id} Copy`,
    )
    expect(text).toMatch(/Paid to \u2068Pwani Goods\u2069 21 Nov 2026, \d\d:\d\d UTC/)
    expect(html).toContain(`<time datetime="${payment?.paid_at}">`)
    expect(html).toContain('<a href="tel:+254700000001" dir="auto" id="address-0">+254 700 000 001</a>')
    expect(text).toMatch(/Contact the shop \+254 700 000 001/)
    expect(html).toContain('<img src="https://cdn.pwani.example/logo.png" alt=""/>')
    expect(html).toContain(':root { --accent: #7a1f5c; --on-accent: #fff; --shade: #000 }')
    expect(answer.headers.get('content-security-policy')).toContain(
      'img-src data: https://cdn.pwani.example;',
    )
  })

  test.each([
    ['unpaid', 'wrong_pin', 'details'],
    ['partial', 'partial', 'details'],
    ['expired', 'none', 'details'],
    ['paid', 'approve', 'details'],
    ['jammed', 'jam', 'div'],
  ] as const)(
    'the outcome page can fold the addresses of the shop, except where nobody else can help: %s',
    async (outcome, scenario, place) => {
      const { shop, begun } = await shopWithCheckout({ env: FACE }, { return_url: '' })
      if (scenario !== 'none') {
        await shop.pay(begun, scenario, scenario === 'partial' ? { amount: 200 } : {})
      }

      await shop.later(outcome === 'expired' ? 40 * MINUTE : 3_000)
      expect(await shop.status(begun.checkout_id)).toMatchObject({ outcome })
      const answer = await returned(shop, begun)
      const html = await answer.text()
      expect(html.match(/<\w+ class="contact"/g)).toEqual([`<${place} class="contact"`])
    },
  )

  test('the outcome page has the first letter of the name without a picture, and no face without a name', async () => {
    const { shop, begun } = await shopWithCheckout({ env: { MERCHANT_NAME: '<b>' } }, { return_url: '' })
    const answer = await returned(shop, begun)
    expect(await answer.text()).toContain('<span aria-hidden="true">&lt;</span><bdi>&lt;b&gt;</bdi>')
    expect(await page(async () => {})).not.toMatch(/<header>|href="(tel|mailto):/)
  })

  test('the outcome page says that it waits, reloads itself, and never shows payer details', async () => {
    const html = await page(async () => {})
    for (const secret of [PAYER.payer_name, PAYER.payer_email, '254700000001']) {
      expect(html).not.toContain(secret)
    }

    expect(html).toContain('<main class="waiting"')
    expect(html).toContain('<noscript><meta http-equiv="refresh" content="5"')
    expect(html).toMatch(/href="http:\/\/127\.0\.0\.1:4010\/pay\//)
  })

  test.each([
    ['paid', 'approve', 3_000],
    ['partial', 'partial', 40 * 60_000],
    ['expired', 'none', 40 * 60_000],
  ])('the outcome page says %s, and is left at that', async (outcome, scenario, wait) => {
    const html = await page(async (shop, begun) => {
      if (scenario !== 'none') {
        await shop.pay(begun, scenario, scenario === 'partial' ? { amount: 200 } : {})
      }

      await shop.later(wait)
    })
    expect(html).toContain(`<main class="${outcome}"`)
    expect(html).not.toContain('http-equiv="refresh"')
    expect(html).not.toMatch(/href="http:\/\/127\.0\.0\.1:4010\/pay\//)
  })

  test.each([
    ['sw', '', 'lang="sw" dir="ltr"'],
    ['', 'sw-TZ,sw;q=0.9,en;q=0.8', 'lang="sw-TZ" dir="ltr"'],
    ['', 'de-DE,de;q=0.9,sw;q=0.8', 'lang="sw" dir="ltr"'],
    ['ar-EG', 'en', 'lang="ar-EG" dir="rtl"'],
    ['fr_FR', 'en', 'lang="fr-FR" dir="ltr"'],
    ['', '', 'lang="en" dir="ltr"'],
  ])(
    'the outcome page asked for in %j, by a browser that wants %j, speaks %s',
    async (lang, accepted, spoken) => {
      const { shop, begun } = await shopWithCheckout({}, { return_url: '', lang })
      const html = await (await returned(shop, begun, { 'accept-language': accepted })).text()
      expect(html).toContain(`<html ${spoken}>`)
    },
  )

  test.each([
    ['nothing was paid', async () => {}, en.startAgain],
    ['a part was paid', payPart, ''],
  ] as const)(
    'the outcome page says how much time is left, and warns two minutes before the end: %s',
    async (_, act, startAgain) => {
      const early = textOf(
        await page(async (shop, begun) => {
          await act(shop, begun)
          await shop.later(10 * MINUTE)
        }),
      )
      expect(early).toMatch(/ (19|20):\d\d left /)
      expect(early).not.toContain(en.endsSoon)
      const late = textOf(
        await page(async (shop, begun) => {
          await act(shop, begun)
          await shop.later(28.5 * MINUTE)
        }),
      )
      expect(late).toMatch(/ 1:\d\d left /)
      expect(late).toContain(`${en.endsSoon} ${startAgain}`.trim())
      expect(late.includes(en.startAgain)).toBe(startAgain !== '')
    },
  )

  test('the outcome page says at the end not to pay again, and where the shop is reached', async () => {
    const html = await page(async (shop) => {
      await shop.later(30 * MINUTE + 30_000)
    }, FACE)
    const text = textOf(html)
    expect(text).toContain(en.sentence.checking.join(' '))
    expect(text).toContain(en.ended)
    expect(text).toContain('+254 700 000 001')
    expect(text).not.toMatch(/\d:\d\d left/)
  })

  test.each([
    ['paid', (shop: World, begun: CheckoutView) => shop.pay(begun, 'approve')],
    ['waiting', async () => {}],
  ] as const)('the outcome page says what was paid for: %s', async (_, act) => {
    const text = textOf(
      await page(async (shop, begun) => {
        await act(shop, begun)
        await shop.later(3_000)
      }),
    )
    expect(text).toContain(' KES 500 Two kangas ')
  })

  test('the outcome page announces the message alone, line by line', async () => {
    const html = await page(async () => {})
    expect(html).not.toMatch(/<main[^>]*aria-live/)
    const said = /<div class="said"[^>]*aria-live="polite"[^>]*>(.*?)<\/div>/s.exec(html)?.[1] ?? ''
    expect(textOf(said)).toContain(en.sentence.waiting[0])
    expect(textOf(said)).not.toMatch(/left|Order:/)
  })
})
