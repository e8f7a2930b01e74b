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

import { PROBLEMS } from '../api/problem-codes.ts'
import { field, text } from '../contract/openapi-field.ts'
import { inLatinDigits } from '../contract/phone-number.ts'
import { addressOfLink, Answer, Choice, MAX_OF_ANSWER } from '../links/link.ts'
import { findLink, freshName, NO_LINK, press } from '../links/orders.ts'
import { judgeOrigin } from './allowed-pages.ts'
import { wantsPage } from './answer-format.ts'
import { OrderText, withoutPunctuation } from './checkout-form.ts'
import { limitGuess } from './find-order.ts'
import { answerPage, helpIn, noticePage, Page } from './pages.tsx'
import { parseOrRefuse, ProblemError } from './problem.ts'
import { page, route, submittedBody } from './route.ts'
import { pageWords } from './words.ts'

import type { Refusal } from '../api/refusal.ts'
import type { Link, LinkTerms } from '../links/link.ts'
import type { Frame } from './pages.tsx'
import type { Needs } from './route.ts'
import type { PageWords } from './words.ts'
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
  id: text('Id of the link. Whoever knows it can pay.', 'pZ0R4uXbTn2vM8kQwY6sLg3f').transform(
    withoutPunctuation,
  ),
})

/** Returns the schema of a number that a person types, on whatever keyboard. */
const typedNumber = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .preprocess((value) => (typeof value === 'string' ? inLatinDigits(value).trim() : value), schema)
    .optional()

const PressForm = z
  .object(
    {
      order: OrderText,
      amount: field(
        typedNumber(Choice.shape.amount),
        'The amount, where the link does not have a single one. Price and bounds are those of the link.',
        '1500',
      ),
      quantity: field(typedNumber(Choice.shape.quantity), 'The number of pieces. Default: 1.', 1),
      answer: field(Answer, 'The answer to the question of the link. Required if it has one.', 'Asha'),
    },
    'must be an object',
  )
  .meta({ id: 'PressRequest', description: 'What a payer chose on the page of a link.' })

/** What was typed, for the page that is shown again. */
const typed = z.string().optional().catch(undefined)
const Typed = z
  .object({ order: typed, amount: typed, quantity: typed, answer: typed })
  .catch({ order: undefined })
type Typed = z.output<typeof Typed>

const REFUSALS = ['invalid_request', 'order_unknown', 'store_unavailable', 'too_many_requests'] as const

/** After these, the payer presses again, on the page that follows. */
const SHOWN_AGAIN: ReadonlySet<string> = new Set(['invalid_request', 'order_changed'])

export function declareLinkPage(app: Hono, deps: LinkPageDeps): void {
  const { config, clock, clientNetwork } = deps

  route(app, 'GET', '/link/:id', {
    id: 'showLink',
    tag: 'Checkout',
    summary: 'Show a reusable link',
    description: 'The page has the name of a new order. Nothing is stored before the press.',
    params: LinkPath,
    answers: [page('The page of the link.')],
    problems: REFUSALS,
    handle: async ({ c, params }) => {
      const { link, standing } = await findLink(deps, params.id)
      return standing === 'open' ? answerLink(c, deps, link) : answerNoLink(c, deps, standing)
    },
  })

  route(app, 'POST', '/link/:id/press', {
    id: 'pressLink',
    tag: 'Checkout',
    summary: 'Make an order of a reusable link',
    description:
      'The same page makes the same order: `order_changed` if something else was chosen on it before. That, a slip, or a page of more than 12 hours shows the page again. ALLOWED_ORIGINS must name the origin of the page, if it is not of this server.',
    params: LinkPath,
    body: submittedBody(clock, { schema: PressForm, example: { order: `link-${'0'.repeat(40)}` } }),
    answers: [
      { status: 303, description: 'A redirect to the page of the order.' },
      page('With Origin: null, a fresh page.'),
    ],
    problems: [...REFUSALS, 'origin_not_allowed', 'order_changed'],
    handle: async ({ c, params, body }) => {
      const { isHidden } = judgeOrigin(c, config)
      const { link, standing } = await findLink(deps, params.id)
      if (standing !== 'open') {
        return answerNoLink(c, deps, standing)
      }

      // A stranger's page may have sent the form: nothing of it comes before the person whose browser sent it.
      if (isHidden) {
        return answerLink(c, deps, link)
      }

      const form = await body()
      const read = parseOrRefuse(PressForm, form)
      const pressed = read.kind === 'refused' ? read : await pressPage(link, read.value, clientNetwork(c))
      if (pressed.kind === 'pressed') {
        return c.redirect(`${config.publicUrl}/pay/${pressed.order}`, 303)
      }
      if (SHOWN_AGAIN.has(pressed.code) && wantsPage(c)) {
        return answerLink(c, deps, link, { typed: Typed.parse(form), refusal: pressed })
      }

      throw new ProblemError(pressed)
    },
  })

  function pressPage(link: Link, form: z.output<typeof PressForm>, network: string | null) {
    const { order: name, answer, ...choice } = form
    return press(deps, link, { name, choice, answer, network })
  }
}

