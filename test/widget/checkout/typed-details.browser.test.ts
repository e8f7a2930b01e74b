import { expect, test } from 'vitest'

import { PAID } from '../../support/worlds/scripted-bff.ts'
import { calm, createTag, PAYER, shopPage, startedPage, type } from '../../support/worlds/shop-page.ts'

import type { ShopPage } from '../../support/worlds/shop-page.ts'

const NOBODY = { 'payer-name': '', 'payer-email': '', 'payer-msisdn': '', launch: 'popup' }
const TYPED = { payer_name: 'Asha Mwangi', payer_email: 'asha@example.com', payer_msisdn: '+254700000001' }
/** The form writes a number in groups, and the payment server reads it so. */
const SENT = { ...TYPED, payer_msisdn: '+254 700 000 001' }
const EXPIRED = { status: 820, outcome: 'expired', settled: true } as const

const stored = () => Object.keys(sessionStorage).filter((key) => key.includes('typed'))
const started = (page: ShopPage) =>
  page.bff.requests.filter(({ path }) => path.endsWith('/initiate')).map(({ form }) => form)

async function typedPage(): Promise<ShopPage> {
  const page = await startedPage({ attributes: NOBODY })
  for (const [name, text] of Object.entries(TYPED)) {
    await type(page.tag, name, text)
  }

  await page.press(/Continue/)
  expect(page.tag.state).toBe('waiting')
  return page
}

test('nothing is typed again after the session has ended', async () => {
  const page = await typedPage()
  await page.confirm(EXPIRED)
  expect(page.tag.state).toBe('expired')
  await page.press(/Try again/)
  expect(page.tag.state).not.toBe('details')
  expect(started(page)).toMatchObject([SENT, SENT])
})

test('what was typed is stored for its order alone, until the order is paid or the page resets the element', async () => {
  const page = await typedPage()
  expect(stored()).toEqual(['typed gateway-checkout https://pay.shop.test order-1'])
  await page.confirm(PAID)
  expect(stored()).toEqual([])
  const other = await typedPage()
  other.tag.reset()
  expect(stored()).toEqual([])
  other.tag.start()
  await calm(other.tag)
  expect(other.tag.state).toBe('details')
})

test('what was typed is in no address, also beside an order that is named as its place in the storage', async () => {
  const page = await typedPage()
  const asked = page.bff.requests.length
  const tag = createTag({ ...PAYER, launch: 'popup', order: 'order-1 typed' })
  document.body.replaceChildren(tag)
  await calm(tag)
  expect(page.bff.requests.slice(asked)).toEqual([])
})

test('what another script wrote in place of the id of a checkout is in no address', async () => {
  const page = await shopPage({ remembers: JSON.stringify(TYPED) })
  expect(page.bff.requests).toEqual([])
  await page.press(/Pay/)
  expect(page.bff.requests.map(({ path }) => path)).toEqual(['/checkout/initiate'])
})

const OVER = { expires_at: '2026-11-21T08:59:00Z', redirect_url: '', settled: false } as const

test('after the session, while a late payment may still arrive, a failed attempt offers nothing that is not there', async () => {
  const page = await startedPage()
  await page.confirm({ status: 803, outcome: 'unpaid', ...OVER })
  expect(page.status()).toMatch(
    /^Checking your payment\b.*The time to pay is over\. For two more minutes, we check/,
  )
  expect(page.status()).not.toContain('try again')
  await page.confirm({ status: 803, outcome: 'unpaid', settled: true })
  expect(page.status()).toMatch(/You can try again/)
  await page.press(/Try again/)
})
