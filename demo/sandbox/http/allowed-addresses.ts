// Which addresses a request may name, for callbacks and for the customer's return. [spec: Events, rules 2 and 4]

import { parseUrl } from '../../../server/contract/parse.ts'
import { isPrivateHost } from '../../../server/contract/private-host.ts'
import { fieldWrong } from '../errors/wrong-field.ts'

import type { Failure } from '../errors/failure.ts'

/** Which hosts callbacks may go to. */
export interface CallbackHosts {
  readonly isLoopbackAllowed: boolean
  /** Host names that are allowed in any case. */
  readonly named: readonly string[]
}

export function callbackAddressProblem(
  callback_url: string,
  hosts: CallbackHosts,
  field = 'callback_url',
): Failure | null {
  if (isCallbackAddress(callback_url, hosts)) {
    return null
  }

  const loopback = hosts.isLoopbackAllowed ? '; plain HTTP is accepted on loopback addresses only' : ''
  return fieldWrong(`${field} must be HTTPS and publicly reachable${loopback}.`)
}

// [assumed] Loopback hosts are allowed for tests; in production, if they are named. Other hosts that are not public are
// allowed if they are named. No name is resolved, and the names of examples and tests (`.example`, `.test`) count as
// public.
function isCallbackAddress(address: string, { isLoopbackAllowed, named }: CallbackHosts): boolean {
  const parsed = parseUrl(address)
  if (!parsed) {
    return false
  }

  const { protocol, hostname } = parsed
  if (isLoopback(hostname)) {
    return ['https:', 'http:'].includes(protocol) && (isLoopbackAllowed || named.includes(hostname))
  }
  return protocol === 'https:' && (!isPrivateHost(hostname) || named.includes(hostname))
}

export function isDeliverable(callback_url: string, { isLoopbackAllowed, named }: CallbackHosts): boolean {
  const { hostname } = new URL(callback_url)
  return (isLoopbackAllowed && isLoopback(hostname)) || named.includes(hostname)
}

// As in a URL, an IPv6 address has brackets.
export function isLoopback(hostname: string): boolean {
  return /^((.+\.)?localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(hostname)
}

export function redirectAddressProblem(url: string, field = 'redirect_url'): Failure | null {
  if (['http:', 'https:'].includes(new URL(url).protocol)) {
    return null
  }
  return fieldWrong(`${field} must be an HTTP or HTTPS address.`)
}
