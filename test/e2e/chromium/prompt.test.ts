// What a number says before a press needs an operator that is away, which the demo does not have.

import { afterAll, expect, onTestFinished } from 'vitest'

import { listen } from '../../../demo/sandbox/http/listen.ts'
import { startSandbox, startServer } from '../../../server/testing.ts'
import { scriptTag } from '../pages.ts'
import { violations } from '../shopper.ts'
import { test, theChromium } from '../worker.ts'

const PHONE = { viewport: { width: 360, height: 740 } }

const servePage = (): Response => {
  const tag = `<gateway-checkout server="${server.url}" order="A-1" method="prompt"></gateway-checkout>`
  const head =
    '<!doctype html><html lang="en"><title>Pwani Goods</title><meta name="viewport" content="width=device-width">'
  return new Response(`${head}${scriptTag(server.url)}<main><h1>Two kangas</h1>${tag}</main>`, {
    headers: { 'content-type': 'text/html' },
  })
}

const [sandbox, shop, browser] = await Promise.all([
  startSandbox(),
  listen({ fetch: servePage }, 0),
  theChromium(),
])
const server = await startServer(sandbox, {
  env: {
    ALLOWED_ORIGINS: shop.url,
    DEFAULT_COUNTRY: 'KE',
    GATEWAY_CHARGE_METHODS: 'MOMO_KEN=MoMo:25470,WAVELET_KEN=Wavelet:25473 away',
  },
})
afterAll(async () => {
  for (const each of [shop, server, sandbox]) {
    await each.close()
  }
})

test('a shopper learns before the press that the operator is away, and after it the same', async () => {
  const context = await browser.newContext(PHONE)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(shop.url)
  await page.locator('gateway-checkout[state=idle]').waitFor()
  await page.waitForLoadState('networkidle')
  expect(asked).not.toContain('/checkout/methods')
  await page.getByRole('button', { name: 'Pay' }).click()
  const number = page.getByLabel('Mobile number')
  await number.pressSequentially('0700')
  await page.getByText(/Mobile operator: .MoMo/).waitFor()
  const { height } = { ...(await page.locator('form').boundingBox()) }
  await number.fill('')
  await number.pressSequentially('0730 000 001')
  await page.getByText(/Wavelet. is unavailable/).waitFor()
  expect(await page.locator('form').boundingBox()).toMatchObject({ height })
  expect(await violations(page)).toEqual([])
  expect(asked.filter((path) => path === '/checkout/methods')).toHaveLength(1)
  await page.getByRole('button', { name: 'Pay' }).click()
  await page.getByText('Your operator is unavailable').waitFor()
})
