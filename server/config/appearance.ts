/** The merchant, as shoppers see it on the pages of this server. */

import { helpLinks } from 'gateway-checkout/words'

export interface Merchant {
  /** Empty text if MERCHANT_NAME is not set. */
  readonly name: string
  /** The ways to pay, as a shopper knows them; empty text if MERCHANT_METHODS is not set. */
  readonly methods: string
  /** Addresses, with `|` between them; empty text if MERCHANT_HELP is not set. */
  readonly help: string
  /** The URL of a square picture; `null` if MERCHANT_LOGO is not set. */
  readonly logo: string | null
  /** A colour such as `#0f6e5c`; `null` if MERCHANT_ACCENT is not set. */
  readonly accent: string | null
}

/** Returns whether a text consists of addresses, as the attribute `help` of the element does. */
export function isHelp(text: string): boolean {
  return !helpLinks(text).includes(null)
}

/** Returns whether a text is a colour such as `#0f6e5c`, on which white text can be read. */
export function isDark(colour: string): boolean {
  if (!/^#[\da-f]{6}$/i.test(colour)) {
    return false
  }

  const channelAt = (index: number) => (parseInt(colour.slice(index, index + 2), 16) / 255) ** 2.2
  const luminance = 0.2126 * channelAt(1) + 0.7152 * channelAt(3) + 0.0722 * channelAt(5)
  // The contrast to white, 1.05 / (luminance + 0.05), must be 4.5 or more. [WCAG 2.2: 1.4.3]
  return luminance <= 0.18
}
