import { DEVELOPERS, EVERYONE, OWNERS, STATEMENT_READERS } from '../accounts/roles.ts'
import { accounts, float, overview, statement } from './pages/accounts.ts'
import { onboarding, user, users } from './pages/business.ts'
import { deliveries, delivery } from './pages/deliveries.ts'
import { callbacks, key, keys, service, services } from './pages/settings.ts'
import { airtime, payout, payouts, recipient } from './transactions/payouts.ts'
import { charge, charges, payment, payments } from './transactions/sessions.ts'
import type { Roles } from '../accounts/roles.ts'
import type { Content, Page } from './page.ts'

type Row = readonly [path: string, title: string, roles: Roles, content: Content, group?: Page['group']]

/** Who may see what, in the order of the navigation. */
const ROWS: readonly Row[] = [
  ['/', 'Overview', EVERYONE, overview, ''],
  ['/payments', 'Payments', EVERYONE, payments, 'Money'],
  ['/payments/:merchant_transaction_id', 'Payment', EVERYONE, payment],
  ['/charges', 'Charges', EVERYONE, charges, 'Money'],
  ['/charges/:external_reference', 'Charge', EVERYONE, charge],
  ['/payouts', 'Payouts', EVERYONE, payouts, 'Money'],
  ['/payouts/:payout_reference', 'Payout', EVERYONE, payout],
  ['/airtime', 'Airtime', EVERYONE, airtime, 'Money'],
  ['/airtime/:reference/:phone_number', 'Airtime', EVERYONE, recipient],
  ['/accounts', 'Accounts', EVERYONE, accounts, 'Money'],
  ['/accounts/:account_number', 'Statement', STATEMENT_READERS, statement],
  ['/float', 'Float', EVERYONE, float, 'Money'],
  ['/keys', 'API keys', DEVELOPERS, keys, 'Settings'],
  ['/keys/:key', 'API key', DEVELOPERS, key],
  ['/services', 'Services', EVERYONE, services, 'Settings'],
  ['/services/:code', 'Service', EVERYONE, service],
  ['/callback-urls', 'Callback URLs', EVERYONE, callbacks, 'Settings'],
  ['/deliveries', 'Deliveries', EVERYONE, deliveries, 'Settings'],
  ['/deliveries/:id', 'Delivery', EVERYONE, delivery],
  ['/users', 'Users', OWNERS, users, 'Business'],
  ['/users/:email', 'User', OWNERS, user],
  ['/onboarding', 'Onboarding', EVERYONE, onboarding, 'Business'],
]

const pageOf = ([path, title, roles, content, group]: Row): Page => ({
  ...content,
  path,
  title,
  roles,
  group,
})

export const PAGES = ROWS.map(pageOf)
