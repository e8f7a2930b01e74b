/** All checks. */

import { accountChecks } from './checks/account.ts'
import { airtimeChecks } from './checks/airtime.ts'
import { authenticationChecks } from './checks/authentication.ts'
import { callbackChecks } from './checks/callbacks.ts'
import { chargeChecks } from './checks/charges.ts'
import { checkoutRequestChecks } from './checks/checkout-request.ts'
import { checkoutStatusChecks } from './checks/checkout-status.ts'
import { payoutRequestChecks } from './checks/payout-requests.ts'
import { payoutResultChecks } from './checks/payout-results.ts'
import type { Check } from './check.ts'

export const CHECKS: readonly Check[] = [
  ...authenticationChecks,
  ...accountChecks,
  ...checkoutRequestChecks,
  ...checkoutStatusChecks,
  ...payoutRequestChecks,
  ...payoutResultChecks,
  ...airtimeChecks,
  ...chargeChecks,
  ...callbackChecks,
]
