/** The merchant, as shoppers see it on the pages of this server. Pure. */

import { ENGLISH, helpLinks } from 'gateway-checkout/words'

export interface Merchant {
  /** Empty text if MERCHANT_NAME is not set. */
  readonly name: string
  /** Addresses, with `|` between them; empty text if MERCHANT_HELP is not set. */
  readonly help: string
  /** The URL of a square picture; `null` if MERCHANT_LOGO is not set. */
  readonly logo: string | null
  /** A colour such as `#0f6e5c`; `null` if MERCHANT_ACCENT is not set. */
  readonly accent: string | null
}

/** Returns whether a text is what the attribute `help` of the element may be. */
export function isHelp(text: string): boolean {
  return !helpLinks(text, ENGLISH).includes(null)
}

/** Returns whether a text is a colour such as `#0f6e5c`, on which white text can be read. [WCAG 2.2: 1.4.3] */
export function isDark(colour: string): boolean {
  const [red = 1, green = 1, blue = 1] = [1, 3, 5].map(
    (at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2,
  )
  return /^#[\da-f]{6}$/i.test(colour) && 0.2126 * red + 0.7152 * green + 0.0722 * blue <= 0.18
}
