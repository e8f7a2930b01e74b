/**
 * Declares `GET /pay/{order}`, the page of an order for a merchant without a page of their own: what is paid for, to
 * whom, and the element. Before and without the element's script, a form takes its place. While a checkout of the order
 * is live, or has money, the page shows that checkout instead, and nothing to start.
 *
 * Whoever knows the reference may see the page, as they may start the order. It shows nothing about the payer.
 */

import { formatMoney, PAYER_FIELDS } from 'gateway-checkout/words'
import { raw } from 'hono/html'
import { z } from 'zod'

import { AddressedOrder, withoutPunctuation } from './checkout-form.ts'
import { findOrder, findPayable } from './find-order.ts'
import { ORDER_PROBLEMS } from './initiate.ts'
import { outcomePage } from './outcome-page.tsx'
import { answerPage, Page } from './pages.tsx'
import { page, route } from './route.ts'

import type { Config } from '../config/config.ts'
import type { Order } from '../orders/order.ts'
import type { FindOrderDeps } from './find-order.ts'
import type { Frame } from './pages.tsx'
import type { Needs } from './route.ts'
import type { Hono } from 'hono'

type PayDeps = FindOrderDeps & Needs<'clock' | 'randomness'>

export function declarePay(app: Hono, deps: PayDeps): void {
  const { config, clock } = deps

  route(app, 'GET', '/pay/:order', {
    id: 'showOrder',
    tag: 'Checkout',
    summary: 'Show an order, to be paid without a page of your own',
    description: 'With the element, and with a form before and without its script.',
    params: z.object({ order: AddressedOrder }),
    answers: [page('The page of the order; once it is paid or being paid, how that stands.')],
    problems: ['invalid_request', ...ORDER_PROBLEMS],
    handle: async ({ c, params }) => {
      // Somebody has mounted the server below `/pay`, and PUBLIC_URL lacks the path.
      if (params.order.startsWith('gateway-checkout')) {
        return c.notFound()
      }

      const named = await findOrder(c, [params.order, withoutPunctuation(params.order)], deps)
      const payable = await findPayable(named, deps)
      // Unlike `no-referrer`, it leaves the form its Origin. No other site learns the address, which has the order.
      c.header('referrer-policy', 'same-origin')
      if ('record' in payable) {
        const render = (frame: Frame) => outcomePage(frame, { checkout: payable, now: clock.now() })
        return answerPage(c, deps, { render })
      }

      const { origin } = new URL(config.publicUrl)
      // A browser applies `form-action` also to the redirect that answers the form, to the hosted page.
      const forms = [origin, ...config.gateway.pageHosts].join(' ')
      const render = (frame: Frame) => orderPage(frame, payable, named.text, config)
      return answerPage(c, deps, { render, scripts: origin, forms })
    },
  })
}

const INPUTS = {
  payer_name: { type: 'text', autocomplete: 'name' },
  payer_email: { type: 'email', autocomplete: 'email' },
  payer_msisdn: { type: 'tel', autocomplete: 'tel' },
} as const

/** @param text The text by which the page names the order. */
function orderPage(frame: Frame, order: Order, text: string, { publicUrl, environment }: Config) {
  const { words, lang, nonce, merchant } = frame
  const { name: payee, methods, help, logo } = merchant
  const { amount, currency, narration } = order
  const money = formatMoney(amount, currency, words.language)
  const pay = `${words.pay} ${money}`
  const hiddenFields = { order: text, lang, return_url: `${publicUrl}/pay/${encodeURIComponent(text)}` }
  const head = (
    <>
      <style nonce={nonce}>{raw(STYLE)}</style>
      <meta property="og:type" content="website" />
      <meta property="og:title" content={[payee, money].filter(Boolean).join(': ')} />
      <meta property="og:description" content={narration} />
      <script type="module" nonce={nonce} src={`${publicUrl}/gateway-checkout.js`}></script>
    </>
  )
  const title = [pay, payee].filter(Boolean).join(' · ')
  return (
    <Page frame={frame} title={title} head={head}>
      <main>
        <h1 dir="auto">{narration}</h1>
        <p class="amount">{money.replace('\u00A0', ' ')}</p>
        {environment === 'sandbox' && <p class="test">{words.testMode}</p>}
        <gateway-checkout
          server={publicUrl}
          order={text}
          amount={`${currency} ${amount}`}
          payee={payee || null}
          methods={methods || null}
          help={help || null}
          logo={logo}
        >
          <form method="post" action={`${publicUrl}/checkout/initiate`} accept-charset="utf-8">
            {Object.entries(hiddenFields).map(([name, value]) => (
              <input type="hidden" name={name} value={value} />
            ))}
            <details>
              <summary>{pay}</summary>
              {PAYER_FIELDS.map((field) => (
                <label>
                  {words[field]}
                  <input name={field} {...INPUTS[field]} required />
                </label>
              ))}
              <button>{words.next}</button>
            </details>
          </form>
        </gateway-checkout>
      </main>
    </Page>
  )
}

/** Until the element's script has run, the summary of the form looks like the element's button, and is in its place. */
const STYLE = `
  gateway-checkout { display: block; margin-top: 1.25rem; text-align: start; --gateway-checkout-accent: var(--accent);
    --gateway-checkout-on-accent: var(--on-accent); --gateway-checkout-radius: .75rem }
  gateway-checkout:not([methods])::part(terms) { display: none }
  :is(.amount, .test):has(~ [state]:not([state='idle'], [state='details'], [state='starting'], [state='error'])) { display: none }
  gateway-checkout:not([state='paid'])::part(payee) { display: none }
  summary, details button { display: block; width: 100%; padding: .8125em 2.5em; border: 1px solid transparent; border-radius: .75rem;
    color: var(--on-accent); background: var(--accent); font: inherit; font-weight: 650; text-align: center; cursor: pointer }
  form :focus-visible { outline-offset: 2px }
  [open] summary { display: none }
  label { display: block; margin-bottom: 1.125rem }
  label input { display: block; width: 100%; min-height: 3rem; margin-top: .375rem; padding: .5rem .75rem; border: 1px solid var(--soft);
    border-radius: .75rem; color: inherit; background: transparent; font: inherit }
`
