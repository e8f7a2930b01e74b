import { expect, test } from 'vitest'
import { userEvent } from 'vitest/browser'

import { PARTIAL } from '../../support/worlds/scripted-bff.ts'
import { calm, startedPage } from '../../support/worlds/shop-page.ts'

import type { PageOptions, ShopPage } from '../../support/worlds/shop-page.ts'

const dialog = (page: ShopPage) => page.tag.shadowRoot?.querySelector('dialog') ?? null
const textOf = (page: ShopPage) => dialog(page)?.innerText.replaceAll(/\s+/g, ' ').trim()

async function overlaidPage(options: PageOptions = {}): Promise<ShopPage> {
  const page = await startedPage({ ...options, attributes: { overlay: '', ...options.attributes } })
  await expect.poll(() => dialog(page)?.open).toBe(true)
  return page
}

test('while the pop-up is open, the page is dimmed, and a button brings the pop-up to the front', async () => {
  const page = await overlaidPage()
  expect(textOf(page)).toBe(
    'Continue in the payment window KES 1,500 We will confirm the payment here. Show the payment window Back to this page',
  )
  expect(dialog(page)?.matches(':modal')).toBe(true)
  await userEvent.click(dialog(page)!.querySelector('button')!)
  expect(page.around.popups.map(({ focused }) => focused)).toEqual([1])
  expect(dialog(page)?.open).toBe(true)
})

test('the overlay says who is paid', async () => {
  const page = await overlaidPage({ attributes: { payee: 'Pwani Goods' } })
  expect(textOf(page)).toContain('KES 1,500 P to Pwani Goods We will confirm')
})

test.each([
  ['a button', (page: ShopPage) => page.press(/Back to this page/)],
  ['Escape', () => userEvent.keyboard('{Escape}')],
])('%s leaves the overlay; the focus returns, and it stays away until the next pop-up', async (_, leave) => {
  const page = await overlaidPage()
  await leave(page)
  await expect.poll(() => dialog(page)).toBeNull()
  await calm(page.tag)
  expect(page.tag.shadowRoot?.activeElement?.textContent).toContain('Show the payment window')
  await page.later(3)
  expect(dialog(page)).toBeNull()
  page.around.popups[0]!.closed = true
  await page.later(1)
  await page.press(/Go to the payment page/)
  await expect.poll(() => dialog(page)?.open).toBe(true)
})

test('with an outcome it goes away by itself, and the focus is on the next step', async () => {
  const page = await overlaidPage()
  await page.confirm(PARTIAL)
  expect(dialog(page)).toBeNull()
  expect(page.tag.shadowRoot?.activeElement?.matches('[part=button]:not([hidden]), [role=status]')).toBe(true)
})

test('the overlay goes away when the pop-up closes, when the phone asks for the PIN, and on reset', async () => {
  const page = await overlaidPage()
  page.around.popups[0]!.closed = true
  await page.later(1)
  expect({ dialog: dialog(page), status: page.status() }).toEqual({
    dialog: null,
    status: expect.stringContaining('Not confirmed yet'),
  })
  const other = await overlaidPage()
  await other.confirm({
    status: 803,
    payments: [
      { status: 703, outcome: 'waiting', amount: '1500', currency: 'KES', method: null, paid_at: null },
    ],
  })
  expect(dialog(other)).toBeNull()
  const third = await overlaidPage()
  third.tag.reset()
  await calm(third.tag)
  expect(dialog(third)).toBeNull()
})
