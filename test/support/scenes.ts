/** Every situation in which the element says something of its own, and how a page comes to it. */

import { calm, shopPage } from './shop-page.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { PageOptions, ShopPage } from './shop-page.ts'

type Scene = (page: ShopPage) => Promise<unknown> | void

const NOBODY = { 'payer-name': '', 'payer-email': '', 'payer-msisdn': '' }

const UNANSWERED: CheckoutView['payments'] = [
  { status: 703, outcome: 'waiting', amount: '1500', currency: 'KES', method: null, paid_at: null },
]

const CONFIRMED: Record<string, Partial<CheckoutView>> = {
  waiting: {},
  prompted: { status: 803, payments: UNANSWERED },
  paid: { status: 801, outcome: 'paid', settled: true, amount_paid: '1500' },
  'paid too much': {
    status: 801,
    outcome: 'paid',
    settled: true,
    amount_paid: '2000',
    discrepancy: 'excess',
  },
  partial: { status: 802, outcome: 'partial', amount_paid: '500' },
  'partial to the end': { status: 802, outcome: 'partial', amount_paid: '500', settled: true },
  unpaid: { status: 803, outcome: 'unpaid' },
  'unpaid to the end': { status: 803, outcome: 'unpaid', settled: true },
  expired: { status: 820, outcome: 'expired', settled: true },
  reversed: { status: 840, outcome: 'reversed', settled: true },
  refunded: { status: 841, outcome: 'refunded', settled: true },
  jammed: { status: 850, outcome: 'jammed' },
  pending: { status: 851, outcome: 'pending' },
  review: { status: 801, outcome: 'review', settled: true },
}

const REFUSED = [
  'network',
  'order_unknown',
  'order_expired',
  'order_not_payable',
  'order_changed',
  'gateway_refused',
  'gateway_unavailable',
]

const begin = ({ tag }: ShopPage) => tag.start()

const SCENES: Record<string, Scene> = {
  idle() {},
  details({ tag }) {
    for (const name of Object.keys(NOBODY)) tag.setAttribute(name, '')
    tag.start()
  },
  async 'details with faults'(page) {
    await SCENES.details?.(page)
    await calm(page.tag)
    page.tag.shadowRoot?.querySelector('form')?.requestSubmit()
  },
  starting(page) {
    page.till.hold()
    begin(page)
  },
  checking(page) {
    page.till.hold()
    page.tag.checkoutId = 'checkout-1'
  },
  blocked(page) {
    page.around.blocksPopups = true
    begin(page)
  },
  async closed(page) {
    begin(page)
    await calm(page.tag)
    Object.assign(page.around.popups[0] ?? {}, { closed: true })
    await page.later(1)
  },
  async offline(page) {
    begin(page)
    await calm(page.tag)
    page.around.onLine = false
    window.dispatchEvent(new Event('offline'))
  },
  async troubled(page) {
    begin(page)
    await calm(page.tag)
    page.till.failNext('network')
    await page.later(5)
  },
  'a checkout that nobody knows'({ tag }) {
    tag.checkoutId = 'checkout-gone'
  },
  ...Object.fromEntries(
    Object.entries(CONFIRMED).map(([name, news]): [string, Scene] => [
      name,
      (page) => {
        page.till.confirm(news)
        begin(page)
      },
    ]),
  ),
  ...Object.fromEntries(
    REFUSED.map((code): [string, Scene] => [
      `refused with ${code}`,
      (page) => {
        const retryable = code === 'gateway_unavailable'
        page.till.failNext(code === 'network' ? code : { status: 409, code, retryable })
        begin(page)
      },
    ]),
  ),
}

export const SCENE_NAMES = Object.keys(SCENES)

/** @param prepare What is done to the tag before anything is pressed. */
export async function scenePage(
  name: string,
  options: PageOptions,
  prepare: (page: ShopPage) => void,
): Promise<ShopPage> {
  const page = await shopPage(options)
  prepare(page)
  await calm(page.tag)
  await SCENES[name]?.(page)
  await calm(page.tag)
  return page
}
