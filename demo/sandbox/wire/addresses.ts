export const CALLBACK_ADDRESS_RULE = 'must be HTTPS; plain HTTP is accepted on loopback addresses only'

export function callbackAddressProblem(callback_url: string): string | null {
  return isCallbackAddress(callback_url) ? null : `callback_url ${CALLBACK_ADDRESS_RULE}.`
}

// [assumed] The spec requires HTTPS and a public address. Loopback hosts are allowed for tests.
export function isCallbackAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

export function isDeliverable(callback_url: string, callbackHosts: readonly string[]): boolean {
  const { hostname } = new URL(callback_url)
  return isLoopback(hostname) || callbackHosts.includes(hostname)
}

// As in a URL, an IPv6 address has brackets.
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  )
}

export function redirectAddressProblem(url: string, field = 'redirect_url'): string | null {
  return ['http:', 'https:'].includes(new URL(url).protocol)
    ? null
    : `${field} must be an HTTP or HTTPS address.`
}
