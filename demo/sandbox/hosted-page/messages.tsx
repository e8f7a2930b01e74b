import { compare } from '../../../server/contract/decimal.ts'
import { receivedBy, returnUrlOf } from '../sessions/session.ts'
import { display } from '../money/amounts.ts'
import { receiptOf } from '../sessions/payment.ts'
import { spokenDuration } from './countdown.tsx'
import type { Child } from 'hono/jsx'
import type { CheckoutSession } from '../sessions/session.ts'
import type { Payment } from '../sessions/payment.ts'

export function Waiting({
  session,
  payment,
  msLeft,
}: {
  session: CheckoutSession
  payment: Payment
  msLeft: number
}) {
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
    <Message sign="wait" title="Check your phone">
      <p>
        We sent a prompt for {amount} to +{payment.msisdn}. It has not been answered yet.
      </p>
      <CheckNow page={page} />
    </Message>
  )
}

export function Stuck({ session }: { session: CheckoutSession }) {
  return (
    <Message sign="warn" title="Your payment needs a closer look">
      <p>
        The operator has not confirmed your payment yet. Please do not pay again. Our team is checking it, and
        we will notify the shop of the result.
      </p>
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
  const receipts = session.payments.map(receiptOf).filter((receipt) => receipt !== null)
  return (
    <Message sign="good" title="Payment received">
      <p>
        {display(received, currency)} received
        {isTooMuch ? `, which is more than the requested ${display(session.amount, currency)}` : ''}. Receipt{' '}
        {receipts.join(', ')}.
      </p>
      <BackToShop session={session} class="button" />
      {returnSeconds === null ? null : (
        <>
          <p>You will return to the shop in {returnSeconds} seconds.</p>
          <div class="links">
            <a href={`/pay/${session.reference}?stay`}>Stay on this page</a>
          </div>
        </>
      )}
    </Message>
  )
}

export function GivenBack({ session, as }: { session: CheckoutSession; as: 'reversed' | 'refunded' }) {
  return (
    <Message
      sign="warn"
      title={as === 'reversed' ? 'This payment was reversed' : 'This payment was refunded'}
    >
      <p>Your money was returned. Nothing more can be paid here.</p>
      <BackToShop session={session} class="button" />
    </Message>
  )
}

export function Expired({ session }: { session: CheckoutSession }) {
  const received = receivedBy(session)
  return (
    <Message sign="warn" title="This session has expired">
      <p>
        {compare(received, '0') > 0
          ? `You paid ${display(received, session.service.currency)}, and the shop was notified.`
          : 'Nothing was paid.'}{' '}
        Go back to the shop to start again.
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

function CheckNow({ page }: { page: string }) {
  return (
    <div class="links">
      <a href={page}>Check now</a>
    </div>
  )
}

const SIGNS = {
  good: { path: 'M5 12.5l4.5 4.5L19 7.5', class: 'badge' },
  warn: { path: 'M12 7v6M12 16.8v.2', class: 'badge warn' },
  wait: {
    path: 'M9 4h6a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM11.5 17h1',
    class: 'badge pulse',
  },
} as const

function Message({ sign, title, children }: { sign: keyof typeof SIGNS; title: string; children?: Child }) {
  return (
    <section class="card message">
      <div class={SIGNS[sign].class} aria-hidden="true">
        <svg viewBox="0 0 24 24">
          <path d={SIGNS[sign].path} />
        </svg>
      </div>
      <div role="status">
        <h2>{title}</h2>
      </div>
      {children}
    </section>
  )
}
