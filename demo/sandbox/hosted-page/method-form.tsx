import { isOnPhone } from '../merchant.ts'
import { offeredMethodsOf, receivedBy, remainingOf } from '../sessions/session.ts'
import { failureOf } from '../sessions/payment.ts'
import { Icon, iconOfMethod } from './messages.tsx'
import type { Method } from '../merchant.ts'
import type { CheckoutSession } from '../sessions/session.ts'
import type { Payment } from '../sessions/payment.ts'
import type { Say } from './words.ts'

export interface MethodDraft {
  method: string
  msisdn: string
  isRefused: boolean
}

type Props = { session: CheckoutSession; last: Payment | null; draft: MethodDraft | undefined; say: Say }

export function MethodForm({ session, last, draft: typed, say }: Props) {
  // Another attempt starts with the last one's phone and method: the customer may have changed the session's.
  const { methodCode, msisdn } = last ?? session
  const draft = typed ?? { method: methodCode, msisdn: `+${msisdn}`, isRefused: false }
  const [how] = say('how')
  const [label, hint, error] = say('phone')
  return (
    <section class="card" aria-labelledby="methods">
      {last === null ? null : <LastAttempt payment={last} session={session} say={say} />}
      <form method="post" action={`/pay/${session.reference}/prompt`}>
        <fieldset>
          {/* After an attempt, its result is the heading. */}
          <legend class={last === null ? undefined : 'visually-hidden'}>
            {last === null ? <h2 id="methods">{how}</h2> : how}
          </legend>
          {offeredMethodsOf(session).map((method) => (
            <MethodChoice method={method} isChosen={method.code === draft.method} say={say} />
          ))}
        </fieldset>
        <div class="field">
          <label for="msisdn">{label}</label>
          <input
            id="msisdn"
            name="msisdn"
            type="tel"
            inputmode="tel"
            autocomplete="tel"
            dir="ltr"
            maxlength={25}
            value={draft.msisdn}
            aria-describedby={draft.isRefused ? 'msisdn-error msisdn-hint' : 'msisdn-hint'}
            aria-invalid={draft.isRefused ? 'true' : undefined}
            autofocus={draft.isRefused}
          />
          {draft.isRefused && (
            <span class="error" id="msisdn-error">
              {error}
            </span>
          )}
          <small id="msisdn-hint">{hint}</small>
        </div>
        <button class="button" type="submit">
          {say('pay', { amount: say.money(remainingOf(session), session.service.currency) })[0]}
        </button>
      </form>
    </section>
  )
}

function MethodChoice({ method, isChosen, say }: { method: Method; isChosen: boolean; say: Say }) {
  const { code } = method
  const [, pin, ...others] = say('how')
  const [, onPhone, elsewhere] = say('pay')
  const [icon, isPhone] = [iconOfMethod(code), isOnPhone(code)]
  const [name, hint] = isPhone ? [method.name, pin] : others.slice(icon === 'card' ? 0 : 2)
  return (
    <label class="method">
      <input
        type="radio"
        name="method"
        value={code}
        checked={isChosen}
        required
        data-busy={isPhone ? onPhone : elsewhere}
      />
      <span class="tile" data-method={icon}>
        <Icon of={icon} />
      </span>
      <b>{name}</b>
      <small>{hint}</small>
    </label>
  )
}

function LastAttempt({ payment, session, say }: { payment: Payment; session: CheckoutSession; say: Say }) {
  const isPaid = payment.state.kind === 'paid'
  const [title, text] = headingOf(payment, session, say)
  return (
    <div class={isPaid ? 'notice good' : 'notice'}>
      <Icon of={isPaid ? 'tick' : 'again'} />
      <div>
        <h2 id="methods">{title}</h2>
        {text === undefined ? null : [<p>{text}</p>, <p>{say('sms')}</p>]}
      </div>
    </div>
  )
}

/** Returns what the form asks, or how the last attempt ended. */
export function headingOf(last: Payment | null, session: CheckoutSession, say: Say): string[] {
  if (last === null) return say('how').slice(0, 1)
  if (last.state.kind === 'paid') return soFarOf(session, say)
  return say(failureOf(last))
}

export function soFarOf(session: CheckoutSession, say: Say): string[] {
  const money = (amount: string) => say.money(amount, session.service.currency)
  return say('left', { paid: money(receivedBy(session)), asked: money(session.amount) }).slice(1, 2)
}
