import { accounts } from './pages/accounts.tsx'
import { callbacks } from './pages/callbacks.tsx'
import { deliveries } from './pages/deliveries.tsx'
import { delivery } from './pages/delivery.tsx'
import { float } from './pages/float.tsx'
import { key } from './pages/key.tsx'
import { keys } from './pages/keys.tsx'
import { onboarding } from './pages/onboarding.tsx'
import { overview } from './pages/overview.tsx'
import { password } from './pages/password.tsx'
import { service } from './pages/service.tsx'
import { services } from './pages/services.tsx'
import { statement } from './pages/statement.tsx'
import { user } from './pages/user.tsx'
import { users } from './pages/users.tsx'
import { airtimeRecipient, airtimeRequest, airtimeRequests } from './transactions/airtime.ts'
import { detailPage } from './transactions/detail-page.tsx'
import { listPage } from './transactions/list-page.tsx'
import { payout, payouts } from './transactions/payouts.ts'
import { charge, charges, payment, payments } from './transactions/sessions.ts'
import type { Page } from './page.ts'

/** The pages of the portal, in the order of the navigation. */
export const PAGES: readonly Page[] = [
  overview,
  listPage(payments),
  detailPage(payment),
  listPage(charges),
  detailPage(charge),
  listPage(payouts),
  detailPage(payout),
  listPage(airtimeRequests),
  detailPage(airtimeRequest),
  detailPage(airtimeRecipient),
  accounts,
  statement,
  float,
  keys,
  key,
  services,
  service,
  callbacks,
  deliveries,
  delivery,
  users,
  user,
  onboarding,
  password,
]
