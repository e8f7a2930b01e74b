// What the hosted page says instead of its form, as one table of states.

import { compare } from '../../../server/contract/decimal.ts'
import { CARD, isOnPhone } from '../merchant.ts'
import { receiptOf } from '../sessions/payment.ts'
import { receivedBy, returnUrlOf } from '../sessions/session.ts'
import type { Child } from 'hono/jsx'
import type { CheckoutSession } from '../sessions/session.ts'
import type { PageState } from './page-state.ts'
import type { Say } from './words.ts'

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
  say: Say,
  returnSeconds: number | null,
): Message | null {
  const { merchant, service, reference } = session
  const money = (amount: string) => say.money(amount, service.currency)
  const [asked, paid] = [money(session.amount), money(receivedBy(session))]
  const end = <BackToShop session={session} say={say} class="button" />
  const known = <References session={session} say={say} />
  switch (state.kind) {
    case 'choosing':
      return null
    case 'prompted':
    case 'waiting': {
      const { state: own, methodCode, msisdn } = state.payment
      const values = { amount: money(state.payment.amount), phone: `\u2066+${msisdn}\u2069` }
      const isProcessing = own.kind === 'processing'
      const asked = say('asked', values)
      const prompted = isOnPhone(methodCode) ? [...say('prompted').slice(0, 1), ...asked] : asked.slice(2)
      const [title = '', text, other] = isProcessing ? say('approved', values) : prompted
      const icon = isProcessing ? 'clock' : iconOfMethod(methodCode)
      const closes = state.kind === 'prompted' && other !== undefined && (
        <p>
          {other}: <Countdown />
        </p>
      )
      return { icon, look: 'live', title, content: [<p>{text}</p>, closes] }
    }
    case 'stuck': {
      const [title = '', text] = say('stuck')
      return { icon: 'attention', look: 'warn', title, content: [<p>{text}</p>, known] }
    }
    case 'paid': {
      const values = { merchant: merchant.name, asked, seconds: `${returnSeconds}` }
      const [title = '', to, excess, soon, stay] = say('paid', values)
      const isTooMuch = compare(receivedBy(session), session.amount) > 0
      const leaving = (
        <div class="links">
          <span>{soon}</span>
          <a href={`/pay/${reference}?stay`}>{stay}</a>
        </div>
      )
      const facts = [<p class="amount">{paid}</p>, <p>{to}</p>, isTooMuch && <p>{excess}</p>]
      const content = [...facts, known, end, returnSeconds !== null && leaving]
      return { icon: 'tick', look: 'good', title, content }
    }
    case 'given_back': {
      const [[title = ''], [text]] = [say(state.as), say('given_back', { asked, merchant: merchant.name })]
      return { icon: 'back', look: '', title, content: [<p>{text}</p>, known, end] }
    }
    case 'expired': {
      const isPart = compare(receivedBy(session), '0') > 0
      const [title = ''] = say(isPart ? 'partialEnded' : 'expired')
      const text = say('over', { paid, asked })[isPart ? 1 : 0]
      return { icon: 'clock', look: '', title, content: [<p>{text}</p>, end] }
    }
  }
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

/**
 * The time that is left, of which a page has at most one. CSS animates the number, because a reload would discard the
 * customer's input. Screen readers skip it: a text would be wrong soon after they read it, and a live one would be read
 * aloud each second.
 */
export function Countdown() {
  return <span class="countdown" aria-hidden="true" />
}

type BackProps = { session: CheckoutSession; say: Say; class: 'button' | 'back' }

export function BackToShop({ session, say, class: look }: BackProps) {
  const url = returnUrlOf(session)
  return url === null ? null : (
    <a class={look} href={url}>
      {say('back')}
    </a>
  )
}

/** The receipts of what was received, which the customer has in an SMS, too, and the shop's reference. */
function References({ session, say }: { session: CheckoutSession; say: Say }) {
  const receipts = session.payments.map(receiptOf).filter((receipt) => receipt !== null)
  const [receipt, reference] = say('records')
  return (
    <dl class="references">
      {receipts.length === 0 ? null : <dt>{receipt}</dt>}
      {receipts.map((each) => (
        <dd>{each}</dd>
      ))}
      <dt>{reference}</dt>
      <dd>{session.id}</dd>
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
export function iconOfMethod(code: string): 'wave' | 'phone' | 'card' | 'bank' {
  if (code.startsWith('WAVELET')) return 'wave'
  if (isOnPhone(code)) return 'phone'
  return code === CARD ? 'card' : 'bank'
}
