import { display } from '../money/amounts.ts'
import { offeredMethodsOf, remainingOf } from '../sessions/session.ts'
import { resultOf } from '../sessions/payment.ts'
import { Icon, iconOfMethod } from './messages.tsx'
import type { CheckoutSession } from '../sessions/session.ts'
import type { Payment } from '../sessions/payment.ts'

export interface MethodDraft {
  method: string
  msisdn: string
  error: string | null
}

type Props = { session: CheckoutSession; last: Payment | null; draft: MethodDraft }

export function MethodForm({ session, last, draft }: Props) {
  const remaining = display(remainingOf(session), session.service.currency)
  return (
    <section class="card" aria-labelledby="methods">
      {last === null ? null : <LastAttempt payment={last} session={session} />}
      <form method="post" action={`/pay/${session.reference}/prompt`}>
        <fieldset>
          {/* After an attempt, its result is the heading. */}
          <legend class={last === null ? undefined : 'visually-hidden'}>
            {last === null ? <h2 id="methods">{legendFor(last)}</h2> : legendFor(last)}
          </legend>
          {offeredMethodsOf(session).map(({ code, name, hint }) => (
            <label class="method">
              <input type="radio" name="method" value={code} checked={code === draft.method} required />
              <span class="tile" data-method={iconOfMethod(code)}>
                <Icon of={iconOfMethod(code)} />
              </span>
              <b>{name}</b>
              <small>{hint}</small>
            </label>
          ))}
        </fieldset>
        <div class="field">
          <label for="msisdn">Phone number</label>
          <input
            id="msisdn"
            name="msisdn"
            type="tel"
            inputmode="tel"
            autocomplete="tel"
            required
            maxlength={25}
            value={draft.msisdn}
            aria-describedby={draft.error === null ? 'msisdn-hint' : 'msisdn-error msisdn-hint'}
            aria-invalid={draft.error === null ? undefined : 'true'}
            autofocus={draft.error !== null}
          />
          {draft.error === null ? null : (
            <span class="error" id="msisdn-error">
              {draft.error}
            </span>
          )}
          <small id="msisdn-hint">This phone is asked to approve.</small>
        </div>
        <button class="button" type="submit">
          Pay {remaining}
        </button>
      </form>
    </section>
  )
}

function LastAttempt({ payment, session }: { payment: Payment; session: CheckoutSession }) {
  const { currency } = session.service
  const isPaid = payment.state.kind === 'paid'
  return (
    <div class={isPaid ? 'notice good' : 'notice'}>
      <Icon of={isPaid ? 'tick' : 'again'} />
      <div>
        <h2 id="methods">
          {isPaid ? `${display(payment.amount, currency)} received` : 'The payment did not go through'}
        </h2>
        <p>{isPaid ? 'Pay the rest below.' : [resultOf(payment), 'You can try again.'].join(' ')}</p>
      </div>
    </div>
  )
}

function legendFor(last: Payment | null): string {
  if (last === null) return 'How would you like to pay?'
  return last.state.kind === 'paid' ? 'Pay the rest' : 'Try again'
}
