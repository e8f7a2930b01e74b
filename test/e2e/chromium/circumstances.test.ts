import { createServer } from 'node:http'
import { describe, expect, inject, onTestFinished } from 'vitest'

import { listen } from '../../support/free-port.ts'
import { scriptTag, tag } from '../pages.ts'
import { enter, PATIENCE, violations, visit } from '../shopper.ts'
import { test, theChromium, theDemo } from '../worker.ts'

import type { Visit } from '../shopper.ts'
import type { Page } from 'playwright'

const BUTTON = `document.querySelector('gateway-checkout')?.shadowRoot.querySelector('button')`

const [demo, browser] = await Promise.all([theDemo(), theChromium()])

test('the browser of these tests opens a window for a press, and blocks any other', async () => {
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const open = `opened.push(open('about:blank') !== null)`
  await page.goto(
    demo.pages.put(() => `<script>opened = []; ${open}</script><button onclick="${open}">Open</button>`),
  )
  await page.getByRole('button').click()
  expect(await page.evaluate('opened')).toEqual([false, true])
})

test('without JavaScript, the rendered button pays, and ends at a page of the payment server', async () => {
  const shopper = await enter(await browser.newContext({ javaScriptEnabled: false }), demo)
  await paysWithoutScript(shopper, /^Pay KES 1,500$/)
})

async function paysWithoutScript(shopper: Visit<Page>, button: RegExp): Promise<void> {
  const { page } = shopper
  const hosted = await shopper.submit(button)
  await hosted.answer('Enter PIN and approve')
  await hosted.page.getByRole('link', { name: 'Back to the shop' }).click()
  await page.waitForURL(`${demo.bff}/checkout/return/*`)
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await shopper.merchantReceives('fulfilled', 'checkout.paid')
  // The shop shows the order that is paid, and no new one.
  await page.getByRole('link', { name: 'Back to the shop' }).click()
  await page.waitForURL(`${demo.shop}/?**order=${shopper.order}`)
  await shopper.leave()
}

test('with JavaScript, the element takes over the rendered button, and pays on the page', async () => {
  const context = await browser.newContext()
  // Scripts of type "module" run after this event.
  await context.addInitScript(
    `addEventListener('readystatechange', () => (globalThis.rendered ??= ${BUTTON}), { capture: true })`,
  )
  const shopper = await enter(context, demo, { launch: 'popup' })
  await shopper.page.locator('gateway-checkout[state=idle]').waitFor()
  expect(await shopper.page.evaluate(`rendered.form !== null && rendered === ${BUTTON}`)).toBe(true)
  const hosted = await shopper.press()
  expect(hosted.page).not.toBe(shopper.page)
  await hosted.answer('Enter PIN and approve')
  await hosted.back()
  await shopper.sees('paid', /1,500/, { attempt: 1 })
  await shopper.leave()
})

const LOOKS = [
  ['light', 360],
  ['dark', 1280],
] as const

test.each(inject('isFull') ? LOOKS : LOOKS.slice(0, 1))(
  'no page on the way to a payment fails WCAG 2.2 AA in %s at %i pixels',
  async (colorScheme, width) => {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
    const shopper = await enter(context, demo, { launch: 'popup', payer: 'asked' })
    expect(await violations(shopper.page)).toEqual([])

    await shopper.tag.getByRole('button').click()
    await shopper.tag.locator('[part=input][autocomplete=name]').fill('Asha Mwangi')
    await shopper.tag.locator('[part=input][autocomplete=email]').fill('asha@example.com')
    await shopper.tag.locator('[part=input][autocomplete=tel]').fill('0700000004')
    expect(await violations(shopper.page)).toEqual([])

    const hosted = await shopper.press()
    expect(await violations(hosted.page)).toEqual([])
    await hosted.payPart(600)
    await shopper.sees('partial', /600/)
    expect(await violations(shopper.page)).toEqual([])
    expect(await violations(hosted.page)).toEqual([])

    await hosted.answer('Enter PIN and approve')
    await hosted.back()
    await shopper.sees('paid', /1,500/)
    expect(await violations(shopper.page)).toEqual([])
    await shopper.leave()
  },
)

test('while an order can be paid, the goods are locked: no other order takes its place', async () => {
  const shopper = await visit(browser, demo, { launch: 'popup' })
  const wrap = shopper.page.getByRole('radio', { name: /Kikoi/ })
  const hosted = await shopper.press()
  await expect.poll(() => wrap.isDisabled(), PATIENCE).toBe(true)
  await shopper.page.getByText('This order is not finished yet.').waitFor()
  await shopper.page.locator('.bench > summary').click()
  await shopper.page.getByLabel('Theme').selectOption('dark')
  expect(shopper.page.url()).toContain(`order=${shopper.order}`)
  await shopper.page.reload()
  await expect.poll(() => wrap.isDisabled(), PATIENCE).toBe(true)
  await hosted.answer('Enter PIN and approve')
  await shopper.sees('paid', /Paid/)
  await expect.poll(() => wrap.isDisabled(), PATIENCE).toBe(false)
  await shopper.leave()
})

