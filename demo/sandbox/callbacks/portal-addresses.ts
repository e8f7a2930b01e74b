// The callback addresses that a merchant sets in the portal.

import { z } from 'zod'

import { url } from '../../../server/contract/fields.ts'
import { callbackAddressProblem } from '../http/allowed-addresses.ts'

import type { CallbackHosts } from '../http/allowed-addresses.ts'

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

/**
 * @param settings The addresses at the start.
 * @throws {RangeError} if one of them cannot receive callbacks.
 */
export function createPortalAddresses(settings: PortalSettings, hosts: CallbackHosts) {
  const addresses: Required<PortalSettings> = {
    airtime_callback_url: null,
    charge_callback_url: null,
    b2c_callback_url: null,
  }

  /**
   * Changes addresses. If one of them cannot receive callbacks, changes none, and returns its field with a failure.
   *
   * @param nameOf Returns how the message of the failure names a field.
   */
  const set = (changes: PortalSettings, nameOf = (field: string) => field) => {
    for (const [field, address] of Object.entries(changes)) {
      const failure = address === null ? null : callbackAddressProblem(address, hosts, nameOf(field))
      if (failure) {
        return { field, failure }
      }
    }

    Object.assign(addresses, PortalSettings.parse(changes))
    return null
  }

  const problem = set(settings)
  if (problem) {
    throw new RangeError(problem.failure.message)
  }
  return { addresses: (): Readonly<typeof addresses> => addresses, set }
}
