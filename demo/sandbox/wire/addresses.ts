/** Validates the merchant's `callback_url` and `redirect_url`. */

export const CALLBACK_ADDRESS_RULE = 'must be HTTPS; plain HTTP is accepted on loopback addresses only'

/** Why an absolute URL is refused as a `callback_url`; `null` when it is accepted. */
export function callbackAddressProblem(callback_url: string): string | null {
  return isCallbackAddress(callback_url) ? null : `callback_url ${CALLBACK_ADDRESS_RULE}.`
}

/** [assumed] The spec asks for HTTPS and a public address; a sandbox on one machine needs an exception. */
export function isCallbackAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** Whether callbacks are sent to the address: only to this machine and to the `callbackHosts` option. */
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

/** Why an absolute URL is refused as a `redirect_url`; `null` when a browser may be sent there. */
export function redirectAddressProblem(redirect_url: string): string | null {
  return ['http:', 'https:'].includes(new URL(redirect_url).protocol)
    ? null
    : 'redirect_url must be an HTTP or HTTPS address.'
}
