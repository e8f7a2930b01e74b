// [spec: What the service does, 5]

import { display } from '../money/amounts.ts'
import { CURRENCIES } from '../money/currencies.ts'
import { SCENARIOS, excessOver, isScenarioOf, partOf } from '../scenarios.ts'
import type { CheckoutSession } from '../sessions/session.ts'
import type { Payment } from '../sessions/payment.ts'
import type { CheckoutScenario } from '../scenarios.ts'

export interface AmountDraft {
  scenario: CheckoutScenario
  amount: string
  error: string
}

type PhoneProps = { session: CheckoutSession; payment: Payment; draft: AmountDraft | null }

/** The shop gives money back, and amounts have forms of their own. */
const ELSEWHERE = ['approve', 'partial', 'overpay', 'reverse', 'refund']
const SCENARIO_BUTTONS = Object.keys(SCENARIOS)
  .filter(isScenarioOf('checkout'))
  .filter((name) => !ELSEWHERE.includes(name))

/** Simulates the phone. A customer of a real gateway has their own phone, so this is beside the page. */
export function Phone({ session, payment, draft }: PhoneProps) {
  const action = `/pay/${session.reference}/act`
  const { currency } = session.service
  const amount = display(payment.amount, currency)
  const suggestions = [
    ['partial', 'A smaller amount', partOf(payment.amount, CURRENCIES[currency])],
    ['overpay', 'A larger amount', excessOver(payment.amount)],
  ] as const
  return (
    <aside aria-labelledby="phone" lang="en" dir="ltr">
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
          {suggestions.map(([scenario, label, suggestion]) => (
            <AmountForm {...{ action, scenario, label, suggestion, draft }} />
          ))}
        </div>
      </div>
    </aside>
  )
}

type AmountFormProps = Record<'action' | 'label' | 'suggestion', string> &
  Pick<PhoneProps, 'draft'> & { scenario: 'partial' | 'overpay' }

function AmountForm({ action, scenario, label, suggestion, draft }: AmountFormProps) {
  const refused = draft?.scenario === scenario ? draft : null
  return (
    <form method="post" action={action}>
      <div class="field">
        <label for={`${scenario}-amount`}>{label}</label>
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