/** @param again What was typed where the page is shown again, and why the press was refused. */
function answerLink(
  c: Context,
  deps: LinkPageDeps,
  link: Link,
  { typed, refusal }: { typed?: Typed; refusal?: Refusal } = {},
): Promise<Response> {
  const { config } = deps
  const wrong = new Set(refusal?.evidence.errors?.map(({ path }) => path))
  const replaced = whyReplaced(refusal)
  const name = replaced === null ? typed?.order : undefined
  const action = `${addressOfLink(config.publicUrl, link.id)}/press`
  const shown = {
    name: name ?? freshName(link, deps),
    action,
    isTest: config.environment === 'sandbox',
    typed: typed ?? {},
    wrong,
    replaced,
  }
  const render = (frame: Frame) => linkPage(frame, link.terms, shown)
  // Unlike `no-referrer`, it leaves the forms of this page and of the next one their Origin.
  c.header('referrer-policy', 'same-origin')
  return answerPage(c, deps, {
    render,
    status: refusal ? PROBLEMS[refusal.code].status : 200,
    forms: new URL(config.publicUrl).origin,
    cache: 'private, no-cache',
  })
}

/** Why the page that was pressed cannot make an order of what was chosen; `null` if it still can. */
type Replaced = 'aged' | 'pressed' | null

function whyReplaced(refusal: Refusal | undefined): Replaced {
  if (refusal?.code === 'order_changed') {
    return 'pressed'
  }
  return refusal?.evidence.errors?.some(({ path }) => path === 'order') ? 'aged' : null
}

/**
 * Answers for a link of which no order can be started. The page says whether there was one: its id is as hard to guess as
 * a secret. Whoever guesses is limited, as with orders.
 *
 * @throws {ProblemError} if the client shows no pages, or has guessed too often.
 */
function answerNoLink(c: Context, deps: LinkPageDeps, standing: 'ended' | 'unknown'): Promise<Response> {
  const refusal = limitGuess(NO_LINK, deps.clientNetwork(c), deps)
  if (refusal !== NO_LINK || !wantsPage(c)) {
    throw new ProblemError(refusal)
  }

  const failure = { code: NO_LINK.code, message: '', retryable: false, fields: [] }
  const render = (frame: Frame) => {
    const { noLink, ended } = pageWords(frame.words.language)
    const [, detail] = frame.words.failure.order_unknown
    const title = standing === 'ended' ? ended : noLink
    return noticePage(frame, { title, details: [detail], help: helpIn(frame, failure) })
  }
  return answerPage(c, deps, { render, status: 404 })
}

interface ShownPage {
  /** The name of the order that the press makes. */
  name: string
  /** The address to which the form goes. */
  action: string
  isTest: boolean
  typed: Partial<Typed>
  /** The names of the fields to correct. */
  wrong: ReadonlySet<string>
  replaced: Replaced
}