test('the goods of an order that is paid can be ordered again', async () => {
  const shopper = await visit(browser, demo, { launch: 'popup' })
  const wrap = shopper.page.getByRole('radio', { name: /Kikoi/ })
  expect(await wrap.isChecked()).toBe(true)
  const order = () => shopper.page.locator('gateway-checkout').getAttribute('order')
  await wrap.click()
  expect(await order()).toBe(shopper.order)

  const hosted = await shopper.press()
  await hosted.answer('Enter PIN and approve')
  await shopper.sees('paid', /Paid/)
  await expect.poll(() => wrap.isEnabled(), PATIENCE).toBe(true)
  await wrap.click()
  await expect.poll(order, PATIENCE).not.toBe(shopper.order)
  await shopper.page.locator('gateway-checkout[state=idle]').waitFor()
  await shopper.leave()
})

describe('a content blocker answers the opening of a pop-up with a decoy', () => {
  // Each is a browser's script: the page has it before its own.
  const decoys: Record<string, () => void> = {
    'a plain object': () => {
      Object.assign(window, { open: () => ({ closed: false, document: {}, focus() {}, close() {} }) })
    },
    'the page itself': () => {
      Object.assign(window, { open: () => window })
    },
    'a Proxy of the page': () => {
      const nothing = () => {}
      const get = (page: object, key: PropertyKey): unknown => {
        const value: unknown = Reflect.get(page, key)
        return key === 'closed' ? false : typeof value === 'function' ? nothing : value
      }
      Object.assign(window, { open: () => new Proxy(window, { get }) })
    },
    'a Proxy that lets nobody read': () => {
      const get = () => {
        throw new TypeError('Illegal invocation')
      }
      Object.assign(window, { open: () => new Proxy({}, { get }) })
    },
    'a hidden frame': () => {
      const open = () => {
        const frame = document.createElement('iframe')
        frame.hidden = true
        document.body.append(frame)
        return frame.contentWindow
      }
      Object.assign(window, { open })
    },
    'the page around a frame': () => {
      Object.assign(window, { open: () => window.top })
    },
  }

  test.each(Object.keys(decoys))(
    'the shopper gets a link, and the page stays as it was: %s',
    async (name) => {
      const page = await browser.newPage()
      onTestFinished(() => page.close())
      await page.addInitScript(decoys[name]!)
      const shop = demo.pages.put(
        (order) => `<h1>Your cart</h1>${scriptTag(demo.bff)}${tag(demo.bff, order, 'launch="popup"')}`,
      )
      const around = demo.pages.put(() => `<h1>The page around</h1><iframe src="${shop}"></iframe>`)
      const isFramed = name.endsWith('a frame')
      await page.goto(isFramed ? around : shop)
      const own = isFramed ? page.frameLocator('iframe').first() : page
      await own.getByRole('button', { name: /^Pay/ }).click()
      await own.getByRole('link').waitFor()
      expect(await page.locator('h1').allTextContents()).toEqual([isFramed ? 'The page around' : 'Your cart'])
      expect(await page.title()).toBe('')
    },
  )
})

test.each([
  ['a cookie opens it', (gate: string) => [gate, '/pay'], 'gate=open'],
  ['a server of another origin gets no cookie', (gate: string) => [otherOrigin(gate), gate], ''],
])('the payment server is behind the gate of the shop: %s', async (_, places, sent) => {
  const cookies: string[] = []
  let html = ''
  const gate = createServer((request, answer) => {
    if (request.url === '/shop') {
      answer.setHeader('content-type', 'text/html').end(html)
      return
    }
    if (request.url?.endsWith('/checkout/initiate')) {
      cookies.push(request.headers.cookie ?? '')
    }

    answer.writeHead(401).end()
  })
  onTestFinished(() => void gate.close())
  const [shop = '', server = ''] = places(await listen(gate))
  html = scriptTag(demo.bff) + tag(server, 'demo-1500-gate', 'launch="redirect"')
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  await context.addCookies(
    ['127.0.0.1', 'localhost'].map((domain) => ({ name: 'gate', value: 'open', domain, path: '/' })),
  )
  const page = await context.newPage()
  await page.goto(`${shop}/shop`)
  await page.getByRole('button', { name: /^Pay/ }).click()
  await expect.poll(() => cookies).toEqual([sent])
})

const otherOrigin = (origin: string) => origin.replace('127.0.0.1', 'localhost')
