// The hosted page of a session: what is to be paid, and a message or the form with the ways to pay.

import { GLYPHS, groupDigits } from 'gateway-checkout/words'
import { html } from 'hono/html'

import { compare } from '../../../server/contract/decimal.ts'
import { isOnPhone } from '../merchants/merchant.ts'
import { respondWithDocument } from '../page-document.ts'
import { failureOf } from '../sessions/payment.ts'
import { offeredMethodsOf, receivedBy } from '../sessions/session.ts'
import { BackToShop, Countdown, Icon, MessageCard, messageOf, METHOD_ICONS, iconNameOf } from './messages.tsx'
import { pageStateOf, refreshSecondsOf } from './page-state.ts'
import { ScenarioButtons } from './scenario-buttons.tsx'
import { SCRIPT } from './script.ts'
import { STYLE } from './style.ts'
import { LANGUAGES, sayOf } from './words.ts'

import type { Merchant, Method } from '../merchants/merchant.ts'
import type { Payment } from '../sessions/payment.ts'
import type { CheckoutSession } from '../sessions/session.ts'
import type { Simulation } from '../world.ts'
import type { Message } from './messages.tsx'
import type { PageState } from './page-state.ts'
import type { AmountDraft } from './scenario-buttons.tsx'
import type { Say } from './words.ts'

// [assumed] Time until the page of a paid session redirects to the shop: enough to hear the page and to stay on it.
const RETURN_SECONDS = 20
/** [spec: Limits] */
const LONGEST_MSISDN = 25
/** The states whose message has the link to the shop. */
const OVER: readonly PageState['kind'][] = ['paid', 'given_back', 'expired']

/** What the customer has typed, or has asked for, on the page before. */
export interface Draft {
  /** The code of the method, and a number that was refused. */
  prompt?: { method: string; msisdn: string }
  /** An amount that was refused. */
  amount?: AmountDraft
  /** Prevents the redirect to the shop after the payment. */
  stays?: boolean
}

export async function respondWithPage(
  session: CheckoutSession,
  { clock, environment }: Pick<Simulation, 'clock' | 'environment'>,
  language: string,
  draft: Draft,
): Promise<Response> {
  const now = clock.now()
  const speed = clock.speed()
  const say = await sayOf(session, language)
  const state = pageStateOf(session, now)
  const address = draft.stays === true || state.kind !== 'paid' ? null : session.redirectUrl
  // Without the characters that would end the address in `refresh`.
  const returnUrl = address && new URL(address).href
  const seconds = returnUrl === null ? refreshSecondsOf(state, now, speed) : RETURN_SECONDS
  const message = messageOf(session, state, say, seconds)
  const isPrompted = state.kind === 'prompted'
  const closesAt = isPrompted ? state.until : session.expiresAt
  const isLeaving = returnUrl !== null
  const problem = draft.prompt ? say('wrongNumber') : draft.amount?.error
  const { title } = message ?? headingOf(lastOf(state), say)
  const refresh = seconds === null ? null : `${seconds};url=${returnUrl ?? `/pay/${session.reference}`}`
  const document = {
    environment,
    language,
    title: [problem, title, session.merchant.name].filter(Boolean).join(' · '),
    style:
      STYLE +
      brandStyle(session.merchant) +
      (isLeaving ? countdownStyle(RETURN_SECONDS * 1_000, 1) : countdownStyle(closesAt - now, speed)),
    script: SCRIPT,
    head: refresh && html`<noscript><meta http-equiv="refresh" content="${refresh}" /></noscript>`,
    content: (
      <>
        <p class="visually-hidden" role="status" data-soon={say('endsSoon')} />
        <p class="trouble" role="status" data-trouble={say('offline')} />
        <div class="columns" data-refresh={refresh ?? ''}>
          <Main {...{ session, state, message, refused: draft.prompt, say, language }} />
          {isPrompted && <ScenarioButtons session={session} payment={state.payment} refused={draft.amount} />}
        </div>
      </>
    ),
  }
  return respondWithDocument(document, problem === undefined ? 200 : 422)
}

/** Returns the payment whose end the form shows. */
const lastOf = (state: PageState) => (state.kind === 'choosing' ? state.last : null)

type Shown = { session: CheckoutSession; state: PageState; say: Say }
type MainProps = Shown & { message: Message | null; refused: Draft['prompt']; language: string }

function Main({ session, state, message, refused, say, language }: MainProps) {
  return (
    <main>
      <Summary session={session} state={state} say={say} />
      {message ? (
        <MessageCard {...message} />
      ) : (
        <MethodForm session={session} last={lastOf(state)} refused={refused} say={say} />
      )}
      {OVER.includes(state.kind) ? null : <BackToShop session={session} say={say} class="back" />}
      <nav class="links languages">
        {LANGUAGES.map((tag) => (
          <a
            href={`/pay/${session.reference}?lang=${tag}`}
            lang={tag}
            aria-current={String(tag === language)}
          >
            {new Intl.DisplayNames(tag, { type: 'language' }).of(tag)}
          </a>
        ))}
      </nav>
    </main>
  )
}

