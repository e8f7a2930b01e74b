import { afterEach, expect, test } from 'vitest'

import { EXPIRED, PAID, PARTIAL, UNPAID } from '../../support/worlds/scripted-bff.ts'
import { shopPage, startedPage } from '../../support/worlds/shop-page.ts'

import type { CheckoutView } from '../../../server/api/view.ts'
import type { ShopPage } from '../../support/worlds/shop-page.ts'

const REFERENCE = '41d5e5c3-64db-498d-98c2-77720520e6d3'
const RECEIPT = 'SKL4XR7M2P'
const HELP = 'tel:+254 700 000 001 | mailto:help@pwani.example?subject=Order|https://wa.me/254700000001'
const PAYMENT: CheckoutView['payments'][number] = {
  status: 701,
  outcome: 'successful',
  amount: '1500',
  currency: 'KES',
  method: 'M-PESA',
  paid_at: '2026-11-21T09:05:00Z',
  receipt: RECEIPT,
}

const { clipboard } = navigator
const withClipboard = (value: Pick<Clipboard, 'writeText'> | undefined) =>
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value })

afterEach(() => withClipboard(clipboard))

async function paidPage(attributes: Record<string, string> = {}): Promise<ShopPage> {
  const page = await startedPage({
    attributes: { payee: 'Pwani Goods', ...attributes },
    view: { ...PAID, payments: [PAYMENT], merchant_transaction_id: REFERENCE },
  })
  await expect.poll(() => page.text()).toContain('Copy')
  return page
}

test("the operator's receipt number comes first, then the order and the whole reference, and nothing is cut", async () => {
  const page = await paidPage()
  await page.press(/^Details$/)
  const rows = [...(page.tag.shadowRoot?.querySelectorAll('[part=receipt] p') ?? [])]
  const shown = rows.map((row) => row.querySelector('bdi'))
  expect(shown.map((number) => number?.textContent)).toEqual([RECEIPT, 'order-1', REFERENCE])
  for (const number of shown) {
    expect(number?.scrollWidth).toBeLessThanOrEqual(Math.ceil(number?.getBoundingClientRect().width ?? 0))
  }

  expect(page.text()).toMatch(/Paid to Pwani Goods 21 Nov 2026, \d\d:05 .*(GMT|UTC|EAT)/)
})

test.each(['1111111111', RECEIPT, 'WWMWWMWWMW'])(
  'the number %s stands where it stood before its button arrived, at any width',
  async (receipt) => {
    const page = await startedPage({
      view: { ...PAID, payments: [{ ...PAYMENT, receipt }], merchant_transaction_id: REFERENCE },
    })
    await expect.poll(() => page.text()).toContain('Copy')
    const row = page.tag.shadowRoot?.querySelector('[part=receipt] p:has(button)')
    const number = row?.querySelector('bdi')
    const button = row?.querySelector('button')
    const widths = [280, 288, 300, 320, 360, 400]
    const placesAt = (display: string) =>
      widths.map((width) => {
        page.tag.style.inlineSize = `${width}px`
        button?.style.setProperty('display', display)
        return { width, place: number?.getBoundingClientRect().toJSON() }
      })
    expect(placesAt('')).toEqual(placesAt('none'))
  },
)

test('a receipt number that the gateway does not report is not made up', async () => {
  const { receipt: _, ...payment } = PAYMENT
  const page = await startedPage({ view: { ...PAID, payments: [payment] } })
  await expect.poll(() => page.text()).toContain('Copy')
  expect(page.text()).not.toContain('Receipt number')
})

test('the copy button copies the first number and confirms it', async () => {
  const copied: string[] = []
  withClipboard({ writeText: async (text) => void copied.push(text) })
  const page = await paidPage()
  await page.press(/Copy/)
  expect(copied).toEqual([RECEIPT])
  expect(page.text()).toContain('✓ Copied')
  const button = page.tag.shadowRoot?.activeElement
  expect(button).toHaveProperty('ariaLive', 'polite')
  // A live region announces a second copy only if its text changes.
  const before = button?.textContent
  await page.press(/Copied/)
  await expect.poll(() => button?.textContent).not.toBe(before)
  expect(button?.textContent?.trim()).toBe('✓ Copied')
})

test('if the clipboard refuses, the button says so, and the number is selected', async () => {
  withClipboard({ writeText: () => Promise.reject(new DOMException('Denied.', 'NotAllowedError')) })
  const page = await paidPage()
  const selected: string[] = []
  document.addEventListener('selectionchange', () => selected.push(String(getSelection())), { once: true })
  await page.press(/Copy/)
  await expect.poll(() => [...selected, String(getSelection())].join()).toContain(RECEIPT)
  expect(page.text()).toContain('Not copied')
  expect(page.text()).not.toContain('✓')
  const root = page.tag.shadowRoot
  expect(root?.activeElement).toMatchObject({ ariaLive: 'polite', textContent: 'Not copied' })
})

