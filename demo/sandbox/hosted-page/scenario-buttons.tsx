// The buttons that play a scenario, such as to pay a part: half, if no amount is entered (`scenarios.ts`). They are what
// the customer would do on their phone. [spec: What the service does, 5] A customer of a real gateway has their own
// phone, so this is beside the page.

import { display } from '../money/amounts.ts'
import { SCENARIOS, isScenarioOf, takesAmount } from '../scenarios.ts'

import type { Payment } from '../sessions/payment.ts'
import type { CheckoutSession } from '../sessions/session.ts'

/** An amount that was refused. */
export interface AmountDraft {
  amount: string
  error: string
}

/** The scenarios of the customer: money is given back by the shop. */
const NAMES = Object.keys(SCENARIOS)
  .filter(isScenarioOf('checkout'))
  .filter((name) => SCENARIOS[name].checkout.kind !== 'give_back')
const WITH_AMOUNT = NAMES.filter((name) => takesAmount(SCENARIOS[name].checkout))

type ScenarioButtonsProps = { session: CheckoutSession; payment: Payment; refused: AmountDraft | undefined }

export function ScenarioButtons({ session, payment, refused }: ScenarioButtonsProps) {
  const action = `/pay/${session.reference}/act`
  return (
    <aside aria-labelledby="phone" lang="en" dir="ltr">
      <h2 id="phone">On the customer’s phone (simulation)</h2>
      <div class="phone">
        <p class="prompt">
          Pay {display(payment.amount, session.service.currency)} to {session.merchant.name}? Enter your PIN
          to approve.
        </p>
        <form method="post" action={action} accept-charset="utf-8" class="choices">
          <Buttons names={NAMES.filter((name) => !WITH_AMOUNT.includes(name))} />
        </form>
        <form method="post" action={action} accept-charset="utf-8" class="choices amounts">
          <div class="field wide">
            <label for="amount">Another amount</label>
            <input
              id="amount"
              name="amount"
              inputmode="decimal"
              autocomplete="off"
              value={refused?.amount}
              aria-invalid={refused ? 'true' : undefined}
              aria-describedby={refused ? 'amount-error' : 'amount-hint'}
            />
            {refused ? (
              <span class="error" id="amount-error">
                {refused.error}
              </span>
            ) : (
              <small id="amount-hint">If empty: half of it, or a tenth more.</small>
            )}
          </div>
          <Buttons names={WITH_AMOUNT} />
        </form>
      </div>
    </aside>
  )
}

function Buttons({ names }: { names: typeof NAMES }) {
  return names.map((name) => (
    <button class={name === 'approve' ? 'button wide' : 'button quiet'} name="scenario" value={name}>
      {SCENARIOS[name].does}
    </button>
  ))
}
