// Each console message is logged once per page, so each message occurs in only one test.

import { expect, test } from 'vitest'

import { shopPage } from '../../support/worlds/shop-page.ts'

import type { GatewayCheckout } from '../../../widget/index.ts'

/** Parses markup as a page does, and returns what the element says about the markup. */
async function saidAbout(markup: string): Promise<{ tag: GatewayCheckout | null; lines: string[] }> {
  const { around } = await shopPage()
  document.body.innerHTML = markup.replace(
    '<gateway-checkout ',
    '$&order="order-1" server="https://pay.test" ',
  )
  const tag = document.querySelector('gateway-checkout')
  await expect.poll(() => tag?.shadowRoot?.querySelector('button')).not.toBeNull()
  return { tag, lines: around.console }
}

test.each([
  ['<gateway-checkout oder="1"></gateway-checkout>', 'There is no attribute oder. It is ignored.'],
  [
    '<gateway-checkout payerName="Asha"></gateway-checkout>',
    'There is no attribute payername. Did you mean payer-name?',
  ],
  [
    '<gateway-checkout checkout_id="1"></gateway-checkout>',
    'There is no attribute checkout_id. Did you mean checkout-id?',
  ],
  [
    '<gateway-checkout phone="0700"></gateway-checkout>',
    'There is no attribute phone. Did you mean payer-msisdn?',
  ],
  ['<gateway-checkout currency="KES"></gateway-checkout>', 'There is no attribute currency. It is ignored.'],
  [
    '<gateway-checkout country="Kenya"></gateway-checkout>',
    `country="Kenya" is not a country's code. Write an ISO 3166-1 code of two letters, such as country="KE".`,
  ],
])('%s is reported: %s', async (markup, message) => {
  const { lines } = await saidAbout(markup)
  await expect.poll(() => lines).toEqual([`<gateway-checkout> ${message}`])
})

test('a tag with a slash at its end is reported, because it hides the rest of the page', async () => {
  const { tag, lines } = await saidAbout(`
    <gateway-checkout />
    <h2>Delivery</h2>
    <p>Tomorrow</p>
    <footer>Pwani Coffee</footer>`)
  expect(tag?.querySelector('footer')?.checkVisibility()).toBe(false)
  await expect
    .poll(() => lines)
    .toEqual([
      expect.stringMatching(/is not closed.*<h2>, <footer>.*<gateway-checkout …><\/gateway-checkout>/),
    ])
})

test('a tag that contains the next tag is reported', async () => {
  const { lines } = await saidAbout(
    `<gateway-checkout /><gateway-checkout order="2" server="https://pay.test" /> `,
  )
  await expect.poll(() => lines).toEqual([expect.stringMatching(/is not closed.*<gateway-checkout>/)])
})

test('a form that a paragraph does not hold is reported, because it is a second way to pay', async () => {
  const { tag, lines } = await saidAbout(`
    <p><gateway-checkout >
      <form method="post" action="https://pay.test/checkout/initiate"><button>Pay</button></form>
    </gateway-checkout></p>`)
  expect(tag?.querySelector('form')).toBeNull()
  await expect.poll(() => lines).toEqual([expect.stringMatching(/two ways to pay.*<p>.*<div>/)])
})

test('what a page may write is not reported', async () => {
  const { lines } = await saidAbout(`
    <gateway-checkout class="pay" style="color: red" title="Pay" dir="ltr" hidden inert tabindex="0" data-id="1"
      aria-label="Pay" onclick="" itemprop="offer" ng-version="19" _ngcontent-abc v-cloak x-data="{}" test-id="pay"
      country="ke" payer-name="" launch="auto" part="pay" exportparts="button">
      <p>Loading</p><a href="#help">Help</a><div slot="footer">Thank you</div>
      <form method="post" action="https://pay.test/checkout/initiate"><button>Pay</button></form>
    </gateway-checkout>
    <main>Pwani Coffee</main>`)
  // A mistake in a later tag is reported after all of the first tag's.
  document.body.insertAdjacentHTML('beforeend', '<gateway-checkout lable="Pay" server="https://pay.test">')
  await expect.poll(() => lines).toEqual([expect.stringMatching(/There is no attribute lable/)])
})

test('a script whose name does not tell the payment server’s address is named', async () => {
  const page = await shopPage({ attributes: { server: '' } })
  const script = Object.assign(document.createElement('script'), {
    type: 'unknown',
    src: 'https://pay.test/gateway-checkout@0.1.0.js',
  })
  document.body.append(script)
  await page.press(/Pay/)
  await expect
    .poll(() => page.around.console)
    .toEqual([
      expect.stringMatching(
        /server is missing.*only from gateway-checkout\.js, not from gateway-checkout@0\.1\.0\.js/,
      ),
    ])
})
