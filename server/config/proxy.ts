/** The proxy for requests to public hosts. */

import type { Secret } from './secret.ts'

export interface ProxySettings {
  /** May contain a user and a password. */
  readonly url: Secret
  /** The hosts that are reached without the proxy (NO_PROXY). */
  readonly except: string
}

/** Describes the proxy for logs and commands, without its password. */
export function describeProxy({ url, except }: ProxySettings): string {
  const { host } = new URL(url.reveal())
  const named = except === '' ? '' : `, NO_PROXY (${except})`
  return `Requests to public hosts go through the proxy ${host} (HTTPS_PROXY), but for loopback addresses, PRIVATE_HOSTS${named}.`
}
