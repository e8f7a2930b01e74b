import { compare } from '../../../server/contract/decimal.ts'
import { receivedBy, returnUrlOf } from '../sessions/session.ts'
import { display } from '../money/amounts.ts'
import { PROMPT_TIMEOUT_MS } from '../scenarios.ts'
import { receiptOf } from '../sessions/payment.ts'
import { Countdown, spokenDuration } from './countdown.tsx'
import { Icon } from './icon.tsx'
import type { Child } from 'hono/jsx'
import type { CheckoutSession } from '../sessions/session.ts'
import type { Payment } from '../sessions/payment.ts'
import type { IconName } from './icon.tsx'

interface PendingProps {
  session: CheckoutSession
  payment: Payment
  msLeft: number
}

export function Prompted({ session, payment }: Omit<PendingProps, 'msLeft'>) {
  return (
    <Message sign="phone" title="Check your phone">
      <p>
        We asked +{payment.msisdn} to approve {display(payment.amount, session.service.currency)}.
      </p>
      <div class="prompt-left" aria-hidden="true" />
      <p>
        Not your number? You can enter another one when this request closes, within{' '}
        {spokenDuration(PROMPT_TIMEOUT_MS)}
        <Countdown of="prompt" before=": " />
      </p>
    </Message>
  )
}

export function Waiting({ session, payment, msLeft }: PendingProps) {
  const amount = display(payment.amount, session.service.currency)
  const page = `/pay/${session.reference}`
  return payment.state.kind === 'processing' ? (
    <Message sign="wait" title="Your payment is on its way">
      <p>
        You approved {amount}. The network is slow; this can take {spokenDuration(msLeft)} more. Please do not
        pay twice.
      </p>
      <CheckNow page={page} />
    </Message>
  ) : (
    <Message sign="phone" title="Check your phone">
      <p>
        We asked +{payment.msisdn} to approve {amount}. It has not been answered yet.
      </p>
      <CheckNow page={page} />
    </Message>
  )
}

export function Stuck({ session }: { session: CheckoutSession }) {
  return (
    <Message sign="attention" title="Your payment needs a closer look">
      <p>
        The operator has not confirmed your payment yet. Please do not pay again. Our team is checking it, and
        we will notify the shop of the result.
      </p>
      <References session={session} />
      <CheckNow page={`/pay/${session.reference}`} />
    </Message>
  )
}

interface PaidProps {
  session: CheckoutSession
  returnSeconds: number | null
}

export function Paid({ session, returnSeconds }: PaidProps) {
  const { currency } = session.service
  const received = receivedBy(session)
  const isTooMuch = compare(received, session.amount) > 0
  return (
    <Message sign="good" title="Payment received">
      <p class="amount">{display(received, currency)}</p>
      <p>
        To {session.merchant.name}
        {isTooMuch
          ? `, more than the requested ${display(session.amount, currency)}. Ask the shop about the difference.`
          : ''}
      </p>
      <References session={session} />
      <BackToShop session={session} class="button" />
      {returnSeconds === null ? null : (
        <div class="links">
          <span>You return to the shop in {returnSeconds} seconds.</span>
          <a href={`/pay/${session.reference}?stay`}>Stay on this page</a>
        </div>
      )}
    </Message>
  )
}

export function GivenBack({ session, as }: { session: CheckoutSession; as: 'reversed' | 'refunded' }) {
  return (
    <Message
      sign="back"
      title={as === 'reversed' ? 'This payment was reversed' : 'This payment was refunded'}
    >
      <p>
        {display(session.amount, session.service.currency)} goes back to the phone or account that you paid
        from. If it does not arrive, ask {session.merchant.name}.
      </p>
      <References session={session} />
      <BackToShop session={session} class="button" />
    </Message>
  )
}

export function Expired({ session }: { session: CheckoutSession }) {
  const { currency } = session.service
  const received = receivedBy(session)
  return (
    <Message sign="over" title="The time to pay is over">
      <p>
        {compare(received, '0') > 0
          ? `You paid ${display(received, currency)} of ${display(session.amount, currency)}, and the shop was notified. Do not pay this part again: the shop will tell you how to pay the rest.`
          : 'No payment was confirmed in time. Go back to the shop to start again.'}
      </p>
      <BackToShop session={session} class="button" />
    </Message>
  )
}

export function BackToShop({
  session,
  class: style,
}: {
  session: CheckoutSession
  class: 'button' | 'back'
}) {
  const url = returnUrlOf(session)
  if (url === null) return null
  return (
    <a class={style} href={url}>
      Back to the shop
    </a>
  )
}

/** The shop's reference of the payment, and the receipts of what was received. */
function References({ session }: { session: CheckoutSession }) {
  const receipts = session.payments.map(receiptOf).filter((receipt) => receipt !== null)
  return (
    <dl class="references">
      <dt>Reference</dt>
      <dd>{session.id}</dd>
      {receipts.length === 0 ? null : <dt>Receipt</dt>}
      {receipts.map((receipt) => (
        <dd>{receipt}</dd>
      ))}
    </dl>
  )
}

function CheckNow({ page }: { page: string }) {
  return (
    <div class="links">
      <a href={page}>Check now</a>
    </div>
  )
}

const SIGNS = {
  good: { icon: 'tick', class: 'badge good' },
  attention: { icon: 'attention', class: 'badge warn' },
  over: { icon: 'clock', class: 'badge' },
  back: { icon: 'back', class: 'badge' },
  phone: { icon: 'phone', class: 'badge live' },
  wait: { icon: 'clock', class: 'badge live' },
} as const satisfies Record<string, { icon: IconName; class: string }>

interface MessageProps {
  sign: keyof typeof SIGNS
  title: string
  children?: Child
}

function Message({ sign, title, children }: MessageProps) {
  return (
    <section class="card message" aria-labelledby="message">
      <div class={SIGNS[sign].class} aria-hidden="true">
        <Icon of={SIGNS[sign].icon} />
      </div>
      <h2 id="message">{title}</h2>
      {children}
    </section>
  )
}
