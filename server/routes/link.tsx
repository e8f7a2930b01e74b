/**
 * Declares `/link/{id}`, the page of a reusable link. It says what is paid for, and takes what the payer chooses, in
 * a form without a script. The press makes an order, and leads to the page of that order (`pay.tsx`).
 *
 * The page has the name of the order already. It may be kept by the payer's own browser, so that the way back to it
 * shows the same name: another press of it is the same order. The form goes to another address, because browsers drop
 * a page to whose address a form was sent.
 */

import { formatMoney } from 'gateway-checkout/words'
import { raw } from 'hono/html'
import { z } from 'zod'

import { field, text } from '../contract/openapi-field.ts'
import { Answer, Choice } from '../links/link.ts'
import { findOpenLink, freshName, NO_LINK, press } from '../links/orders.ts'
import { limitGuess, OrderText } from './checkout.ts'
import { answerPage, Page } from './pages.tsx'
import { ProblemError } from './problem.ts'
import { page, parsedBody, route } from './route.ts'

import type { LinkTerms } from '../links/link.ts'
import type { Frame } from './pages.tsx'
import type { Needs } from './route.ts'
import type { Context, Hono } from 'hono'

type LinkPageDeps = Needs<
  | 'config'
  | 'store'
  | 'account'
  | 'fingerprints'
  | 'sealer'
  | 'clock'
  | 'randomness'
  | 'limiter'
  | 'clientNetwork'
>

const LinkPath = z.object({
  id: text('Id of the link. Whoever knows it can pay.', 'pZ0R4uXbTn2vM8kQwY6sLg3f'),
})

const PressForm = z
  .object(
    {
      order: OrderText,
      amount: field(
        Choice.shape.amount,
        'The amount, where the link does not have a single one. Price and bounds are those of the link.',
        '1500',
      ),
      quantity: field(Choice.shape.quantity, 'The number of pieces. Default: 1.', 1),
      answer: field(Answer, 'The answer to the question of the link. Required if it has one.', 'Asha'),
    },
    'must be an object',
  )
  .meta({ id: 'PressRequest', description: 'What a payer chose on the page of a link.' })

const PROBLEMS = ['invalid_request', 'order_unknown', 'store_unavailable', 'too_many_requests'] as const

export function declareLinkPage(app: Hono, deps: LinkPageDeps): void {
  const { config, clock, clientNetwork } = deps

  route(app, 'GET', '/link/:id', {
    id: 'showLink',
    tag: 'Checkout',
    summary: 'Show a reusable link',
    description: 'The page has the name of a new order. Nothing is stored before the press.',
    params: LinkPath,
    answers: [page('The page of the link.')],
    problems: PROBLEMS,
    handle: async ({ c, params }) => {
      const link = await findLink(c, params.id, deps)
      const name = freshName(link, deps)
      const { origin } = new URL(config.publicUrl)
      // Unlike `no-referrer`, it leaves the forms of the next page their Origin.
      c.header('referrer-policy', 'same-origin')
      const action = `${config.publicUrl}/link/${link.id}/press`
      const isTest = config.environment === 'sandbox'
      const render = (frame: Frame) => linkPage(frame, link.terms, { name, action, isTest })
      return answerPage(c, deps, { render, forms: origin, cache: 'private, no-cache' })
    },
  })

  route(app, 'POST', '/link/:id/press', {
    id: 'pressLink',
    tag: 'Checkout',
    summary: 'Make an order of a reusable link',
    description: 'The same page makes the same order, with what was chosen first.',
    params: LinkPath,
    body: parsedBody(clock, { schema: PressForm, example: { order: `link-${'0'.repeat(40)}` } }),
    answers: [{ status: 303, description: 'A redirect to the page of the order.' }],
    problems: PROBLEMS,
    handle: async ({ c, params, body }) => {
      const link = await findLink(c, params.id, deps)
      const { order: name, answer, ...choice } = await body()
      const pressed = await press(deps, link, { name, choice, answer, network: clientNetwork(c) })
      if (pressed.kind === 'refused') {
        throw new ProblemError(pressed)
      }
      return c.redirect(`${config.publicUrl}/pay/${pressed.order}`, 303)
    },
  })
}

