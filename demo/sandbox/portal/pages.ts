// All pages of the portal.

import { DEVELOPERS, EVERYONE, OWNERS, STATEMENT_READERS } from '../accounts/roles.ts'
import { accounts, statement } from './pages/accounts.ts'
import { DELIVERIES, delivery } from './pages/deliveries.ts'
import { onboarding } from './pages/onboarding.ts'
import { overview } from './pages/overview.ts'
import { callbacks, key, keys, service, services } from './pages/settings.ts'
import { user, users } from './pages/users.ts'
import { listPage } from './list.ts'
import { AIRTIME, payout, PAYOUTS, recipient } from './transactions/payouts.ts'
import { charge, CHARGES, payment, PAYMENTS } from './transactions/sessions.ts'
import type { Roles } from '../accounts/roles.ts'
import type { Content, Page } from './page.ts'

/** Who may see what, in the order of the navigation. */
export const PAGES = [
  page('/', 'Overview', EVERYONE, overview, ''),
  page('/payments', 'Payments', EVERYONE, listPage(PAYMENTS), 'Money'),
  page('/payments/:merchant_transaction_id', 'Payment', EVERYONE, payment),
  page('/charges', 'Charges', EVERYONE, listPage(CHARGES), 'Money'),
  page('/charges/:external_reference', 'Charge', EVERYONE, charge),
  page('/payouts', 'Payouts', EVERYONE, listPage(PAYOUTS), 'Money'),
  page('/payouts/:payout_reference', 'Payout', EVERYONE, payout),
  page('/airtime', 'Airtime', EVERYONE, listPage(AIRTIME), 'Money'),
  page('/airtime/:reference/:phone_number', 'Airtime', EVERYONE, recipient),
  page('/accounts', 'Accounts', EVERYONE, accounts, 'Money'),
  page('/accounts/:account_number', 'Statement', STATEMENT_READERS, statement),
  page('/keys', 'API keys', DEVELOPERS, keys, 'Settings'),
  page('/keys/:key', 'API key', DEVELOPERS, key),
  page('/services', 'Services', EVERYONE, services, 'Settings'),
  page('/services/:code', 'Service', EVERYONE, service),
  page('/callback-urls', 'Callback URLs', EVERYONE, callbacks, 'Settings'),
  page('/deliveries', 'Deliveries', EVERYONE, listPage(DELIVERIES), 'Settings'),
  page('/deliveries/:id', 'Delivery', EVERYONE, delivery),
  page('/users', 'Users', OWNERS, users, 'Business'),
  page('/users/:email', 'User', OWNERS, user),
  page('/onboarding', 'Onboarding', EVERYONE, onboarding, 'Business'),
]

function page(path: string, title: string, roles: Roles, content: Content, group?: Page['group']): Page {
  return { ...content, path, title, roles, group }
}
