import { html } from 'hono/html'
import { compare } from '../../../server/contract/decimal.ts'
import { respondWithDocument } from '../document.ts'
import { timeZoneOf } from '../money/currencies.ts'
import { receivedBy, remainingOf } from '../sessions/session.ts'
import { BackToShop, Countdown, MessageCard, messageOf } from './messages.tsx'
import { MethodForm, headingOf, soFarOf } from './method-form.tsx'
import { pageStateOf, refreshSecondsOf } from './page-state.ts'
import { Phone } from './phone.tsx'
import { SCRIPT } from './script.ts'
import { STYLE } from './style.ts'
import { LANGUAGES, sayIn } from './words.ts'
import type { Child } from 'hono/jsx'
import type { Document } from '../document.ts'
import type { Merchant } from '../merchant.ts'
import type { CheckoutSession } from '../sessions/session.ts'
import type { Simulation } from '../world.ts'
import type { MethodDraft } from './method-form.tsx'
import type { PageState } from './page-state.ts'
import type { AmountDraft } from './phone.tsx'
import type { Say } from './words.ts'

// [assumed] Time until the page of a paid session redirects to the shop: enough to hear the page and to stay on it.
const RETURN_SECONDS = 20
const OVER: readonly PageState['kind'][] = ['paid', 'given_back', 'expired']
// `stays` prevents the redirect to the shop after the payment.
export interface Draft {
  method?: MethodDraft
  amount?: AmountDraft
  stays?: boolean
}

export async function page(
  session: CheckoutSession,
  { clock, environment }: Pick<Simulation, 'clock' | 'environment'>,
  language: string,
  draft: Draft,
): Promise<Response> {
  const [now, speed, say] = [clock.now(), clock.speed(), await sayIn(language)]
  const state = pageStateOf(session, now)
  const address = draft.stays === true || state.kind !== 'paid' ? null : session.redirectUrl
  const returnUrl = address === null ? null : new URL(address).href
  const seconds = returnUrl === null ? refreshSecondsOf(state, now, speed) : RETURN_SECONDS
  const message = messageOf(session, state, say, seconds)
  const last = state.kind === 'choosing' ? state.last : null
  const isPrompted = state.kind === 'prompted'
  const end = isPrompted ? state.until : session.expiresAt
  const [problem] = draft.method ? say('phone').slice(-1) : [draft.amount?.error]
  const title = message?.title ?? headingOf(last, session, say)[0]
  const page = {
    environment,
    language,
    title: [problem, title, session.merchant.name].filter(Boolean).join(' · '),
    style: faceStyle(session.merchant) + countdownStyle(end - now, speed),
    refresh: seconds === null ? null : `${seconds};url=${returnUrl ?? `/pay/${session.reference}`}`,
    content: (
      <>
        <Summary session={session} state={state} say={say} />
        {message ? (
          <MessageCard {...message} />
        ) : (
          <MethodForm session={session} last={last} draft={draft.method} say={say} />
        )}
        {OVER.includes(state.kind) ? null : <BackToShop session={session} say={say} class="back" />}
        <nav class="links languages">
          {LANGUAGES.map((each) => (
            <a
              href={`/pay/${session.reference}?lang=${each}`}
              lang={each}
              aria-current={String(each === language)}
            >
              {new Intl.DisplayNames(each, { type: 'language' }).of(each)}
            </a>
          ))}
        </nav>
      </>
    ),
    aside: isPrompted && <Phone session={session} payment={state.payment} draft={draft.amount ?? null} />,
  }
  return respondWithPage(page, problem === undefined ? 200 : 422)
}

function Summary({ session, state, say }: { session: CheckoutSession; state: PageState; say: Say }) {
  const { merchant, narration, service, expiresAt } = session
  const isPaid = state.kind === 'paid'
  const isPart = !isPaid && compare(receivedBy(session), '0') > 0
  const [rest, , until] = say('left', localTime(expiresAt, service.country))
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
        {/* The message below names what was received; what is left to pay is the news after a part was paid. */}
        {isPaid ? null : (
          <p class="amount">
            {isPart && <small>{rest}</small>} {say.money(remainingOf(session), service.currency)}
          </p>
        )}
      </div>
      {isPart && (
        <progress max={session.amount} value={receivedBy(session)} aria-label={soFarOf(session, say)[0]} />
      )}
      {state.kind === 'choosing' && (
        <p class="expiry">
          <time datetime={new Date(expiresAt).toISOString()}>{until}</time>
          <Countdown />
        </p>
      )}
    </section>
  )
}

/** Returns the style of a merchant's own colour, with black or white upon it, whichever is easier to read. */
function faceStyle({ accent = '' }: Merchant): string {
  const [, ...channels] = /^#(..)(..)(..)$/.exec(accent) ?? []
  const [red, green, blue] = channels.map((each) => (parseInt(each, 16) / 255) ** 2.2)
  if (red === undefined || green === undefined || blue === undefined) return ''
  const on = 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 ? '#000' : '#fff'
  return `:root { --brand: ${accent}; --on-brand: ${on}; --accent: var(--ink); --tint: var(--plain); }`
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

/**
 * Returns a time of day and where it is that time. It needs no script, which could ask the browser for its time zone: it
 * is that of the country in which the customer pays.
 *
 * @param time Milliseconds since the Unix epoch.
 * @param country An ISO 3166-1 alpha-3 code.
 */
function localTime(time: number, country: string): Record<'time' | 'city', string> {
  const timeZone = timeZoneOf(country) ?? 'UTC'
  const format = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone })
  return { time: format.format(time), city: timeZone.replace(/.*\//, '').replaceAll('_', ' ') }
}

interface HostedPage extends Document {
  /** The content of the `<meta http-equiv="refresh">`; `null` if the page stays. */
  readonly refresh?: string | null
  /** What is beside the page. */
  readonly aside?: Child
}

export async function respondWithPage(page: HostedPage, status: number): Promise<Response> {
  const { language = 'en', style, refresh = null, content, aside } = page
  const say = await sayIn(language)
  const head = refresh && html`<noscript><meta http-equiv="refresh" content="${refresh}" /></noscript>`
  const parts = html`<p class="visually-hidden" role="status" data-soon="${say('soon')}"></p>
    <p class="trouble" role="status" data-trouble="${say('trouble')[0]}"></p>
    <div class="columns" data-refresh="${refresh}">
      <main>${content}</main>
      ${aside}
    </div>`
  return respondWithDocument({ ...page, style: STYLE + style, script: SCRIPT, head, content: parts }, status)
}