test('the receipt is printed alone, and the page is unchanged afterwards', async () => {
  const page = await paidPage()
  const printed: (string | undefined)[] = []

  const catchPaper = ({ target }: Event) => {
    if (!(target instanceof HTMLIFrameElement) || !target.contentWindow) {
      return
    }

    const { contentWindow: paper } = target
    paper.print = () => {
      printed.push(...[...paper.document.body.children].map(({ textContent }) => textContent ?? ''))
      printed.push(paper.document.documentElement.lang)
      paper.dispatchEvent(new Event('afterprint'))
    }
  }

  document.addEventListener('load', catchPaper, { capture: true })
  await page.press(/^Details$/)
  await page.press(/Print/)
  await expect.poll(() => printed).not.toEqual([])
  document.removeEventListener('load', catchPaper, { capture: true })
  expect(printed.map((line) => line?.replaceAll('\u00a0', ' '))).toEqual([
    location.host,
    'Paid',
    'We have received your payment. Thank you.',
    'KES 1,500',
    expect.stringMatching(/Pwani Goods.* 21 Nov 2026, /),
    `Receipt number: ${RECEIPT}`,
    'Order: order-1',
    `Reference: ${REFERENCE}`,
    'en',
  ])
  expect(document.querySelector('iframe')).toBeNull()
})

test('where the browser can share, the receipt is shared as text', async () => {
  const shared: (string | undefined)[] = []
  const can = { canShare: () => true, share: async ({ text }: ShareData) => void shared.push(text) }
  for (const [name, value] of Object.entries(can)) {
    Object.defineProperty(navigator, name, { configurable: true, value })
  }

  const page = await paidPage({ help: HELP })
  await page.press(/^Details$/)
  await page.press(/Share/)
  expect(shared[0]?.split('\n')).toEqual(
    expect.arrayContaining([location.host, `Receipt number: ${RECEIPT}`, `Reference: ${REFERENCE}`]),
  )
  expect(shared[0]).toContain('+254 700 000 001')
  expect(shared[0]).not.toContain('Copy')
  Reflect.deleteProperty(navigator, 'share')
  Reflect.deleteProperty(navigator, 'canShare')
})

const linksOf = ({ tag }: ShopPage) =>
  [...(tag.shadowRoot?.querySelectorAll<HTMLAnchorElement>('[part=help] a') ?? [])].map((link) => [
    link.textContent,
    link.getAttribute('href'),
  ])
const LINKS = [
  ['+254 700 000 001', 'tel:+254700000001'],
  ['help@pwani.example', 'mailto:help@pwani.example?subject=Order'],
  ['wa.me/254700000001', 'https://wa.me/254700000001'],
]

test.each<[string, Partial<CheckoutView>]>([
  ['paid', PAID],
  ['paid too much', { ...PAID, amount_paid: '1700', discrepancy: 'excess' }],
  ['paid in part', PARTIAL],
  ['asked for on the phone for a while', { prompt: { method: 'MOMO_KEN', methods: [] } }],
  ['reversed', { status: 840, outcome: 'reversed', settled: true }],
  ['refunded', { status: 841, outcome: 'refunded', settled: true }],
  ['delayed', { status: 850, outcome: 'jammed' }],
  ['under review', { ...PAID, outcome: 'review' }],
  ['failed', UNPAID],
  ['expired', EXPIRED],
])('a payment that is %s has links to the shop', async (_, view) => {
  const page = await startedPage({ attributes: { help: HELP }, view })
  await page.later(20)
  await expect.poll(() => linksOf(page)).toEqual(LINKS)
})

test('each link to the shop is named by its address, so that no two have one name', async () => {
  const help = 'https://pwani.example/help/ | https://pwani.example/chat?from=pay#top'
  const page = await startedPage({ attributes: { help }, view: PAID })
  expect(linksOf(page).map(([name]) => name)).toEqual(['pwani.example/help', 'pwani.example/chat'])
})

const PART_ENDED = { ...PARTIAL, settled: true }
const PROMPTED = { prompt: { method: 'MOMO_KEN', methods: [] } }

test.each<[string, 'open' | 'folded', Partial<CheckoutView>]>([
  ['paid too much', 'open', { ...PAID, amount_paid: '1700', discrepancy: 'excess' }],
  ['paid in part, and over', 'open', PART_ENDED],
  ['reversed', 'open', { status: 840, outcome: 'reversed', settled: true }],
  ['delayed', 'open', { status: 850, outcome: 'jammed' }],
  ['under review', 'open', { ...PAID, outcome: 'review' }],
  ['paid in part, and can be completed', 'folded', PARTIAL],
  ['asked for on the phone for a while', 'folded', PROMPTED],
  ['failed, and can be tried again on the payment page', 'folded', { ...UNPAID, settled: false }],
  ['failed', 'folded', UNPAID],
  ['expired', 'folded', EXPIRED],
])('of a payment that is %s, the links to the shop are %s', async (_, place, view) => {
  const page = await startedPage({ attributes: { help: HELP }, view })
  await page.later(20)
  await expect.poll(() => linksOf(page)).toEqual(LINKS)
  const seen = [...(page.tag.shadowRoot?.querySelectorAll('[part=help] a') ?? [])]
  expect(new Set(seen.map((link) => link.checkVisibility()))).toEqual(new Set([place === 'open']))
})

