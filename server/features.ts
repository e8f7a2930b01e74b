/**
 * Says what the server does: a feature is added by a line here, and its file in `features/`. A merchant who needs less
 * starts the server with a shorter list (`core.ts`).
 */

import { airtime } from './features/airtime.ts'
import { charges } from './features/charges.ts'
import { checkouts } from './features/checkouts.ts'
import { links } from './features/links.ts'
import { notices } from './features/notices.ts'
import { payments } from './features/payments.ts'
import { payouts } from './features/payouts.ts'

import type { Feature } from './routes/feature.ts'

export const FEATURES: readonly Feature[] = [checkouts, payouts, charges, airtime, payments, links, notices]
