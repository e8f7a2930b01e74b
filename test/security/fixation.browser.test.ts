import { describe, expect, test } from 'vitest'

import { PAID, PARTIAL } from '../support/worlds/scripted-bff.ts'
import { calm, createTag, PAYER, shopPage } from '../support/worlds/shop-page.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { PageOptions } from '../support/worlds/shop-page.ts'

const LINK = '#gateway-checkout-checkout-01-of-the-tests'
const RESUME = '/checkout/resume'
const ATTACKERS_CHECKOUT: Partial<CheckoutView> = { order: 'order-of-the-attacker' }

const victim = (options: PageOptions = {}) =>
  shopPage({ hash: LINK, ...options, view: { ...ATTACKERS_CHECKOUT, ...options.view } })
const stored = () => Object.fromEntries(Object.entries(sessionStorage))

async function reload(): Promise<ReturnType<typeof createTag>> {
  const tag = createTag({ ...PAYER, launch: 'popup' })
  document.body.replaceChildren(tag)
  await calm(tag)
  return tag
}

describe('a link with the checkout of an attacker', () => {
  test.each<[string, Partial<CheckoutView>]>([
    ['paid', PAID],
    ['waiting', {}],
    ['partial', PARTIAL],
    ['unpaid', { status: 803, outcome: 'unpaid' }],
  ])(
    'a link with the checkout of an attacker that is %s is dropped without a word to the page, also after a reload',
    async (_, view) => {
      const page = await victim({ view })
      await expect
        .poll(() => page.around.console)
        .toEqual([expect.stringMatching(/fragment.*order "order-1"/)])
      await page.later(60)
      expect({ state: page.tag.state, checkout: page.tag.checkout, events: page.events }).toEqual({
        state: 'idle',
        checkout: null,
        events: [],
      })
      expect({ status: page.status(), hash: page.around.hash, stored: stored() }).toEqual({
        status: '',
        hash: '',
        stored: {},
      })
      expect(page.bff.requests.map(({ path }) => path)).toEqual([RESUME])
      const reloaded = await reload()
      await expect.poll(() => page.around.console).toHaveLength(2)
      expect({ state: reloaded.state, events: page.events }).toEqual({ state: 'idle', events: [] })
    },
  )

  test('a link with the checkout of an attacker leads to no page of the attacker: a press starts the order of the tag', async () => {
    const page = await victim({
      attributes: { launch: 'redirect' },
      view: { redirect_url: 'https://evil.test/' },
    })
    page.bff.confirm({ ...PAID, checkout_id: 'checkout-02-of-the-tests', order: 'order-1' })
    await page.press(/Pay/)
    expect(page.bff.requests.at(-1)).toMatchObject({ path: '/checkout/initiate', form: { order: 'order-1' } })
    expect({
      left: page.around.left,
      state: page.tag.state,
      checkout_id: page.tag.checkout?.checkout_id,
    }).toEqual({ left: [], state: 'paid', checkout_id: 'checkout-02-of-the-tests' })
  })

  test('a link with the checkout of an attacker does not displace what this tab remembers', async () => {
    const page = await victim({
      hash: '#gateway-checkout-checkout-09-of-the-tests',
      remembers: 'checkout-01-of-the-tests',
      view: { order: 'order-1' },
    })
    expect({ state: page.tag.state, checkout_id: page.tag.checkout?.checkout_id }).toEqual({
      state: 'waiting',
      checkout_id: 'checkout-01-of-the-tests',
    })
  })
})

describe('the checkout of the tag’s own order', () => {
  const own = (options: PageOptions = {}) => shopPage({ view: PAID, hash: LINK, ...options })

  test('the checkout of the tag’s own order is taken without a question in the tab that started it', async () => {
    const page = await own({ remembers: 'checkout-01-of-the-tests' })
    expect({ state: page.tag.state, events: page.events }).toEqual({
      state: 'paid',
      events: ['change', 'paid', 'settled'],
    })
    expect(page.bff.requests.map(({ path }) => path)).toEqual(['/checkout/status/checkout-01-of-the-tests'])
  })

  test('the checkout of the tag’s own order is taken in a new tab, another browser and without storage once confirmed', async () => {
    for (const around of [{}, { blocksStorage: true }]) {
      const page = await own({ around })
      await expect.poll(() => page.tag.state).toBe('paid')
      expect({ events: page.events, hash: page.around.hash }).toEqual({
        events: ['change', 'paid', 'settled'],
        hash: '',
      })
      expect(page.bff.requests.map(({ path }) => path)).toEqual([
        RESUME,
        '/checkout/status/checkout-01-of-the-tests',
      ])
    }
  })

  test('the checkout of the tag’s own order is remembered once it is confirmed', async () => {
    const page = await own()
    await expect.poll(() => page.tag.state).toBe('paid')
    expect(Object.values(stored())).toEqual(['checkout-01-of-the-tests'])
    await expect.poll(async () => (await reload()).state).toBe('paid')
  })

  test.each([
    ['the network', 'network' as const],
    ['the server', { code: 'store_unavailable', retryable: true }],
  ])('the checkout of the tag’s own order is asked about again while %s is away', async (_, failure) => {
    const page = await shopPage({ view: PAID })
    page.bff.failNext(failure)
    page.around.hash = LINK
    const tag = await reload()
    await expect.poll(() => page.bff.requests.length).toBe(1)
    await expect.poll(() => page.clock.timers).toBe(1)
    expect({ state: tag.state, events: page.events }).toEqual({ state: 'waiting', events: [] })
    page.clock.advance(5_000)
    await expect.poll(() => tag.state).toBe('paid')
  })

  test('the checkout of the tag’s own order can be started by a press when the server does not confirm it', async () => {
    const page = await shopPage({ view: PAID })
    page.bff.failNext({ status: 404, code: 'not_found' })
    page.around.hash = LINK
    const tag = await reload()
    await expect.poll(() => page.around.console).toHaveLength(1)
    expect(tag.state).toBe('idle')
    tag.start()
    await calm(tag)
    expect(tag.state).toBe('paid')
  })
})
