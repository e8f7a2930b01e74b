import { html } from 'hono/html'
import { compare } from '../../../server/contract/decimal.ts'
import { respondWithDocument } from '../document.ts'
import { display } from '../money/amounts.ts'
import { receivedBy, remainingOf } from '../sessions/session.ts'
import { BackToShop, MessageCard, messageOf } from './messages.tsx'
import { MethodForm } from './method-form.tsx'
import { pageStateOf, refreshSecondsOf } from './page-state.ts'
import { Phone } from './phone.tsx'
import { SCRIPT } from './script.ts'
import { STYLE } from './style.ts'
import { Countdown, countdownStyle, localTime } from './times.tsx'
import type { Child } from 'hono/jsx'
import type { Environment } from '../environment.ts'
import type { CheckoutSession } from '../sessions/session.ts'
import type { Simulation } from '../world.ts'
import type { MethodDraft } from './method-form.tsx'
import type { PageState } from './page-state.ts'
import type { AmountDraft } from './phone.tsx'

// [assumed] Time until the page of a paid session redirects to the shop: enough to hear the page and to stay on it.
const RETURN_SECONDS = 20
/** Time before the end of the session when a screen reader is told. */
const WARNING_MS = 120_000
const OVER: readonly PageState['kind'][] = ['paid', 'given_back', 'expired']
/** Screen readers announce no change of a page that has just appeared. */
const SOON_SECONDS = 1

// `stays` prevents the redirect to the shop after the payment.
export interface Draft {
  method?: MethodDraft
  amount?: AmountDraft
  stays?: boolean
}

export function page(
  session: CheckoutSession,
  { timeline, environment }: Pick<Simulation, 'timeline' | 'environment'>,
  draft: Draft,
): Promise<Response> {
  const [now, speed] = [timeline.now(), timeline.speed()]
  const state = pageStateOf(session, now)
  const refused = draft.method ?? draft.amount
  const returnUrl = draft.stays === true || state.kind !== 'paid' ? null : session.redirectUrl
  const message = messageOf(session, state, now, returnUrl === null ? null : RETURN_SECONDS)
  const refresh = returnUrl
    ? `${RETURN_SECONDS};url=${new URL(returnUrl).href}`
    : refreshSecondsOf(state, now, speed)
  const isPrompted = state.kind === 'prompted'
  const promptLeft = isPrompted ? countdownStyle('prompt', state.closesAt - now, speed) : ''
  const title = message?.title ?? titleOf(session, state)
  const page = {
    environment,
    title: `${refused ? 'Error: ' : ''}${title} · ${session.merchant.name}`,
    style: countdownStyle('session', session.expiresAt - now, speed) + promptLeft,
    refresh: refused ? null : refresh,
    warning: warningOf(session, now, speed),
    content: (
      <>
        <Summary session={session} now={now} state={state} />
        {message ? <MessageCard {...message} /> : <Choice session={session} state={state} draft={draft} />}
        {OVER.includes(state.kind) ? null : <BackToShop session={session} class="back" />}
      </>
    ),
    aside: isPrompted && <Phone session={session} payment={state.payment} draft={draft.amount ?? null} />,
  }
  return respondWithPage(page, refused ? 422 : 200)
}

function Choice({ session, state, draft }: { session: CheckoutSession; state: PageState; draft: Draft }) {
  // Another attempt starts with the last one's phone and method: the customer may have changed the session's.
  const last = state.kind === 'choosing' ? state.last : null
  const { methodCode, msisdn } = last ?? session
  const untouched = { method: methodCode, msisdn: `+${msisdn}`, error: null }
  return <MethodForm session={session} last={last} draft={draft.method ?? untouched} />
}

function titleOf(session: CheckoutSession, state: PageState): string {
  const hasFailed = state.kind === 'choosing' && state.last?.state.kind === 'failed'
  const amount = display(remainingOf(session), session.service.currency)
  return hasFailed ? 'The payment did not go through' : `Pay ${amount}`
}

/** Returns the real seconds until two minutes are left to pay; `null` if none is left, or the clock stands still. */
function warningOf({ expiresAt }: CheckoutSession, now: number, speed: number): number | null {
  if (expiresAt <= now || speed === 0) return null
  return Math.max(SOON_SECONDS, (expiresAt - now - WARNING_MS) / 1_000 / speed)
}

function Summary({ session, now, state }: { session: CheckoutSession; now: number; state: PageState }) {
  const { merchant, narration, service, expiresAt } = session
  const isLive = now < expiresAt
  const isPayable = state.kind === 'choosing' || state.kind === 'prompted'
  const isOver = OVER.includes(state.kind)
  // What is left to pay is the news after a part was paid.
  const amount = isOver ? session.amount : remainingOf(session)
  const isRest = !isOver && compare(receivedBy(session), '0') > 0
  // The message below names what was received.
  const isPaid = state.kind === 'paid'
  return (
    <section class="card" aria-label="What you pay">
      <div class="merchant">
        <span class="mark" aria-hidden="true">
          {Array.from(merchant.name)[0]}
        </span>
        <div>
          <h1>
            {isPayable ? 'Pay ' : ''}
            {merchant.name}
          </h1>
          <p class="narration">{narration}</p>
        </div>
        {isPaid ? null : (
          <p class="amount">
            {isRest ? <small>Left to pay</small> : null} {display(amount, service.currency)}
          </p>
        )}
      </div>
      {isPaid ? null : <Progress session={session} />}
      {isPayable || state.kind === 'expired' ? (
        <p class="expiry">
          <span class={isLive ? 'until' : undefined}>
            {isLive ? 'Pay until' : 'Ended at'}{' '}
            <time datetime={new Date(expiresAt).toISOString()}>{localTime(expiresAt, service.country)}</time>
          </span>
          {isLive ? <Countdown of="session" /> : null}
        </p>
      ) : null}
    </section>
  )
}

function Progress({ session }: { session: CheckoutSession }) {
  const received = receivedBy(session)
  if (compare(received, '0') === 0) return null
  const { currency } = session.service
  const [paid, asked] = [display(received, currency), display(session.amount, currency)]
  return (
    <>
      <progress max={session.amount} value={received} aria-label="Paid so far">
        {paid}
      </progress>
      <p class="so-far">{`${paid} of ${asked} is paid.`}</p>
    </>
  )
}

interface HostedPage {
  readonly title: string
  readonly environment: Environment
  readonly style?: string
  readonly refresh?: string | number | null
  /** Seconds until the script warns that little time is left; `null` if it does not. */
  readonly warning?: number | null
  readonly content: Child
  /** What is beside the page. */
  readonly aside?: Child
}

export function respondWithPage(page: HostedPage, status: number): Promise<Response> {
  const { title, environment, style = '', refresh = null, warning = null, content, aside } = page
  const meta = html`<noscript><meta http-equiv="refresh" content="${refresh}" /></noscript>`
  const head = refresh === null ? null : meta
  const parts = html`<p class="visually-hidden" role="status"></p>
    <p class="trouble" role="status"></p>
    <div class="columns" data-refresh="${refresh}" data-warning="${warning}">
      <main>${content}</main>
      ${aside}
    </div>`
  const document = { title, environment, style: STYLE + style, script: SCRIPT, head, content: parts }
  return respondWithDocument(document, status)
}
