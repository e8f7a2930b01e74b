import { display } from '../money/amounts.ts'
import { countdownStyle, promptStyle } from './countdown.tsx'
import { respondWithPage } from './document.ts'
import { BackToShop, Expired, GivenBack, Paid, Prompted, Stuck, Waiting } from './messages.tsx'
import { MethodForm } from './method-form.tsx'
import { Phone } from './phone.tsx'
import { refreshSecondsOf, pageStateOf } from './page-state.ts'
import { Summary } from './summary.tsx'
import { remainingOf } from '../sessions/session.ts'
import type { CheckoutSession } from '../sessions/session.ts'
import type { Timeline } from '../timeline/timeline.ts'
import type { Simulation } from '../world.ts'
import type { MethodDraft } from './method-form.tsx'
import type { AmountDraft } from './phone.tsx'
import type { PageState } from './page-state.ts'

// [assumed] Time until the page of a paid session redirects to the shop: enough to hear the page and to stay on it.
const RETURN_SECONDS = 20
/** Time before the end of the session when a screen reader is told. */
const WARNING_MS = 120_000
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
  const now = timeline.now()
  const pageState = pageStateOf(session, now)
  const refused = draft.method ?? draft.amount
  const speed = timeline.speed()
  const promptLeft =
    pageState.kind === 'prompted'
      ? promptStyle(pageState.closesAt - now, speed) +
        countdownStyle('prompt', pageState.closesAt - now, speed)
      : ''
  const style = countdownStyle('session', session.expiresAt - now, speed) + promptLeft
  const amount = display(remainingOf(session), session.service.currency)
  const isPrompted = pageState.kind === 'prompted'
  return respondWithPage(
    {
      environment,
      title: `${refused ? 'Error: ' : ''}${titleOf(pageState, amount)} · ${session.merchant.name}`,
      style,
      refresh: refused ? null : refreshOf(pageState, session, timeline, draft),
      warning: warningOf(session, now, speed),
      content: (
        <>
          <Summary session={session} now={now} pageState={pageState} />
          <Content session={session} pageState={pageState} now={now} draft={draft} />
          <BackLink session={session} pageState={pageState} />
        </>
      ),
      aside: isPrompted ? (
        <Phone session={session} payment={pageState.payment} draft={draft.amount ?? null} />
      ) : null,
    },
    refused ? 422 : 200,
  )
}

function Content({
  session,
  pageState,
  now,
  draft,
}: {
  session: CheckoutSession
  pageState: PageState
  now: number
  draft: Draft
}) {
  switch (pageState.kind) {
    case 'choosing': {
      // Another attempt starts with the last one's phone and method: the customer may have changed the session's.
      const { methodCode, msisdn } = pageState.last ?? session
      const untouched = { method: methodCode, msisdn: `+${msisdn}`, error: null }
      return <MethodForm session={session} last={pageState.last} draft={draft.method ?? untouched} />
    }
    case 'prompted':
      return <Prompted session={session} payment={pageState.payment} />
    case 'waiting':
      return <Waiting session={session} payment={pageState.payment} msLeft={pageState.until - now} />
    case 'stuck':
      return <Stuck session={session} />
    case 'paid':
      return (
        <Paid
          session={session}
          returnSeconds={draft.stays || session.redirectUrl === null ? null : RETURN_SECONDS}
        />
      )
    case 'given_back':
      return <GivenBack session={session} as={pageState.as} />
    case 'expired':
      return <Expired session={session} />
  }
}

function BackLink({ session, pageState }: { session: CheckoutSession; pageState: PageState }) {
  if (pageState.kind === 'paid' || pageState.kind === 'given_back' || pageState.kind === 'expired')
    return null
  return <BackToShop session={session} class="back" />
}

function titleOf(pageState: PageState, amount: string): string {
  switch (pageState.kind) {
    case 'choosing':
      return pageState.last?.state.kind === 'failed' ? 'The payment did not go through' : `Pay ${amount}`
    case 'prompted':
      return 'Check your phone'
    case 'waiting':
      return pageState.payment.state.kind === 'processing' ? 'Your payment is on its way' : 'Check your phone'
    case 'stuck':
      return 'Your payment needs a closer look'
    case 'paid':
      return 'Payment received'
    case 'given_back':
      return pageState.as === 'reversed' ? 'This payment was reversed' : 'This payment was refunded'
    case 'expired':
      return 'The time to pay is over'
  }
}

function refreshOf(
  pageState: PageState,
  session: CheckoutSession,
  timeline: Timeline,
  draft: Draft,
): string | null {
  if (pageState.kind === 'paid') {
    const stays = draft.stays || session.redirectUrl === null
    return stays ? null : `${RETURN_SECONDS};url=${new URL(session.redirectUrl).href}`
  }
  const seconds = refreshSecondsOf(pageState, timeline.now(), timeline.speed())
  return seconds === null ? null : String(seconds)
}

/** Returns the real seconds until two minutes are left to pay; `null` if none is left, or the clock stands still. */
function warningOf({ expiresAt }: CheckoutSession, now: number, speed: number): number | null {
  if (expiresAt <= now || speed === 0) return null
  return Math.max(SOON_SECONDS, (expiresAt - now - WARNING_MS) / 1_000 / speed)
}
