/** Validates the merchant's `callback_url` and `redirect_url`. */

export const CALLBACK_ADDRESS_RULE = 'must be HTTPS; plain HTTP is accepted on loopback addresses only'

/** Returns why an absolute URL is refused as a `callback_url`; `null` if it is accepted. */
export function callbackAddressProblem(callback_url: string): string | null {
  return isCallbackAddress(callback_url) ? null : `callback_url ${CALLBACK_ADDRESS_RULE}.`
}

/**
 * Whether the URL can receive callbacks: HTTPS, or HTTP at a loopback address. [assumed] The spec requires HTTPS and a
 * public address; loopback addresses are for tests.
 */
export function isCallbackAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** Whether the sandbox sends callbacks to the URL: its host must be this machine or in the `callbackHosts` option. */
export function isDeliverable(callback_url: string, callbackHosts: readonly string[]): boolean {
  const { hostname } = new URL(callback_url)
  return isLoopback(hostname) || callbackHosts.includes(hostname)
}

/** Whether the host is a loopback name or address. Names are not resolved. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  )
}

/** Returns why an absolute URL is refused as a `redirect_url`; `null` if it is accepted. */
export function redirectAddressProblem(redirect_url: string): string | null {
  return ['http:', 'https:'].includes(new URL(redirect_url).protocol)
    ? null
    : 'redirect_url must be an HTTP or HTTPS address.'
}
