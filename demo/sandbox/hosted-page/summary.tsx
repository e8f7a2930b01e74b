import { compare } from '../../../server/contract/decimal.ts'
import { receivedBy, remainingOf } from '../sessions/session.ts'
import { MERCHANT } from '../merchant.ts'
import { display } from '../money/amounts.ts'
import { Countdown } from './countdown.tsx'
import type { CheckoutSession } from '../sessions/session.ts'

interface SummaryProps {
  session: CheckoutSession
  now: number
  isOver: boolean
}

export function Summary({ session, now, isOver }: SummaryProps) {
  const { amount, narration, service, expiresAt } = session
  const isLive = now < expiresAt
  return (
    <section class="card" aria-label="What you pay">
      <div class="merchant">
        <span class="mark" aria-hidden="true">
          {MERCHANT.name.charAt(0)}
        </span>
        <div>
          <h1>Pay {MERCHANT.name}</h1>
          <p class="narration">{narration}</p>
        </div>
      </div>
      <p class="amount">{display(amount, service.currency)}</p>
      <Progress session={session} />
      {isOver ? null : (
        <p class="expiry">
          <span>
            {isLive ? 'Pay until' : 'Expired at'}{' '}
            <time datetime={new Date(expiresAt).toISOString()}>{timeOfDay(expiresAt)} UTC</time>
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

function timeOfDay(time: number): string {
  return new Date(time).toISOString().slice(11, 16)
}
