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
  const { merchant, amount, narration, service, expiresAt } = session
  const isLive = now < expiresAt
  // The message below names what was received.
  const isPaid = pageState.kind === 'paid'
  return (
    <section class="card" aria-label="What you pay">
      <div class="merchant">
        <span class="mark" aria-hidden="true">
          {merchant.name.charAt(0)}
        </span>
        <div>
          <h1>Pay {merchant.name}</h1>
          <p class="narration">{narration}</p>
        </div>
      </div>
      {isPaid ? null : <p class="amount">{display(amount, service.currency)}</p>}
      {isPaid ? null : <Progress session={session} />}
      {isPaid || pageState.kind === 'given_back' ? null : (
        <p class="expiry">
          <span>
            {isLive ? 'Pay until' : 'Expired at'}{' '}
            <time datetime={new Date(expiresAt).toISOString()}>{localTime(expiresAt, service.country)}</time>
          </span>
          {isLive ? (
            <span>
              <Countdown msLeft={expiresAt - now} />
            </span>
          ) : null}
        </p>
      )}
    </section>
  )
}

function Progress({ session }: { session: CheckoutSession }) {
  const received = receivedBy(session)
  if (compare(received, '0') === 0) return null
  const { currency } = session.service
  return (
    <>
      <meter min="0" max={session.amount} value={received} aria-label="Paid so far">
        {display(received, currency)}
      </meter>
      <dl class="sums">
        <dt>Paid</dt>
        <dd>{display(received, currency)}</dd>
        <dt>Remaining</dt>
        <dd>{display(remainingOf(session), currency)}</dd>
      </dl>
    </>
  )
}
