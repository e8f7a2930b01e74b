// The callback addresses that a merchant sets in the portal.

import { z } from 'zod'
import { url } from '../../../server/contract/fields.ts'
import { callbackAddressProblem } from '../wire/addresses.ts'
import type { CallbackHosts } from '../wire/addresses.ts'
import type { Failure } from '../wire/failure.ts'

/** The length of a `callback_url`. [spec: Limits] */
export const LONGEST_URL = 500

/**
 * A callback URL in {@link PortalSettings}. `null` removes the stored URL. If the URL is absent, the stored URL is
 * kept.
 */
const Address = url(LONGEST_URL).nullable().exactOptional()

// [assumed] The spec names addresses for airtime and B2C notifications only. The sandbox also has an address for
// charges, and sends callbacks of transfers without a `callback_url` to the B2C address. Without an address, no
// callback is sent.
// [spec: What the service does, 3; Events]
export const PortalSettings = z.object({
  airtime_callback_url: Address,
  charge_callback_url: Address,
  b2c_callback_url: Address,
})
export type PortalSettings = z.output<typeof PortalSettings>

/** Returns the failure of the first address that cannot receive callbacks; `null` if there is none. */
export function portalAddressProblem(settings: PortalSettings, hosts: CallbackHosts): Failure | null {
  for (const [field, address] of Object.entries(settings)) {
    const problem = address === null ? null : callbackAddressProblem(address, hosts, field)
    if (problem) return problem
  }
  return null
}

/** @throws {RangeError} if an address cannot receive callbacks. */
export function createPortalAddresses(settings: PortalSettings, hosts: CallbackHosts) {
  const problem = portalAddressProblem(settings, hosts)
  if (problem) throw new RangeError(problem.message)
  const addresses: Required<PortalSettings> = {
    airtime_callback_url: null,
    charge_callback_url: null,
    b2c_callback_url: null,
    ...PortalSettings.parse(settings),
  }
  return {
    addresses: (): Readonly<typeof addresses> => addresses,
    /** @param changes Addresses that can receive callbacks: see {@link portalAddressProblem}. */
    set: (changes: PortalSettings) => void Object.assign(addresses, changes),
  }
}
