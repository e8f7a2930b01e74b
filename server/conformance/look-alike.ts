/** The merchant of a look-alike of production: has no accounts, services and keys until they are created in the portal. */

import { SEEDED } from './connection.ts'

import type { Credentials } from './connection.ts'
import type { LivePortal } from './live-portal.ts'

export const LIVE_ACCOUNT = 'LIVE-001'
const SERVICES = {
  checkout: 'LIVE-CHECKOUT',
  payout: 'LIVE-PAYOUT',
  transfer: 'LIVE-IMT',
  b2b: 'LIVE-B2B',
  disabled: 'LIVE-OLD',
}

/** The merchant in a look-alike of production. It has no partners, and there is no second merchant. */
export function liveCredentials(key: Pick<Credentials, 'consumer_key' | 'consumer_secret'>): Credentials {
  return {
    ...SEEDED,
    ...key,
    account_number: LIVE_ACCOUNT,
    client_code: 'LIVE',
    services: SERVICES,
    partners: undefined,
  }
}

/** Does in the portal all that payouts need, and returns the credentials for them. */
export async function credentialsInProduction(portal: LivePortal): Promise<Credentials> {
  const uses = {
    checkout: 'checkout',
    payout: 'local',
    transfer: 'transfer',
    b2b: 'b2b',
    disabled: 'checkout',
  }
  for (const [kind, use] of Object.entries(uses)) {
    await portal.addService(SERVICES[kind as keyof typeof SERVICES], use)
  }

  await portal.send(`/services/${SERVICES.disabled}`, 'switch-off', {})
  await portal.completeOnboarding()
  await portal.fund('1000000')
  return liveCredentials(await portal.createKey())
}
