/**
 * Answers a plain form whose page hides its origin. The Referrer-Policy `no-referrer`, which some frameworks set by
 * default, makes browsers send `Origin: null` with a form, as they do for a page that nobody allowed. A page of this
 * server then repeats the form: it says what is paid to whom, and the shopper presses its one button. That form has the
 * origin of this server, and no other site can frame the page or send its form.
 */

import { formatMoney } from 'gateway-checkout/words'
import { raw } from 'hono/html'

import { answerPage, Page } from './pages.tsx'

import type { Order } from '../orders/order.ts'
import type { Frame } from './pages.tsx'
import type { Needs } from './route.ts'
import type { Context } from 'hono'

/** @param fields The fields of the form, as they were sent. */
export function answerPressAgain(
  c: Context,
  deps: Needs<'config' | 'randomness'>,
  order: Order,
  fields: Readonly<Record<string, string | undefined>>,
): Promise<Response> {
  const { gateway, environment } = deps.config
  // A browser applies `form-action` also to the redirect that answers the form, to the hosted page.
  const forms = ["'self'", ...gateway.pageHosts].join(' ')
  // Unlike `no-referrer`, it leaves the form its Origin.
  c.header('referrer-policy', 'same-origin')
  const render = (frame: Frame) => pressAgainPage(frame, order, fields, environment === 'sandbox')
  return answerPage(c, deps, { render, forms, requested: fields['lang'] ?? null })
}

/** The form goes to the address of the page, which is that of the form before it. */
function pressAgainPage(
  frame: Frame,
  order: Order,
  fields: Readonly<Record<string, string | undefined>>,
  isTest: boolean,
) {
  const { words, nonce, merchant } = frame
  const money = formatMoney(order.amount, order.currency, words.language).replace('\u00A0', ' ')
  const pay = `${words.pay} ${money}`
  const title = [pay, merchant.name].filter(Boolean).join(' · ')
  return (
    <Page frame={frame} title={title} head={<style nonce={nonce}>{raw(STYLE)}</style>}>
      <main>
        <h1>{order.narration}</h1>
        <p class="amount">{money}</p>
        {isTest && <p class="test">{words.testMode}</p>}
        <form method="post" accept-charset="utf-8">
          {Object.entries(fields).map(
            ([name, value]) => value !== undefined && <input type="hidden" name={name} value={value} />,
          )}
          <button>{pay}</button>
        </form>
      </main>
    </Page>
  )
}

const STYLE = `
  button { display: block; width: 100%; min-height: 3rem; margin-top: 1.25rem; padding: .75rem 1rem; border: 1px solid transparent;
    border-radius: .75rem; color: var(--on-accent); background: var(--accent); font: inherit; font-weight: 650; cursor: pointer }
`
