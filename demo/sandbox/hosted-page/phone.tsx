// [spec: What the service does, 5]

import { excessOver, display, partOf } from '../money/amounts.ts'
import { CURRENCIES } from '../money/currencies.ts'
import { SCENARIOS } from '../scenarios.ts'
import type { CheckoutSession } from '../sessions/session.ts'
import type { Payment } from '../sessions/payment.ts'
import type { CheckoutScenario } from '../scenarios.ts'

export interface AmountDraft {
  scenario: CheckoutScenario
  amount: string
  error: string
}

interface PhoneProps {
  session: CheckoutSession
  payment: Payment
  draft: AmountDraft | null
}

const SCENARIO_BUTTONS: readonly CheckoutScenario[] = [
  'wrong_pin',
  'insufficient_funds',
  'cancel',
  'ignore',
  'slow',
  'jam',
]

/** Simulates the phone. A customer of a real gateway has their own phone, so this is beside the page. */
export function Phone({ session, payment, draft }: PhoneProps) {
  const action = `/pay/${session.reference}/act`
  const { currency } = session.service
  const amount = display(payment.amount, currency)
  return (
    <aside aria-labelledby="phone">
      <h2 id="phone">On the customer’s phone (simulation)</h2>
      <div class="phone">
        <p class="prompt">
          Pay {amount} to {session.merchant.name}? Enter your PIN to approve.
        </p>
        <form method="post" action={action} class="choices">
          <button class="button wide" name="scenario" value="approve">
            {SCENARIOS.approve.does}
          </button>
          {SCENARIO_BUTTONS.map((name) => (
            <button class="button quiet" name="scenario" value={name}>
              {SCENARIOS[name].does}
            </button>
          ))}
        </form>
        <div class="amounts">
          <AmountForm
            action={action}
            scenario="partial"
            suggestion={partOf(payment.amount, CURRENCIES[currency])}
            draft={draft}
          />
          <AmountForm
            action={action}
            scenario="overpay"
            suggestion={excessOver(payment.amount)}
            draft={draft}
          />
        </div>
      </div>
    </aside>
  )
}

interface AmountFormProps {
  action: string
  scenario: 'partial' | 'overpay'
  suggestion: string
  draft: AmountDraft | null
}

function AmountForm({ action, scenario, suggestion, draft }: AmountFormProps) {
  const refused = draft?.scenario === scenario ? draft : null
  return (
    <form method="post" action={action}>
      <div class="field">
        <label for={`${scenario}-amount`}>
          {scenario === 'partial' ? 'A smaller amount' : 'A larger amount'}
        </label>
        <input
          id={`${scenario}-amount`}
          name="amount"
          inputmode="decimal"
          autocomplete="off"
          required
          value={refused?.amount ?? suggestion}
          aria-invalid={refused ? 'true' : undefined}
          aria-describedby={refused ? `${scenario}-error` : undefined}
        />
      </div>
      <button class="button quiet" name="scenario" value={scenario}>
        {SCENARIOS[scenario].does}
      </button>
      {refused ? (
        <span class="error" id={`${scenario}-error`}>
          {refused.error}
        </span>
      ) : null}
    </form>
  )
}
