import { expect, test } from 'vitest'

import { GatewayCheckout } from '../../../widget/index.ts'
import { calm, shopPage } from '../../support/worlds/shop-page.ts'

import type { ShopPage } from '../../support/worlds/shop-page.ts'

function refuse(page: ShopPage, retryAfter: string, times = 1): void {
  for (let time = 0; time < times; time++) {
    page.bff.failNext(
      Response.json(
        { code: 'too_many_requests', retryable: true, detail: `Try again in ${retryAfter} seconds.` },
        { status: 429, headers: { 'Retry-After': retryAfter } },
      ),
    )
  }
}

async function refusedPage(retryAfter: string, times?: number): Promise<ShopPage> {
  const page = await shopPage()
  refuse(page, retryAfter, times)
  await page.press(/Pay/)
  return page
}

const requestsOf = ({ bff }: ShopPage) => bff.requests.length

test('a `fetch` of the page that prefers JSON sends the form as a form', async () => {
  const page = await shopPage()
  const { environment } = GatewayCheckout
  const { fetch } = environment
  const types: string[] = []

  environment.fetch = (input, init = {}) => {
    const headers = new Headers(init.headers)
    if (!headers.has('Content-Type')) {
      headers.set('Content-Type', 'application/json')
    }

    const isObject = typeof init.body === 'object' && init.body !== null
    types.push(headers.get('Content-Type') ?? '')
    return fetch(input, { ...init, headers, ...(isObject && { body: JSON.stringify(init.body) }) })
  }

  await page.press(/Pay/)
  const [start] = page.bff.requests
  expect(start).toMatchObject({ path: '/checkout/initiate', form: { order: 'order-1' } })
  expect(types[0]).toBe('application/x-www-form-urlencoded')
})

test('a start refused for at most a minute is repeated after that time, and opens the hosted page in the same pop-up', async () => {
  const page = await refusedPage('60')
  await page.later(59)
  expect({ state: page.tag.state, requests: requestsOf(page), events: page.events }).toEqual({
    state: 'starting',
    requests: 1,
    events: ['open'],
  })
  await page.later(1)
  expect({ state: page.tag.state, events: page.events }).toEqual({ state: 'waiting', events: ['open'] })
  expect(page.bff.requests.slice(0, 2).map(({ form }) => form['order'])).toEqual(['order-1', 'order-1'])
  expect(page.around.popups).toMatchObject([{ closed: false, address: page.bff.view.redirect_url }])
})

test('a start refused for at most a minute is shown as an error after three repetitions', async () => {
  const page = await refusedPage('5', 4)
  for (let time = 0; time < 3; time++) {
    expect(page.tag.state).toBe('starting')
    await page.later(5)
  }

  expect({ state: page.tag.state, requests: requestsOf(page), events: page.events }).toEqual({
    state: 'error',
    requests: 4,
    events: ['open', 'error'],
  })
})

test('a start refused for at most a minute is not repeated once the element has left the page', async () => {
  const page = await refusedPage('5')
  page.tag.remove()
  await calm(page.tag)
  expect(page.clock.timers).toBe(0)
  await page.later(60)
  expect(requestsOf(page)).toBe(1)
})

test.each(['61', '600', '0'])(
  'a start that is refused for %s seconds is shown as an error at once',
  async (retryAfter) => {
    const page = await refusedPage(retryAfter)
    expect({ state: page.tag.state, events: page.events }).toEqual({
      state: 'error',
      events: ['open', 'error'],
    })
    expect(page.status()).toContain('Please try again later.')
  },
)

test('a shopper who returns is asked for again when the time of the refusal has passed', async () => {
  const page = await shopPage()
  refuse(page, '30')
  page.around.hash = '#gateway-checkout-checkout-01-of-the-tests'
  page.tag.remove()
  document.body.append(page.tag)
  await expect.poll(() => requestsOf(page)).toBe(1)
  await page.later(29)
  expect(requestsOf(page)).toBe(1)
  await page.later(1)
  await expect.poll(() => page.tag.state).toBe('waiting')
})
