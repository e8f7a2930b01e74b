import { display } from '../money/amounts.ts'
import { countdownStyle, promptStyle } from './countdown.tsx'
import { respondWithPage } from './document.ts'
import { BackToShop, MessageCard, messageOf } from './messages.tsx'
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
  const [now, speed] = [timeline.now(), timeline.speed()]
  const state = pageStateOf(session, now)
  const refused = draft.method ?? draft.amount
  const isLeft = draft.stays !== true && session.redirectUrl !== null
  const message = messageOf(session, state, now, isLeft ? RETURN_SECONDS : null)
  const { promptLeft, phone } =
    state.kind === 'prompted'
      ? {
          promptLeft:
            promptStyle(state.closesAt - now, speed) + countdownStyle('prompt', state.closesAt - now, speed),
          phone: <Phone session={session} payment={state.payment} draft={draft.amount ?? null} />,
        }
      : { promptLeft: '', phone: null }
  const title = message?.title ?? titleOf(session, state)
  return respondWithPage(
    {
      environment,
      title: `${refused ? 'Error: ' : ''}${title} · ${session.merchant.name}`,
      style: countdownStyle('session', session.expiresAt - now, speed) + promptLeft,
      refresh: refused ? null : refreshOf(state, session, timeline, draft),
      warning: warningOf(session, now, speed),
      content: (
        <>
          <Summary session={session} now={now} pageState={state} />
          {message ? <MessageCard {...message} /> : <Choice session={session} state={state} draft={draft} />}
          {['paid', 'given_back', 'expired'].includes(state.kind) ? null : (
            <BackToShop session={session} class="back" />
          )}
        </>
      ),
      aside: phone,
    },
    refused ? 422 : 200,
  )
}

interface ChoiceProps {
  session: CheckoutSession
  state: PageState
  draft: Draft
}

function Choice({ session, state, draft }: ChoiceProps) {
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
