/**
 * The settings of the merchant portal: callback addresses for requests without a `callback_url`. [spec: What the
 * service does, 3; Events: "callback_url configured in the merchant portal"]
 *
 * [assumed] The spec names addresses for airtime and B2C notifications only. Here charges have an address, too, and
 * the B2C address receives the callbacks of transfers without a `callback_url`. Without an address no callback is
 * sent.
 */

import { z } from 'zod'
import { url } from '../../../server/contract/fields.ts'
import { CALLBACK_ADDRESS_RULE, isCallbackAddress } from '../wire/addresses.ts'

/** The schema of an address setting: `null` removes the address; a missing field leaves it unchanged. */
const Address = url(500).refine(isCallbackAddress, CALLBACK_ADDRESS_RULE).nullable().exactOptional()

export const PortalSettings = z.object({
  /** The address that receives a callback for each recipient of airtime. */
  airtime_callback_url: Address,
  charge_callback_url: Address,
  /** The address that receives the callbacks of transfers without a `callback_url`. */
  b2c_callback_url: Address,
})
export type PortalSettings = z.output<typeof PortalSettings>

type Addresses = Required<PortalSettings>

export interface Portal {
  addresses(): Readonly<Addresses>
  set(settings: PortalSettings): void
}

/**
 * Creates the portal with its initial settings.
 *
 * @throws {z.ZodError} If an address cannot receive callbacks.
 */
export function createPortal(settings: PortalSettings): Portal {
  const addresses: Addresses = {
    airtime_callback_url: null,
    charge_callback_url: null,
    b2c_callback_url: null,
    ...PortalSettings.parse(settings),
  }
  return {
    addresses: () => addresses,
    set: (changes) => void Object.assign(addresses, changes),
  }
}
