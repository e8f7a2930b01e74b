/** Which addresses a merchant may name for callbacks, and to which of them callbacks go. */

export const CALLBACK_ADDRESS_RULE = 'must be HTTPS; plain HTTP is accepted on loopback addresses only'

/** `null` when callbacks can go there. The address is an absolute URL. */
export function whyNoCallbackAddress(callback_url: string): string | null {
  return isCallbackAddress(callback_url) ? null : `callback_url ${CALLBACK_ADDRESS_RULE}.`
}

/** [assumed] The spec asks for HTTPS and a public address; a sandbox on one machine needs an exception. */
export function isCallbackAddress(address: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** Whether callbacks are sent there: to this machine, and to hosts that were named when the sandbox was started. */
export function mayBeCalled(callback_url: string, callbackHosts: readonly string[]): boolean {
  const { hostname } = new URL(callback_url)
  return isLoopback(hostname) || callbackHosts.includes(hostname)
}

/** Addresses of this machine. Names are not resolved. */
function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  )
}
