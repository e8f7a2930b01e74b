import { afterEach, expect, test } from 'vitest'
import { PAID } from '../support/scripted-bff.ts'
import { startedPage } from '../support/shop-page.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { ShopPage } from '../support/shop-page.ts'

/** Longer than the receipt shows. */
const REFERENCE = 'mtx-0123456789-abcdef'
const PAYMENT: CheckoutView['payments'][number] = {
  status: 701,
  outcome: 'successful',
  amount: '1500',
  currency: 'KES',
  method: 'M-PESA',
  paid_at: '2026-11-21T09:05:00Z',
}

const clipboard = navigator.clipboard
const withClipboard = (value: Pick<Clipboard, 'writeText'> | undefined) =>
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value })

afterEach(() => withClipboard(clipboard))

async function paidPage(): Promise<ShopPage> {
  const page = await startedPage({
    view: { ...PAID, payments: [PAYMENT], merchant_transaction_id: REFERENCE },
  })
  await expect.poll(() => page.text()).toContain('Copy')
  return page
}

test('the copy button copies the reference and confirms it', async () => {
  const copied: string[] = []
  withClipboard({ writeText: async (text) => void copied.push(text) })
  const page = await paidPage()
  await page.press(/Copy/)
  expect(copied).toEqual([REFERENCE])
  expect(page.text()).toContain('✓ Copied')
  const button = page.tag.shadowRoot?.activeElement
  expect(button).toHaveProperty('ariaLive', 'polite')
  // A live region announces a second copy only if its text changes.
  const before = button?.textContent
  await page.press(/Copied/)
  await expect.poll(() => button?.textContent).not.toBe(before)
  expect(button?.textContent?.trim()).toBe('✓ Copied')
})

test('if the clipboard refuses, the button says so, and the whole reference is shown and selected', async () => {
  withClipboard({ writeText: () => Promise.reject(new DOMException('Denied.', 'NotAllowedError')) })
  const page = await paidPage()
  const selected: string[] = []
  document.addEventListener('selectionchange', () => selected.push(String(getSelection())), { once: true })
  await page.press(/Copy/)
  await expect.poll(() => [...selected, String(getSelection())].join()).toContain(REFERENCE)
  expect(page.text()).toContain('Not copied')
  expect(page.text()).not.toContain('✓')
  const root = page.tag.shadowRoot
  expect(root?.activeElement).toMatchObject({ ariaLive: 'polite', textContent: 'Not copied' })
  const reference = root?.querySelector<HTMLElement>('[part=receipt] bdi')
  expect(reference?.scrollWidth).toBe(reference?.clientWidth)
})

test('the receipt is printed alone, and the page is unchanged afterwards', async () => {
  const page = await paidPage()
  const printed: (string | undefined)[] = []
  const catchPaper = ({ target }: Event) => {
    if (!(target instanceof HTMLIFrameElement) || !target.contentWindow) return
    const { contentWindow: paper } = target
    paper.print = () => {
      printed.push(...[...paper.document.body.children].map(({ textContent }) => textContent ?? ''))
      printed.push(paper.document.documentElement.lang)
      paper.dispatchEvent(new Event('afterprint'))
    }
  }
  document.addEventListener('load', catchPaper, { capture: true })
  await page.press(/Print/)
  await expect.poll(() => printed).not.toEqual([])
  document.removeEventListener('load', catchPaper, { capture: true })
  expect(printed.map((line) => line?.replaceAll('\u00a0', ' '))).toEqual([
    location.host,
    'Paid',
    'We have received your payment. Thank you.',
    'KES 1,500',
    `Reference: ${REFERENCE}`,
    expect.stringContaining('November 21, 2026'),
    'en',
  ])
  expect(document.querySelector('iframe')).toBeNull()
})
