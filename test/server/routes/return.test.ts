import { describe, expect, test } from 'vitest'

import { MINUTE } from '../../../server/transactions/schedule.ts'
import { en } from '../../../widget/words/en.ts'
import sw from '../../../widget/words/sw.ts'
import { SHOP } from '../../support/worlds/environment.ts'
import { DOWN } from '../../support/worlds/network.ts'
import { JSON_TYPE, REQUEST, shopWithCheckout, shopWithOrder } from '../../support/worlds/shop-with-order.ts'

import type { World } from '../../support/worlds/world.ts'

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'
const BFF = 'http://127.0.0.1:4020'
const FACE = {
  MERCHANT_NAME: 'Pwani Goods',
  MERCHANT_HELP: 'tel:+254 700 000 001',
  MERCHANT_LOGO: 'https://cdn.pwani.example/logo.png',
  MERCHANT_ACCENT: '#7a1f5c',
}

async function started(fields: Record<string, string> = {}) {
  const { shop, begun } = await shopWithCheckout({}, fields)
  const back = (headers: Record<string, string> = {}, appended = '') =>
    shop.ask(`/checkout/return/${begun.checkout_id}${appended}`, { headers: { accept: HTML, ...headers } })
  return { shop, begun, back }
}

describe('a shopper who left by redirect', () => {
  const EVIL = '?external_reference=another&payment_status=700&status=801&return_url=https://evil.example'

  test.each<[string, fields: Record<string, string>, appended: string, returnsTo: string]>([
    ['to the page of the shop', {}, '', `${SHOP}/basket#`],
    [
      'to the page as it was, and its route',
      { return_url: `${SHOP}/basket?item=1&x=%22#top` },
      '',
      `${SHOP}/basket?item=1&x=%22#top-`,
    ],
    [
      'to the route of the page, without the checkout of an earlier return',
      { return_url: `${SHOP}/basket#/orders/7-gateway-checkout-pZ0R4uXbTn2vM8kQwY6sLg00` },
      '',
      `${SHOP}/basket#/orders/7-`,
    ],
    ['to no other page by what is appended to the address', {}, EVIL, `${SHOP}/basket#`],
  ])(
    'a shopper who left by redirect is sent %s, with the checkout for its tag',
    async (_, fields, appended, returnsTo) => {
      const { shop, begun, back } = await started(fields)
      const { status, headers } = await back({}, appended)
      const location = `${returnsTo}gateway-checkout-${begun.checkout_id}`
      expect({ status, location: headers.get('location') }).toEqual({ status: 303, location })
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(await shop.status(begun.checkout_id)).toMatchObject({ outcome: 'waiting', amount_paid: '0' })
    },
  )

  test.each<[string, appended: string, init: RequestInit]>([
    ['a form', '', { method: 'POST', body: new URLSearchParams({ status: '801', order: 'A-2' }) }],
    ['a form of a megabyte', '', { method: 'POST', body: 'x'.repeat(1_000_000) }],
    ['a check without a body', '', { method: 'HEAD' }],
    ['a slash', '/', {}],
    ['a status without a question mark', '&status=801', {}],
    ['an encoded status', '%3Fstatus%3D801', {}],
    ['a status that is encoded twice', '%2526status=801', {}],
    ['an address', '&back=https://evil.example/x/', { method: 'POST' }],
    ['a segment', '/801', {}],
    ['a word', '-801', {}],
    ['a word in letters of an id', 'success', {}],
  ])(
    'a shopper who left by redirect is sent to the page of the shop whatever the gateway does: %s',
    async (_, appended, init) => {
      const { shop, begun } = await started()
      for (const accept of [HTML, '*/*', 'application/json']) {
        const { status, headers } = await shop.ask(`/checkout/return/${begun.checkout_id}${appended}`, {
          ...init,
          headers: { accept, origin: 'null' },
        })
        expect({ status, location: headers.get('location') }).toEqual({
          status: 303,
          location: expect.stringContaining(begun.checkout_id),
        })
      }
    },
  )

  test.each(['', '/unknown', '/pZ0R4uXbTn2vM8kQwY6sLg', '/pZ0R4uXbTn2vM8kQwY6sLg&status=801', '/%E0%A4%A'])(
    'a shopper who left by redirect gets a page, and never JSON, at the address of no checkout: %j',
    async (path) => {
      const { shop } = await started()
      for (const method of ['GET', 'POST']) {
        for (const accept of [HTML, '*/*', 'application/json']) {
          const answer = await shop.ask(`/checkout/return${path}`, { method, headers: { accept } })
          expect({ status: answer.status, 'content-type': answer.headers.get('content-type') }).toEqual({
            status: 404,
            'content-type': 'text/html; charset=UTF-8',
          })
        }
      }
    },
  )

  test('a shopper who left by redirect is redirected even when the gateway does not respond', async () => {
    const { shop, back } = await started()
    shop.network.reliability.gateway = DOWN
    await shop.later(5_000)
    expect((await back()).status).toBe(303)
  })
})