test('a phone that the payment page has just asked is answered first: the shop follows after 20 s', async () => {
  const asked = { ...PAYMENT, status: 703, outcome: 'waiting', paid_at: null } as const
  const page = await startedPage({ attributes: { help: HELP }, view: { status: 803, payments: [asked] } })
  await page.later(1)
  expect(linksOf(page)).toEqual([])
  await page.later(20)
  await expect.poll(() => linksOf(page)).toEqual(LINKS)
})

test('a shopper whose payment failed can tell the shop the order', async () => {
  const page = await startedPage({ attributes: { help: HELP }, view: UNPAID })
  await expect
    .poll(() => page.tag.shadowRoot?.querySelector('[part=help]')?.textContent)
    .toContain('Order: \u2068order-1\u2069')
})

test.each<[string, boolean]>([
  ['order_unknown', true],
  ['order_not_payable', true],
  ['order_changed', true],
  ['currency_not_supported', true],
  ['order_expired', false],
])('the error %s has links to the shop: %s', async (code, has) => {
  const page = await shopPage({ attributes: { help: HELP } })
  page.bff.failNext({ status: 409, code, retryable: false })
  await page.press(/Pay/)
  expect(linksOf(page)).toEqual(has ? LINKS : [])
  expect(/[Cc]ontact the shop/.test(page.status())).toBe(has)
})

test('once paid as asked, the reference, the links and the buttons are folded under the receipt number and the order', async () => {
  const page = await paidPage({ help: HELP })
  const shown = (selector: string) =>
    [...(page.tag.shadowRoot?.querySelectorAll(selector) ?? [])].map((node) => node.checkVisibility())
  expect(shown('[part=receipt] bdi')).toEqual([true, true, false])
  expect(shown('[part=help] a')).toEqual([false, false, false])
  await page.press(/^Details$/)
  expect(shown('[part=receipt] bdi, [part=help] a')).toEqual(Array(6).fill(true))
  await page.confirm({ ...PAID, outcome: 'reversed', status: 840, version: 9 })
  expect(shown('[part=help] a')).toEqual([true, true, true])
})

test('the links to the shop are as large and as clear in the receipt as elsewhere', async () => {
  const page = await paidPage({ help: HELP })
  await page.press(/^Details$/)
  const row = page.tag.shadowRoot?.querySelector('[part=receipt] p:has(bdi)')
  const looks = (node: Element) => {
    const { fontSize, color } = getComputedStyle(node)
    return { fontSize, color }
  }

  for (const link of page.tag.shadowRoot?.querySelectorAll('[part=help] a') ?? []) {
    expect(looks(link)).toEqual(looks(row!))
    expect(link.getBoundingClientRect().height).toBeGreaterThanOrEqual(44)
  }
})

test('while it is checked whether the shopper has paid, the links to the shop are there', async () => {
  const page = await shopPage({ attributes: { help: HELP } })
  page.bff.failNext('silence')
  page.tag.checkoutId = 'checkout-01-of-the-tests'
  await expect.poll(() => linksOf(page)).toEqual(LINKS)
  expect(page.status()).toMatch(/^Checking your payment/)
  expect(page.tag.shadowRoot?.querySelector('[part=help] a')?.checkVisibility()).toBe(false)
})

test('while the payment is awaited, nothing leads away from it, in any words', async () => {
  const page = await startedPage({ attributes: { help: HELP } })
  expect(linksOf(page)).toEqual([])
  page.tag.words = { en: { sentence: { open: ['Checking your payment', ''] } } }
  await page.later(1)
  expect(page.status()).toMatch(/^Checking your payment/)
  expect(linksOf(page)).toEqual([])
})

test.each(['javascript:alert(1)', 'http://pwani.example', '+254700000001', 'mailto:pwani', 'tel:call us'])(
  'an address that is none, such as %s, is told on the console, and the others stand',
  async (address) => {
    const page = await startedPage({ attributes: { help: `${address} | tel:123` }, view: PAID })
    expect(linksOf(page)).toEqual([['123', 'tel:123']])
    await expect
      .poll(() => page.around.console)
      .toEqual([expect.stringMatching(/unknown_value: .*only addresses with tel:, mailto: or https:/)])
  },
)

test('the payee has a face: the first letter of the name, or the logo, which is left out if it does not load', async () => {
  const page = await paidPage({ payee: '🧺 Pwani' })
  const find = () => page.tag.shadowRoot?.querySelector<HTMLElement>('.face')
  expect(find()).toMatchObject({ textContent: '🧺', ariaHidden: 'true' })
  page.tag.logo = 'data:image/png;base64,AAAA'
  await page.tag.updateComplete
  expect(find()?.getAttribute('alt')).toBe('')
  await expect.poll(find).toBeNull()
})