/** @throws {ProblemError} if there is no such link, or it has ended. Whoever guesses is limited, as with orders. */
async function findLink(c: Context, id: string, deps: LinkPageDeps) {
  const link = await findOpenLink(deps, id)
  if (!link) {
    throw new ProblemError(limitGuess(NO_LINK, deps.clientNetwork(c), deps))
  }
  return link
}

interface PagePress {
  /** The name of the order that the press makes. */
  name: string
  /** The address to which the form goes. */
  action: string
  isTest: boolean
}

function linkPage(frame: Frame, terms: LinkTerms, { name, action, isTest }: PagePress) {
  const { words, nonce, merchant } = frame
  const { narration, currency, amounts = [], max_quantity: most = 1, question } = terms
  const moneyOf = (amount: string) => formatMoney(amount, currency, words.language).replace('\u00A0', ' ')
  const [only, ...others] = amounts
  const fixed = only !== undefined && others.length === 0 ? moneyOf(only) : ''
  const pay = [words.pay, most === 1 && fixed].filter(Boolean).join(' ')
  const head = (
    <>
      <style nonce={nonce}>{raw(STYLE)}</style>
      <meta property="og:type" content="website" />
      <meta property="og:title" content={[merchant.name, fixed].filter(Boolean).join(': ')} />
      <meta property="og:description" content={narration} />
    </>
  )
  return (
    <Page frame={frame} title={[narration, merchant.name].filter(Boolean).join(' · ')} head={head}>
      <main>
        <h1>{narration}</h1>
        {fixed && <p class="amount">{fixed}</p>}
        {isTest && <p class="test">{words.testMode}</p>}
        <form method="post" action={action}>
          <input type="hidden" name="order" value={name} />
          {others.length > 0 && (
            <fieldset>
              <legend>{currency}</legend>
              {amounts.map((amount) => (
                <label>
                  <input type="radio" name="amount" value={amount} required /> {moneyOf(amount)}
                </label>
              ))}
            </fieldset>
          )}
          {boundsIn(terms, moneyOf)}
          {most > 1 && (
            <label>
              {`${QUANTITY[words.language]} (1–${most})`}
              <input type="number" name="quantity" min="1" max={String(most)} value="1" required />
            </label>
          )}
          {question && (
            <label>
              {question}
              <input type="text" name="answer" maxlength={100} required />
            </label>
          )}
          <button>{pay}</button>
        </form>
      </main>
    </Page>
  )
}

/** The element asks nobody for a quantity, and has no word for it. */
const QUANTITY: Readonly<Record<string, string>> = {
  en: 'How many',
  sw: 'Idadi',
  fr: 'Quantité',
  pt: 'Quantidade',
  ar: 'العدد',
}

/** The bounds are the label of the field, which needs no words then. */
function boundsIn({ min_amount: least, max_amount: most }: LinkTerms, moneyOf: (amount: string) => string) {
  if (least === undefined || most === undefined) {
    return null
  }
  return (
    <label>
      {`${moneyOf(least)} – ${moneyOf(most)}`}
      <input type="number" name="amount" min={least} max={most} step="1" inputmode="numeric" required />
    </label>
  )
}

const STYLE = `
  form { margin-top: 1.25rem; text-align: start }
  fieldset { margin: 0 0 1rem; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: .75rem }
  label { display: block; padding: .625rem 0 }
  input:is([type='number'], [type='text']) { display: block; width: 100%; min-height: 3rem; margin-top: .375rem; padding: .5rem .75rem;
    border: 1px solid var(--soft); border-radius: .75rem; color: inherit; background: transparent; font: inherit }
  button { display: block; width: 100%; min-height: 3rem; margin-top: .5rem; padding: .75rem 1rem; border: 1px solid transparent;
    border-radius: .75rem; color: var(--on-accent); background: var(--accent); font: inherit; font-weight: 650; cursor: pointer }
  form :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
`
