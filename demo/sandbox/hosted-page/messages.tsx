// What the hosted page says instead of its form, as one table of states.

import { GLYPHS, groupDigits } from 'gateway-checkout/words'

import { compare, subtract } from '../../../server/contract/decimal.ts'
import { CARD, isOnPhone } from '../merchants/merchant.ts'
import { receiptOf } from '../sessions/payment.ts'
import { receivedBy, returnUrlOf } from '../sessions/session.ts'

import type { Payment } from '../sessions/payment.ts'
import type { CheckoutSession } from '../sessions/session.ts'
import type { PageState } from './page-state.ts'
import type { Say } from './words.ts'
import type { Child } from 'hono/jsx'

export interface Message {
  /** The path of an {@link Icon}. */
  readonly icon: string
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
  const back = <BackToShop session={session} say={say} class="button" />
  const references = <References session={session} say={say} />
  switch (state.kind) {
    case 'choosing':
      return null
    case 'prompted':
    case 'waiting':
      return promptMessage(state.payment, say)
    case 'stuck': {
      const { title, text } = say.sentence('jammed')
      return { icon: GLYPHS.jammed, look: 'warn', title, content: [<p>{text}</p>, references] }
    }
    case 'paid': {
      const received = receivedBy(session)
      const { title } = say.sentence('paid')
      const excess = say.money(subtract(received, session.amount))
      const content = [
        <p class="amount">{say.money(received)}</p>,
        <p>{say('paidTo')}</p>,
        compare(received, session.amount) > 0 && <p>{say.sentence('overpaid', { rest: excess }).text}</p>,
        references,
        back,
        returnSeconds !== null && (
          <div class="links">
            <Leaving seconds={returnSeconds} say={say} />
            <a href={`/pay/${session.reference}?stay`}>{say('stay')}</a>
          </div>
        ),
      ]
      return { icon: GLYPHS.paid, look: 'good', title, content }
    }
    case 'given_back': {
      const { title, text } = say.sentence(state.as)
      return { icon: GLYPHS[state.as], look: '', title, content: [<p>{text}</p>, references, back] }
    }
    case 'expired': {
      const isPart = compare(receivedBy(session), '0') > 0
      const { title, text } = say.sentence(isPart ? 'partialEnded' : 'expired')
      return {
        icon: GLYPHS.expired,
        look: '',
        title,
        content: [<p>{text}</p>, isPart || <p>{say('sms')}</p>, back],
      }
    }
  }
}

/** Returns the message while the customer is asked to approve a payment, or the approved money is on its way. */
function promptMessage({ methodCode, msisdn, amount, state }: Payment, say: Say): Message {
  if (state.kind === 'processing') {
    const { title, text } = say.sentence('pending')
    return { icon: GLYPHS.pending, look: 'live', title, content: <p>{text}</p> }
  }

  const icon = METHOD_ICONS[iconNameOf(methodCode)]
  const values = {
    amount: say.money(amount),
    phone: `\u2066${groupDigits(`+${msisdn}`).replaceAll(' ', '\u00a0')}\u2069`,
  }
  if (!isOnPhone(methodCode)) {
    const { title, text } = say.sentence('bankAsks', values)
    return { icon, look: 'live', title, content: <p>{text}</p> }
  }

  const closes = state.kind === 'prompted' && state.decidedUntil === null && (
    <p>
      {say('otherNumber')}: <Countdown />
    </p>
  )
  return {
    icon,
    look: 'live',
    title: say.sentence('prompted').title,
    content: [<p>{say('phoneAsks', values)}</p>, closes],
  }
}

export function MessageCard({ icon, look, title, content }: Message) {
  return (
    <section class="card message" aria-labelledby="message">
      <div class={`badge ${look}`} aria-hidden="true">
        <Icon path={icon} />
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

/** When the page leads to the shop. Screen readers hear the time once, as it was when the page appeared. */
function Leaving({ seconds, say }: { seconds: number; say: Say }) {
  const [before = '', after = ''] = say('leave', { seconds: '\n' }).split('\n')
  return (
    <span>
      {before}
      <span class="visually-hidden">{seconds}</span>
      <span class="countdown seconds" aria-hidden="true" />
      {after}
    </span>
  )
}

type BackProps = { session: CheckoutSession; say: Say; class: 'button' | 'back' }

export function BackToShop({ session, say, class: look }: BackProps) {
  const url = returnUrlOf(session)
  return url === null ? null : (
    <a class={look} href={url}>
      {say('backToShop')}
    </a>
  )
}

/** The receipts of what was received, which the customer has in an SMS, too, and the shop's reference. */
function References({ session, say }: { session: CheckoutSession; say: Say }) {
  const receipts = session.payments.map(receiptOf).filter((receipt) => receipt !== null)
  return (
    <dl class="references">
      {receipts.length === 0 ? null : <dt>{say('receiptNumber')}</dt>}
      {receipts.map((each) => (
        <dd>{each}</dd>
      ))}
      <dt>{say('reference')}</dt>
      <dd>{session.id}</dd>
    </dl>
  )
}

/** One path, drawn with a round pen in a square of 24 units. */
export function Icon({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

/** The icons of the methods, by what a method looks like. */
export const METHOD_ICONS = {
  wave: 'M3 9.5c3-3 6-3 9 0s6 3 9 0M3 15.5c3-3 6-3 9 0s6 3 9 0',
  phone: GLYPHS.prompted,
  card: 'M3.5 5.5h17v13h-17zM3.5 10h17M7 15h3',
  bank: 'm3.5 9.5 8.5-5 8.5 5zM6 10v7M10 10v7M14 10v7M18 10v7M3.5 19.5h17',
} as const

export function iconNameOf(code: string): keyof typeof METHOD_ICONS {
  if (code.startsWith('WAVELET')) {
    return 'wave'
  }
  if (isOnPhone(code)) {
    return 'phone'
  }
  return code === CARD ? 'card' : 'bank'
}
