import jsQR from 'jsqr'
import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'

import { PAID } from '../../support/worlds/scripted-bff.ts'
import { startedPage } from '../../support/worlds/shop-page.ts'

import type { ShopPage } from '../../support/worlds/shop-page.ts'

const ADDRESS =
  'https://hosted.test/checkout/5f0c7a52-1b7d-4a53-9b53-2c1f9a3c6c11?token=eyJhbGciOiJIUzI1NiJ9.c2Vzc2lvbg&lang=sw#pay'

const within = (page: ShopPage, selector: string) => page.tag.shadowRoot?.querySelector(selector) ?? null
const code = (page: ShopPage) => page.tag.shadowRoot?.querySelector<SVGSVGElement>('.code svg') ?? null

async function openCode(page: ShopPage): Promise<SVGSVGElement> {
  const summary = within(page, 'summary')
  if (summary === null) {
    throw new Error(`No code is offered: ${page.text()}`)
  }

  await userEvent.click(summary)
  await expect.poll(() => code(page)).not.toBeNull()
  return code(page)!
}

/** Draws a code as the browser paints it, and reads it as a phone does. */
function decode(svg: SVGSVGElement): string | undefined {
  const pixels = 8 * svg.viewBox.baseVal.width
  const canvas = Object.assign(document.createElement('canvas'), { width: pixels, height: pixels })
  const context = canvas.getContext('2d')!
  const { backgroundColor, fill } = getComputedStyle(svg.firstElementChild!)
  context.fillStyle = getComputedStyle(svg).backgroundColor || backgroundColor
  context.fillRect(0, 0, pixels, pixels)
  context.scale(8, 8)
  context.fillStyle = fill
  context.fill(new Path2D(svg.firstElementChild?.getAttribute('d') ?? ''))
  return jsQR(context.getImageData(0, 0, pixels, pixels).data, pixels, pixels)?.data
}

test('a phone that scans the code opens the hosted page, and this page follows', async () => {
  const page = await startedPage({ view: { redirect_url: ADDRESS } })
  const svg = await openCode(page)
  expect(decode(svg)).toBe(ADDRESS)
  expect({ role: svg.role, ariaLabel: svg.ariaLabel }).toEqual({
    role: 'img',
    ariaLabel: 'QR code of the payment page',
  })
  expect(within(page, 'details')?.textContent).toContain('Scan the code to open this payment')
  await page.confirm(PAID)
  expect(page.tag.state).toBe('paid')
  expect(within(page, '[part=phone]')).toBeNull()
})

test('the QR code is opened and closed by keyboard, and keeps the focus while the element follows the checkout', async () => {
  const page = await startedPage({ view: { redirect_url: ADDRESS } })
  const summary = page.tag.shadowRoot?.querySelector('summary')
  summary?.focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => code(page)).not.toBeNull()
  const drawn = code(page)
  await page.later(3)
  expect(page.tag.shadowRoot?.activeElement).toBe(summary)
  expect(code(page)).toBe(drawn)
  await userEvent.keyboard('{Enter}')
  expect(page.tag.shadowRoot?.querySelector('details')?.open).toBe(false)
})

test('the QR code is not downloaded before the shopper asks for it, and too long an address has no code', async () => {
  const page = await startedPage({ view: { redirect_url: `https://hosted.test/${'a'.repeat(3000)}` } })
  const place = within(page, '.code')
  expect(place?.checkVisibility()).toBe(false)
  await userEvent.click(within(page, 'summary')!)
  expect(place?.checkVisibility()).toBe(true)
  await page.later(2)
  expect(place?.childElementCount).toBe(0)
  expect(page.text()).toContain('Show the payment window')
})
