import { isPublicHost } from './public-host.ts'
import { parseUrl } from '../../../server/contract/parse-url.ts'

const CALLBACK_ADDRESS_RULE =
  'must be HTTPS and publicly reachable; plain HTTP is accepted on loopback addresses only'
const PUBLIC_RULE = 'must be HTTPS and publicly reachable'

/** Which hosts callbacks may go to. */
export interface CallbackHosts {
  readonly isLoopbackAllowed: boolean
  /** Host names that are allowed in any case. */
  readonly named: readonly string[]
}

export function callbackAddressProblem(
  callback_url: string,
  hosts: CallbackHosts,
  name = 'callback_url',
): string | null {
  if (isCallbackAddress(callback_url, hosts)) return null
  return `${name} ${hosts.isLoopbackAllowed ? CALLBACK_ADDRESS_RULE : PUBLIC_RULE}.`
}

// [spec: Events, rules 2 and 4] [assumed] Loopback hosts are allowed for tests; in production, if they are named. Other
// hosts that are not public are allowed if they are named.
function isCallbackAddress(address: string, { isLoopbackAllowed, named }: CallbackHosts): boolean {
  const parsed = parseUrl(address)
  if (!parsed) return false
  const { protocol, hostname } = parsed
  if (isLoopback(hostname))
    return ['https:', 'http:'].includes(protocol) && (isLoopbackAllowed || named.includes(hostname))
  return protocol === 'https:' && (isPublicHost(hostname) || named.includes(hostname))
}

export function isDeliverable(callback_url: string, { isLoopbackAllowed, named }: CallbackHosts): boolean {
  const { hostname } = new URL(callback_url)
  return (isLoopbackAllowed && isLoopback(hostname)) || named.includes(hostname)
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