function linkPage(frame: Frame, terms: LinkTerms, shown: ShownPage) {
  const { words, nonce, merchant } = frame
  const { name, action, isTest, typed, wrong, replaced } = shown
  const { narration, currency, amounts = [], max_quantity: most = 1, question } = terms
  const labels = pageWords(words.language)
  const moneyOf = (amount: string) => formatMoney(amount, currency, words.language)
  const [only, ...others] = amounts
  const fixed = only !== undefined && others.length === 0 ? moneyOf(only) : ''
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
        <h1 dir="auto">{narration}</h1>
        {fixed && <p class="amount">{fixed.replace('\u00A0', ' ')}</p>}
        {isTest && <p class="test">{words.testMode}</p>}
        {replaced && <p class="wrong">{labels[replaced]}</p>}
        <form method="post" action={action} accept-charset="utf-8">
          <input type="hidden" name="order" value={name} />
          {others.length > 0 && (
            <fieldset {...describedBy('amount', wrong)}>
              <legend>{labels.amount}</legend>
              {correction('amount', wrong, labels.choose)}
              {amounts.map((amount) => (
                <label class="choice">
                  <input
                    type="radio"
                    name="amount"
                    value={amount}
                    checked={amount === typed.amount}
                    required
                  />{' '}
                  {moneyOf(amount)}
                </label>
              ))}
            </fieldset>
          )}
          {boundsIn(terms, shown, labels, moneyOf)}
          {most > 1 && (
            <>
              <label>
                {`${labels.quantity} (1–${most})`}
                <input
                  type="number"
                  name="quantity"
                  min="1"
                  max={String(most)}
                  value={typed.quantity ?? '1'}
                  {...describedBy('quantity', wrong)}
                  required
                />
              </label>
              {correction('quantity', wrong, labels.number('1', String(most)))}
            </>
          )}
          {question && (
            <>
              <label dir="auto">
                {question}
                <input
                  type="text"
                  name="answer"
                  dir="auto"
                  maxlength={MAX_OF_ANSWER}
                  value={typed.answer}
                  {...describedBy('answer', wrong)}
                  required
                />
              </label>
              {correction('answer', wrong, labels.answer(MAX_OF_ANSWER))}
            </>
          )}
          <button>{words.next}</button>
        </form>
      </main>
    </Page>
  )
}

function boundsIn(
  { min_amount: least, max_amount: most }: LinkTerms,
  { typed, wrong }: ShownPage,
  own: PageWords,
  moneyOf: (amount: string) => string,
) {
  if (least === undefined || most === undefined) {
    return null
  }
  return (
    <>
      <label>
        {`${own.amount} (${moneyOf(least)} – ${moneyOf(most)})`}
        <input
          type="number"
          name="amount"
          min={least}
          max={most}
          step="1"
          inputmode="numeric"
          value={typed.amount}
          {...describedBy('amount', wrong)}
          required
        />
      </label>
      {correction('amount', wrong, own.number(moneyOf(least), moneyOf(most)))}
    </>
  )
}

/** Returns the attributes that lead from a field to what has to be corrected in it, if anything. */
function describedBy(field: string, wrong: ReadonlySet<string>) {
  return wrong.has(field) ? { 'aria-invalid': 'true' as const, 'aria-describedby': `wrong-${field}` } : {}
}

function correction(field: string, wrong: ReadonlySet<string>, text: string) {
  return (
    wrong.has(field) && (
      <span class="wrong" id={`wrong-${field}`}>
        {text}
      </span>
    )
  )
}

const STYLE = `
  form { margin-top: 1.25rem; text-align: start }
  fieldset { display: grid; gap: .5rem; min-width: 0; margin: 0 0 1rem; padding: 0; border: 0 }
  legend { margin-bottom: .375rem; padding: 0; font-weight: 600 }
  label { display: block; min-height: 2.75rem; padding: .625rem 0; font-weight: 600 }
  .choice { display: flex; align-items: center; gap: .75rem; min-height: 3rem; padding: .625rem .875rem; border: 1px solid var(--line);
    border-radius: .75rem; cursor: pointer }
  .choice:has(:checked) { border-color: var(--edge); box-shadow: inset 0 0 0 1px var(--edge) }
  .choice:has(:focus-visible) { outline: 3px solid var(--edge); outline-offset: 2px }
  .choice input { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; outline: 0; accent-color: var(--accent) }
  input:is([type='number'], [type='text']) { display: block; width: 100%; min-height: 3rem; margin-top: .375rem; padding: .5rem .75rem;
    border: 1px solid var(--soft); border-radius: .75rem; color: inherit; background: transparent; font: inherit }
  button { display: block; width: 100%; min-height: 3rem; margin-top: .5rem; padding: .75rem 1rem; border: 1px solid transparent;
    border-radius: .75rem; color: var(--on-accent); background: var(--accent); font: inherit; font-weight: 650; cursor: pointer }
  .wrong { color: var(--warn); font-weight: 600 }
  span.wrong { display: block; margin-bottom: .625rem }
  span.wrong::before { content: '!' / ''; display: inline-block; width: 1.375em; margin-inline-end: .5em; border: 1px solid; border-radius: 1em;
    line-height: 1.25; text-align: center }
  form :focus-visible { outline-offset: 2px }
`
