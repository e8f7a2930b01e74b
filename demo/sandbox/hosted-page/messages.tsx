// What the hosted page says instead of its form, as one table of states.

import { compare } from '../../../server/contract/decimal.ts'
import { display } from '../money/amounts.ts'
import { PROMPT_TIMEOUT_MS } from '../scenarios.ts'
import { receiptOf } from '../sessions/payment.ts'
import { receivedBy, returnUrlOf } from '../sessions/session.ts'
import { Countdown, spokenDuration } from './times.tsx'
import type { Child } from 'hono/jsx'
import type { CheckoutSession } from '../sessions/session.ts'
import type { PageState } from './page-state.ts'

export interface Message {
  readonly icon: IconName
  /** `good`: the payment has arrived; `warn`: a person is needed; `live`: the page waits. */
  readonly look: '' | 'good' | 'warn' | 'live'
  readonly title: string
  readonly content: Child
}

/**
 * Returns the message of a state; `null` if the customer chooses how to pay.
 *
 * @param returnSeconds Time until a paid page leads to the shop; `null` if it stays.
 */
export function messageOf(
  session: CheckoutSession,
  state: PageState,
  now: number,
  returnSeconds: number | null,
): Message | null {
  const { merchant, service, reference } = session
  const money = (amount: string) => display(amount, service.currency)
  const [asked, received] = [money(session.amount), receivedBy(session)]
  const checkNow = links(<a href={`/pay/${reference}`}>Check now</a>)
  const end = <BackToShop session={session} class="button" />
  const known = <References session={session} />
  switch (state.kind) {
    case 'choosing':
      return null
    case 'prompted': {
      const prompt = `We asked +${state.payment.msisdn} to approve ${money(state.payment.amount)}.`
      const other = `Not your number? You can enter another one when this request closes, within ${spokenDuration(PROMPT_TIMEOUT_MS)}`
      const countdown = <Countdown of="prompt" before=": " />
      return phoneMessage([say(prompt), say([other, countdown])])
    }
    case 'waiting': {
      const { state: own, msisdn, amount } = state.payment
      const prompt = `We asked +${msisdn} to approve ${money(amount)}. It has not been answered yet.`
      if (own.kind !== 'processing') return phoneMessage([say(prompt), checkNow])
      const duration = spokenDuration(state.until - now)
      const wait = `You approved ${money(amount)}. The network is slow; this can take ${duration} more. Please do not pay twice.`
      const title = 'Your payment is on its way'
      return { icon: 'clock', look: 'live', title, content: [say(wait), checkNow] }
    }
    case 'stuck': {
      const title = 'Your payment needs a closer look'
      const text =
        'The operator has not confirmed your payment yet. Please do not pay again. Our team is checking it, and we will notify the shop of the result.'
      return { icon: 'attention', look: 'warn', title, content: [say(text), known, checkNow] }
    }
    case 'paid': {
      const isTooMuch = compare(received, session.amount) > 0
      const excess = isTooMuch ? `, more than the requested ${asked}. Ask the shop about the difference.` : ''
      const soon = <span>{`You return to the shop in ${returnSeconds} seconds.`}</span>
      const stay = <a href={`/pay/${reference}?stay`}>Stay on this page</a>
      const to = say(`To ${merchant.name}${excess}`)
      const content = [
        <p class="amount">{money(received)}</p>,
        to,
        known,
        end,
        returnSeconds !== null && links([soon, stay]),
      ]
      return { icon: 'tick', look: 'good', title: 'Payment received', content }
    }
    case 'given_back': {
      const title = `This payment was ${state.as}`
      const text = `${asked} goes back to the phone or account that you paid from. If it does not arrive, ask ${merchant.name}.`
      return { icon: 'back', look: '', title, content: [say(text), known, end] }
    }
    case 'expired': {
      const text =
        compare(received, '0') > 0
          ? `You paid ${money(received)} of ${asked}, and the shop was notified. Do not pay this part again: the shop will tell you how to pay the rest.`
          : 'No payment was confirmed in time. Go back to the shop to start again.'
      return { icon: 'clock', look: '', title: 'The time to pay is over', content: [say(text), end] }
    }
  }
}

function phoneMessage(content: Child): Message {
  return { icon: 'phone', look: 'live', title: 'Check your phone', content }
}

function say(text: Child) {
  return <p>{text}</p>
}

function links(content: Child) {
  return <div class="links">{content}</div>
}

export function MessageCard({ icon, look, title, content }: Message) {
  return (
    <section class="card message" aria-labelledby="message">
      <div class={`badge ${look}`} aria-hidden="true">
        <Icon of={icon} />
      </div>
      <h2 id="message">{title}</h2>
      {content}
    </section>
  )
}

export function BackToShop({ session, class: look }: { session: CheckoutSession; class: 'button' | 'back' }) {
  const url = returnUrlOf(session)
  return url === null ? null : (
    <a class={look} href={url}>
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

/** Icons, each one path that is drawn with a round pen in a square of 24 units. */
const PATHS = {
  tick: 'm5 12.5 4.5 4.5L19 7.5',
  attention: 'M12 6v7.5M12 17.9v.1',
  phone:
    'M7.5 2.5h9a1.5 1.5 0 0 1 1.5 1.5v16a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 6 20V4a1.5 1.5 0 0 1 1.5-1.5zM11 18.5h2',
  clock: 'M12 3.5a8.5 8.5 0 1 0 .1 0M12 7.5V12l3 2',
  again: 'M20 12a8 8 0 1 1-2.5-5.8M20 3v4.5h-4.5',
  back: 'm8 4-5 5 5 5M3 9h12a5 5 0 0 1 0 10h-3',
  wave: 'M3 9.5c3-3 6-3 9 0s6 3 9 0M3 15.5c3-3 6-3 9 0s6 3 9 0',
  card: 'M3.5 5.5h17v13h-17zM3.5 10h17M7 15h3',
  bank: 'm3.5 9.5 8.5-5 8.5 5zM6 10v7M10 10v7M14 10v7M18 10v7M3.5 19.5h17',
} as const

type IconName = keyof typeof PATHS

export function Icon({ of: name }: { of: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}

/** Returns the icon of a payment method. */
export function iconOfMethod(code: string): IconName {
  if (code.startsWith('WAVELET')) return 'wave'
  if (code === 'CARD') return 'card'
  return code === 'BANK' ? 'bank' : 'phone'
}
