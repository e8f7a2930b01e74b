import { expect, test } from 'vitest'

import { PAID, PARTIAL, UNPAID } from '../support/worlds/scripted-bff.ts'
import { shopPage, startedPage, type } from '../support/worlds/shop-page.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { ShopPage } from '../support/worlds/shop-page.ts'

/** Replaces each text node in the shadow root, white space too, as page translators that enter open roots do. */
function translate({ tag }: ShopPage): void {
  const root = tag.shadowRoot ?? document.body
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Text && !texts.includes(node)) {
      texts.push(node)
    }
  }

  for (const text of texts) {
    const outer = document.createElement('font')
    const inner = document.createElement('font')
    inner.textContent = text.data.trim() ? `«${text.data}»` : text.data
    outer.append(inner)
    text.replaceWith(outer)
  }
}

test.each<[string, Partial<CheckoutView>[], RegExp]>([
  ['partial, then paid', [PARTIAL, PAID], /^Paid .* KES 1,500 .*Reference: mtx-1/],
  ['unpaid', [UNPAID], /^That did not go through .*Show the payment window/],
])('on a page that is translated in each state, %s is drawn', async (_, news, text) => {
  const page = await shopPage()
  translate(page)
  await page.press(/Pay/)
  for (const each of news) {
    translate(page)
    await page.confirm(each)
  }

  expect(page.text()).toMatch(text)
  expect(page.text()).not.toMatch(/Finish in the payment window|«(Pay|Paid in part)/)
})

test('the countdown goes on, and what does not change stays translated', async () => {
  const page = await startedPage({ view: { environment: 'sandbox' } })
  expect(page.text()).toContain('30:00 left')
  translate(page)
  await page.later(10)
  expect(page.text()).toContain('29:50 left')
  expect(page.text()).not.toContain('«29:50')
  expect(page.text()).toMatch(/«Finish in the payment window».*«Test mode.*«Show the payment window»/)
})

test('the form says what is wrong, and leads to the checkout', async () => {
  const page = await startedPage({ attributes: { 'payer-name': '', 'payer-email': '', amount: 'KES 1500' } })
  translate(page)
  await type(page.tag, 'payer_name', 'Asha Mwangi')
  await type(page.tag, 'payer_email', 'asha')
  await page.press(/Continue/)
  expect(page.text()).toContain('like name@example.com')
  translate(page)
  await type(page.tag, 'payer_email', 'asha@example.com')
  await page.press(/Continue/)
  expect(page.text()).toMatch(/^Finish in the payment window/)
})

test('the overlay stays translated while nothing changes, and a receipt while the page is looked at', async () => {
  const page = await startedPage({ attributes: { overlay: '' } })
  const dialog = () => page.tag.shadowRoot?.querySelector('dialog')
  await expect.poll(() => dialog()?.open).toBe(true)
  translate(page)
  await page.later(3)
  expect(dialog()?.textContent).toContain('«Continue in the payment window»')
  await page.confirm(PAID)
  await expect.poll(() => page.text()).toContain('Copy')
  translate(page)
  page.tag.requestUpdate()
  await page.later(1)
  expect(page.text()).toContain('«Copy»')
})