describe('a shopper who returns', () => {
  async function returned() {
    const { shop, begun, back } = await started({ return_url: '', launch: 'popup' })
    await shop.later(5_000)
    shop.network.reliability.callbacks = DOWN
    const { merchant_transaction_id } = begun
    const isQuery = (sent: string) => sent.startsWith('GET') && sent.includes(merchant_transaction_id)
    const asks = () => shop.gatewayRequests().filter(isQuery).length
    return { shop, begun, back, asks }
  }

  test('a shopper who returns sees an answer that was asked for since, also right after another one', async () => {
    const { shop, begun, back } = await returned()
    expect(await (await back()).text()).toContain('<main class="waiting"')
    await shop.pay(begun, 'approve')
    expect(await (await back()).text()).toContain('<main class="paid"')
  })

  test('a shopper who returns causes at most one query per second, however often', async () => {
    const { shop, back, asks } = await returned()
    const before = asks()
    const begunAt = shop.timeline.now()
    for (let turn = 0; turn < 5; turn++) {
      await Promise.all([back(), back(), back()])
    }

    expect(asks() - before).toBeGreaterThanOrEqual(5)
    expect(asks() - before).toBeLessThanOrEqual(1 + (shop.timeline.now() - begunAt) / 1_000)
  })
})

describe('a pop-up', () => {
  test('a pop-up tells the page that opened it, at its exact origin, and closes', async () => {
    const { begun, back } = await started({ launch: 'popup' })
    const answer = await back()
    const page = await answer.text()
    expect(answer.status).toBe(200)
    expect(page).toContain(`data-opener="${SHOP}"`)
    expect(page).toContain(`data-checkout="${begun.checkout_id}"`)
    expect(page).toContain("postMessage({ type: 'gateway-checkout', checkout_id }, origin)")
    expect(page).toContain('window.close()')
  })

  test('a pop-up runs no script but its own, and loads nothing', async () => {
    const { back } = await started({ launch: 'popup' })
    const answer = await back()
    const page = await answer.text()
    const policy = answer.headers.get('content-security-policy') ?? ''
    const nonce = /script-src 'nonce-([\w-]+)'/.exec(policy)?.[1] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(nonce.length).toBeGreaterThanOrEqual(22)
    const scripts = [...page.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)
    expect(scripts).toHaveLength(1)
    for (const script of scripts) {
      expect(script).toContain(`nonce="${nonce}"`)
    }

    expect(await (await back()).text()).not.toContain(nonce)
  })

  test('a pop-up without an allowed origin sends no message', async () => {
    const { shop, post } = await shopWithOrder()
    const body = JSON.stringify({ ...REQUEST, launch: 'popup' })
    const begun = await (await post(body, JSON_TYPE, { origin: '' })).json()
    const page = await (await shop.ask(`/checkout/return/${begun.checkout_id}`)).text()
    expect(page).not.toContain('postMessage')
  })

  test('a pop-up that cannot close leads back by a link', async () => {
    const { begun, back } = await started({ launch: 'popup', return_url: `${SHOP}/basket?a=1&b="><script>x` })
    const page = await (await back()).text()
    expect(page).toContain(
      `href="${SHOP}/basket?a=1&amp;b=%22%3E%3Cscript%3Ex#gateway-checkout-${begun.checkout_id}"`,
    )
  })
})