// The package's `testing/playwright` finds a session by `data-transaction`, and the link to the shop by `.back` and
// `.message a.button`.
function Summary({ session, state, say }: Shown) {
  const { merchant, narration, expiresAt } = session
  const isPaid = state.kind === 'paid'
  const isPart = !isPaid && compare(receivedBy(session), '0') > 0
  const partial = say.sentence('partial')
  return (
    <section class="card" aria-labelledby="merchant" data-transaction={session.id}>
      <div class="merchant">
        <span class="mark" aria-hidden="true">
          {merchant.logo === undefined ? Array.from(merchant.name)[0] : <img src={merchant.logo} alt="" />}
        </span>
        <div>
          <h1 id="merchant">{merchant.name}</h1>
          <p class="narration">{narration}</p>
        </div>
        {/* A paid session shows its amount in the message. After a part was paid, the remainder is shown here. */}
        {isPaid ? null : <p class="amount">{isPart ? partial.title : say.money(session.amount)}</p>}
      </div>
      {isPart && <progress max={session.amount} value={receivedBy(session)} aria-label={partial.text} />}
      {state.kind === 'choosing' && (
        <p class="expiry">
          <time datetime={new Date(expiresAt).toISOString()}>{say('until')}</time>
          <Countdown />
        </p>
      )}
    </section>
  )
}

type MethodFormProps = Omit<MainProps, 'state' | 'message' | 'language'> & { last: Payment | null }

function MethodForm({ session, last, refused, say }: MethodFormProps) {
  // Another attempt starts with the last one's phone and method: the customer may have changed the session's.
  const { methodCode, msisdn } = last ?? session
  const shown = refused ?? { method: methodCode, msisdn: groupDigits(`+${msisdn}`) }
  const how = say('how')
  return (
    <section class="card" aria-labelledby="methods">
      {last === null ? null : <LastAttempt payment={last} say={say} />}
      <form method="post" action={`/pay/${session.reference}/prompt`} accept-charset="utf-8">
        <fieldset>
          {/* After an attempt, its result is the heading. */}
          <legend class={last === null ? undefined : 'visually-hidden'}>
            {last === null ? <h2 id="methods">{how}</h2> : how}
          </legend>
          {offeredMethodsOf(session).map((method) => (
            <MethodChoice method={method} isChosen={method.code === shown.method} say={say} />
          ))}
        </fieldset>
        <div class="field">
          <label for="msisdn">{say('payer_msisdn')}</label>
          <input
            id="msisdn"
            name="msisdn"
            type="tel"
            autocomplete="tel"
            dir="ltr"
            maxlength={LONGEST_MSISDN}
            value={shown.msisdn}
            aria-describedby={refused ? 'msisdn-error msisdn-hint' : 'msisdn-hint'}
            aria-invalid={refused ? 'true' : undefined}
            autofocus={refused !== undefined}
          />
          {refused && (
            <span class="error" id="msisdn-error">
              {say('wrongNumber')}
            </span>
          )}
          <small id="msisdn-hint">{say('phoneHint')}</small>
        </div>
        <button class="button">{say('pay')}</button>
      </form>
    </section>
  )
}

function MethodChoice({ method, isChosen, say }: { method: Method; isChosen: boolean; say: Say }) {
  const { code } = method
  const busy = say(isOnPhone(code) ? 'askingPhone' : 'askingBank')
  const icon = iconNameOf(code)
  const isOther = icon === 'card' || icon === 'bank'
  const { title, text } = isOther ? say.sentence(icon) : { title: method.name, text: say('pin') }
  return (
    <label class="method">
      <input type="radio" name="method" value={code} checked={isChosen} required data-busy={busy} />
      <span class="tile" data-method={icon}>
        <Icon path={METHOD_ICONS[icon]} />
      </span>
      <b>{title}</b>
      <small>{text}</small>
    </label>
  )
}

function LastAttempt({ payment, say }: { payment: Payment; say: Say }) {
  const isPaid = payment.state.kind === 'paid'
  const { title, text } = headingOf(payment, say)
  return (
    <div class={isPaid ? 'notice good' : 'notice'}>
      <Icon path={isPaid ? GLYPHS.paid : GLYPHS.unpaid} />
      <div>
        <h2 id="methods">{title}</h2>
        {isPaid ? null : [<p>{text}</p>, <p>{say('sms')}</p>]}
      </div>
    </div>
  )
}

/** Returns what the form asks, or how the last attempt ended, with a sentence about it. */
function headingOf(last: Payment | null, say: Say): { title: string; text: string } {
  if (last === null) {
    return { title: say('how'), text: '' }
  }
  if (last.state.kind === 'paid') {
    return { title: say.sentence('partial').text, text: '' }
  }
  return say.sentence(failureOf(last))
}

/**
 * Returns the style of a merchant's own colour, with black or white upon it, whichever has more contrast. The luminance
 * is that of WCAG with the power 2.2 in place of the curve of sRGB; at 0.18, black and white have the same contrast.
 * The other accents of the page become neutral, because its green may not go with the colour.
 */
function brandStyle({ accent = '' }: Merchant): string {
  const [, ...channels] = /^#(..)(..)(..)$/.exec(accent) ?? []
  const [red, green, blue] = channels.map((each) => (parseInt(each, 16) / 255) ** 2.2)
  if (red === undefined || green === undefined || blue === undefined) {
    return ''
  }

  const on = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? '#000' : '#fff'
  const shade = on === '#000' ? '#fff' : '#000'
  return `:root { --brand: ${accent}; --on-brand: ${on}; --shade: ${shade}; --accent: var(--ink); --tint: var(--plain); }`
}

function countdownStyle(msLeft: number, speed: number): string {
  const seconds = Math.max(0, Math.floor(msLeft / 1_000))
  const movement = `animation: left ${(seconds / speed).toFixed(3)}s steps(${seconds}, end) forwards;`
  return `
@keyframes left { from { --left: ${seconds}; } to { --left: 0; } }
.countdown {
  --left: ${seconds}; ${seconds > 0 && speed > 0 ? movement : ''}
  --minutes: round(down, var(--left) / 60, 1);
  counter-reset: minutes calc(var(--minutes)) seconds calc(var(--left) - 60 * var(--minutes));
}
`
}
