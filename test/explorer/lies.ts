/** What a gateway that lies may report of a pay-in. */

import { determinePayInOutcome, LONGEST_IN_FLIGHT_MS } from '../../server/payins/outcome.ts'
import { moneyOf } from '../../server/payins/reported-money.ts'
import { toReportedState } from '../../server/payins/status-answer.ts'
import { REPORT_LAG_MS } from '../../server/transactions/schedule.ts'
import { pay, payloadOf } from './answers.ts'

import type { ChargeStatus } from '../../server/contract/charge.ts'
import type { PayInReport } from './answers.ts'

const EVERY_STATUS = [801, 802, 803, 820, 840, 841, 850, 851] as const
const EVERY_PAYMENT = [
  pay(700),
  pay(700, 'part'),
  pay(700, 'rest'),
  pay(701),
  pay(702),
  pay(703),
  pay(704),
  pay(705),
]

/** What a gateway that lies may report: each status with each list of up to two payments. */
export const LIES: readonly PayInReport[] = EVERY_STATUS.flatMap((status) =>
  [
    [],
    ...EVERY_PAYMENT.map((first) => [first]),
    ...EVERY_PAYMENT.flatMap((first) => EVERY_PAYMENT.map((second) => [first, second])),
  ].map((payments) => ({ status, payments })),
)

/** Returns one of the lies for each class of what the outcome and the planning of attempts read of a report. */
export function classesOfLies(): readonly PayInReport[] {
  const classes = new Map<string, PayInReport>()
  for (const lie of LIES) {
    const name = classOfReport(payloadOf({ reference: 'any', amount: '1500' }, lie, false))
    if (!classes.has(name)) {
      classes.set(name, lie)
    }
  }

  return [...classes.values()]
}

/**
 * Returns the name of the class of a report: what the outcome and the planning of attempts read of it, before and after
 * the session, its grace and the longest time in flight.
 */
function classOfReport(payload: ChargeStatus): string {
  const terms = {
    amount: '1500',
    currency: 'KES',
    account_number: 'ACC-001',
    service_code: 'CHECKOUT-KES',
    reference: payload.merchant_transaction_id,
    checkout_reference: null,
    expires_at: 0,
  }
  const times = [-1, REPORT_LAG_MS, LONGEST_IN_FLIGHT_MS]
  const outcomes = [true, false].flatMap((is_prompt) =>
    times.map((at) => determinePayInOutcome(toReportedState(payload, at, 'KES'), { ...terms, is_prompt })),
  )
  const { status } = payload
  return JSON.stringify([status, moneyOf(toReportedState(payload, 0, 'KES')), outcomes])
}
