/** The feature `payments`: the merchant's staff search for payments, by receipt or phone for example, and close the day. */

import { declarePayments } from '../routes/api/payments.ts'

import type { Feature } from '../routes/feature.ts'

export const payments: Feature = {
  name: 'payments',
  events: [],
  callbacks: [],
  routes(app, deps) {
    declarePayments(app, deps)
  },
}