describe('a plain form, without any script', () => {
  async function submit(fields: Record<string, string>) {
    const { shop } = await shopWithOrder()
    const headers = {
      accept: HTML,
      origin: SHOP,
      'accept-language': 'sw',
      'content-type': 'application/x-www-form-urlencoded',
    }
    const body = new URLSearchParams(fields).toString()
    const send = () => shop.ask('/checkout/initiate', { method: 'POST', headers, body })
    return { shop, send, answer: await send() }
  }

  test('a plain form without any script leads to the hosted page, and to the outcome once it is paid', async () => {
    const { shop, send, answer } = await submit(REQUEST)
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:4010\/pay\//)
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'approve')
    await shop.later(3_000)
    expect((await send()).headers.get('location')).toBe(`${BFF}/checkout/return/${begun.checkout_id}`)
  })

  test.each([
    [{ order: 'A-1' }, 422, sw.problem.payer_name],
    [{ ...REQUEST, payer_msisdn: '12' }, 422, sw.problem.payer_msisdn],
    [{ ...REQUEST, order: 'unknown' }, 404, null],
  ])(
    'a plain form that cannot be taken is answered with a page for a person: %j',
    async (fields, status, problem) => {
      const { answer } = await submit(fields)
      expect({ status: answer.status, 'content-type': answer.headers.get('content-type') }).toEqual({
        status,
        'content-type': 'text/html; charset=UTF-8',
      })
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
      const page = await answer.text()
      expect(page).toMatch(/<h1>.+<\/h1>/)
      if (problem) {
        expect([`<h1>${problem}<`, `<p>${problem}<`].some((line) => page.includes(line))).toBe(true)
      }

      const way = problem ? sw.retry : sw.backToShop
      expect(page).toContain(`<a class="primary" href="${SHOP}/">${way}</a>`)
      if (problem) {
        expect(page).not.toContain(sw.failure.other)
      }
      if (problem === sw.problem.payer_msisdn) {
        expect(page).not.toContain(sw.problem.payer_name)
      }
    },
  )
})

