import { compare } from '../../../server/contract/decimal.ts'
import { receivedBy, remainingOf } from '../sessions/session.ts'
import { display } from '../money/amounts.ts'
import { Countdown } from './countdown.tsx'
import { localTime } from './local-time.ts'
import type { CheckoutSession } from '../sessions/session.ts'
import type { PageState } from './page-state.ts'

interface SummaryProps {
  session: CheckoutSession
  now: number
  pageState: PageState
}

export function Summary({ session, now, pageState }: SummaryProps) {
  const { merchant, narration, service, expiresAt } = session
  const isLive = now < expiresAt
  const isPayable = pageState.kind === 'choosing' || pageState.kind === 'prompted'
  const isOver = pageState.kind === 'paid' || pageState.kind === 'given_back' || pageState.kind === 'expired'
  // What is left to pay is the news after a part was paid.
  const amount = isOver ? session.amount : remainingOf(session)
  const isRest = !isOver && compare(receivedBy(session), '0') > 0
  // The message below names what was received.
  const isPaid = pageState.kind === 'paid'
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
      {isPayable || pageState.kind === 'expired' ? (
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
  const asked = display(session.amount, currency)
  return (
    <>
      <progress max={session.amount} value={received} aria-label="Paid so far">
        {display(received, currency)}
      </progress>
      <p class="so-far">
        {display(received, currency)} of {asked} is paid.
      </p>
    </>
  )
}
