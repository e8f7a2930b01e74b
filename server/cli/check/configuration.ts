/** What the configuration alone says. Pure. */

import type { Config } from '../../config.ts'
import type { Finding } from './finding.ts'
import { fine, note, problem } from './finding.ts'

export function checkConfiguration({
  environment,
  publicUrl,
  orders,
  webhook,
  apiKeys,
  charges,
}: Config): Finding[] {
  return [
    environment === 'production'
      ? fine('environment', 'GATEWAY_ENVIRONMENT is production.')
      : problem('environment', 'GATEWAY_ENVIRONMENT is sandbox: no real money moves.'),
    publicUrl.startsWith('https:')
      ? fine('https', 'PUBLIC_URL is https.')
      : problem('https', 'PUBLIC_URL is not https, and the gateway calls back to https only.'),
    orders
      ? fine('orders', orders.kind === 'url' ? 'Prices come from ORDERS_URL.' : 'Orders are signed.')
      : note(
          'orders',
          'Neither ORDERS_URL nor ORDER_SIGNING_KEY is set: only a function of yours can price.',
        ),
    webhook
      ? fine('events', 'MERCHANT_WEBHOOK_URL is told of every outcome.')
      : note('events', 'MERCHANT_WEBHOOK_URL is not set: only a function of yours is told of outcomes.'),
    apiKeys
      ? fine('api', 'The merchant API is on.')
      : note('api', 'MERCHANT_API_KEY is not set: the merchant API is off.'),
    charges
      ? fine('charges', `Charges are sent to ${charges.path}.`)
      : note('charges', 'GATEWAY_CHARGE_PATH is not set: charges and splits are off.'),
  ]
}