describe('a plain form whose page hides its origin', () => {
  const FORM = 'application/x-www-form-urlencoded'

  async function submit(headers: Record<string, string> = {}, fields: Record<string, string> = {}) {
    const { shop } = await shopWithOrder({ env: FACE })
    return submitIn(shop, headers, fields)
  }

  async function submitIn(shop: World, headers: Record<string, string>, fields: Record<string, string> = {}) {
    const sent = { accept: HTML, origin: 'null', 'accept-language': 'en', 'content-type': FORM, ...headers }
    const body = new URLSearchParams({ ...REQUEST, return_url: `${SHOP}/basket`, ...fields }).toString()
    const answer = await shop.ask('/checkout/initiate', { method: 'POST', headers: sent, body })
    return { shop, answer, page: (await answer.clone().text()).replaceAll('\u00A0', ' ') }
  }

  test('a form whose page hides its origin leads to the hosted page if Sec-Fetch-Site says this origin', async () => {
    const { answer } = await submit({ 'sec-fetch-site': 'same-origin' })
    expect({ status: answer.status, location: answer.headers.get('location') }).toEqual({
      status: 303,
      location: expect.stringContaining('/pay/'),
    })
  })

  test.each(['same-site', 'cross-site', ''])(
    'a form of another origin, Sec-Fetch-Site %j, starts nothing, and gets a page that says what is paid to whom',
    async (site) => {
      const { shop, answer, page } = await submit(site ? { 'sec-fetch-site': site } : {})
      expect(answer.status).toBe(200)
      expect(shop.gatewayRequests()).toEqual([])
      expect(page).toContain('<p class="amount">KES 500</p>')
      expect(page).toContain('<bdi>Pwani Goods</bdi>')
      expect(page.match(/<button/g)).toHaveLength(1)
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.get('referrer-policy')).toBe('same-origin')
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('x-frame-options')).toBe('DENY')
      const policy = answer.headers.get('content-security-policy')
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain(`form-action 'self' 127.0.0.1:4010`)
    },
  )

  test('a form whose page hides its origin shows how a paid order stands, and offers nothing to pay', async () => {
    const { shop } = await shopWithOrder({ env: FACE })
    await shop.pay(await shop.start('A-1'), 'approve')
    await shop.later(MINUTE)
    const { answer, page } = await submitIn(shop, {})
    expect(answer.status).toBe(200)
    expect(page).toContain('Paid')
    expect(page).not.toMatch(/<button(?! class="copy")/)
    expect(page).not.toContain('Pay KES')
  })

  test('a form whose page hides its origin is repeated with all that was typed, and leads back to the shop', async () => {
    const { shop, page } = await submit({}, { payer_name: 'Asha "A" <Otieno>', lang: 'sw', country: 'KE' })
    const inputs = [...page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
    const unescape = (text: string) =>
      text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>')
    const fields = Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, unescape(value)]))
    expect(fields).toMatchObject({
      ...REQUEST,
      payer_name: 'Asha "A" <Otieno>',
      return_url: `${SHOP}/basket`,
      lang: 'sw',
      country: 'KE',
    })
    const headers = { accept: HTML, origin: BFF, 'content-type': FORM }
    const pressed = await shop.ask('/checkout/initiate', {
      method: 'POST',
      headers,
      body: new URLSearchParams(fields).toString(),
    })
    expect({ status: pressed.status, location: pressed.headers.get('location') }).toEqual({
      status: 303,
      location: expect.stringContaining('/pay/'),
    })
    const { checkout_id } = await shop.start('A-1')
    const back = await shop.ask(`/checkout/return/${checkout_id}`, { headers: { accept: HTML } })
    expect(back.headers.get('location')).toMatch(`${SHOP}/basket`)
  })

  test.each<[string, Record<string, string>, number]>([
    ['an order that nobody knows', { order: 'unknown' }, 404],
    ['a page of elsewhere to return to', { return_url: 'https://evil.example/' }, 422],
  ])('a form whose page hides its origin is refused with %s', async (_, fields, status) => {
    const { answer, page } = await submit({}, fields)
    expect(answer.status).toBe(status)
    expect(page).not.toMatch(/<button(?! class="copy")/)
  })

  test('a form whose page hides its origin is named in the log once, with the header to send', async () => {
    const { shop } = await submit()
    const warnings = shop.logged.filter(({ message }) => message.includes('Origin: null'))
    expect(warnings).toMatchObject([{ level: 'warn', message: expect.stringContaining('Referrer-Policy') }])
  })
})

test('a shopper whom no page named a return to is not sent to the front page of the payment server', async () => {
  const { shop, post } = await shopWithOrder()
  const begun = await (await post(JSON.stringify(REQUEST), JSON_TYPE, { origin: BFF })).json()
  const answer = await shop.ask(`/checkout/return/${begun.checkout_id}`, { headers: { accept: HTML } })
  expect(await answer.text()).not.toContain(`href="${BFF}/"`)
})

test('a browser that opens an address which does not exist gets a page that says so, and other clients JSON', async () => {
  const { shop } = await shopWithOrder()
  const page = await shop.ask('/nothing', { headers: { accept: HTML } })
  const html = await page.text()
  expect(page.status).toBe(404)
  expect(html).toContain('<h1>This page does not exist</h1>')
  expect(html).not.toContain(en.failure.other[0])
  const swahili = await shop.ask('/nothing', { headers: { accept: HTML, 'accept-language': 'sw' } })
  expect(await swahili.text()).toContain('<h1>Ukurasa huu haupo</h1>')
  expect(await (await shop.ask('/nothing')).json()).toMatchObject({ code: 'not_found', status: 404 })
})

test('a page of an address that does not exist leads to the only shop, and to its contact', async () => {
  const { shop } = await shopWithOrder({ env: FACE })
  const html = await (await shop.ask('/nothing', { headers: { accept: HTML } })).text()
  expect(html).toContain(`<a class="primary" href="${SHOP}/">${en.backToShop}</a>`)
  expect(html).toContain('href="tel:+254700000001"')
})

test('a page of an address that does not exist leads to no shop if there are several', async () => {
  const { shop } = await shopWithOrder({ env: { ALLOWED_ORIGINS: `${SHOP},https://other.example` } })
  const html = await (await shop.ask('/nothing', { headers: { accept: HTML } })).text()
  expect(html).not.toContain(en.backToShop)
})
