/** Says which addresses the gateway's hosted page may have. Pure. */

import type { GatewaySettings } from '../config/gateway.ts'

/**
 * Returns the reason why the URL of a hosted page is not allowed, as a sentence; `null` if the URL is allowed. The URL
 * must have the protocol of GATEWAY_BASE_URL: an attacker could change a page that is sent over `http:`.
 */
export function findAddressError(
  redirectUrl: string,
  { baseUrl, pageHosts }: Pick<GatewaySettings, 'baseUrl' | 'pageHosts'>,
): string | null {
  const { protocol, host, username, password } = new URL(redirectUrl)
  const page = "The URL of the gateway's hosted page"
  if (!pageHosts.includes(host)) {
    return `${page} is on ${host}, which GATEWAY_PAGE_HOSTS does not name.`
  }
  if (protocol !== new URL(baseUrl).protocol) {
    return `${page} has another protocol than GATEWAY_BASE_URL.`
  }
  if (username || password) {
    return `${page} contains a user name or a password.`
  }
  return null
}
