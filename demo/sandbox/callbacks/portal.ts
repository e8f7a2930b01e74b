/**
 * What a merchant has set in the merchant portal: where callbacks go whose requests name no address.
 * [spec: What the service does, 3; Events: "callback_url configured in the merchant portal"]
 *
 * [assumed] The spec names the URL types of airtime and B2C notifications only; charges have one of their own here,
 * and B2C notifications are told of transfers that name no address. While an address is not set, nobody is told.
 */

import { z } from 'zod'
import { url } from '../../../server/contract/fields.ts'
import { CALLBACK_ADDRESS_RULE, isCallbackAddress } from '../wire/addresses.ts'

/** `null` takes an address away; what is left out stays as it is. */
const Address = url(500).refine(isCallbackAddress, CALLBACK_ADDRESS_RULE).nullable().exactOptional()

export const PortalSettings = z.object({
  /** Told of each recipient of airtime. */
  airtime_callback_url: Address,
  charge_callback_url: Address,
  /** Told of transfers without a callback_url of their own. */
  b2c_callback_url: Address,
})
export type PortalSettings = z.output<typeof PortalSettings>

type Addresses = Required<PortalSettings>

export interface Portal {
  addresses(): Readonly<Addresses>
  set(settings: PortalSettings): void
}

/** @throws {z.ZodError} when callbacks could not go to one of the addresses. */
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
