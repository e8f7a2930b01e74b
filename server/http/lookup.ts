/**
 * The addresses that this server connects to, whatever the protocol. Who controls DNS, or a URL that it is given, must not
 * lead it to a private address, or have it send anything to a public one without TLS.
 */

import { isIP } from 'node:net'

import { isPrivateAddress, isPrivateHost } from '../contract/private-host.ts'
import { NotConnectedError } from './exchange.ts'
import { sharedLookup } from './resolver.ts'

import type { Config } from '../config/config.ts'
import type { LookupFunction } from 'node:net'

/**
 * Returns the lookup function with which a connection of another protocol to a host is made, by the same rule.
 *
 * @throws {Error} if the host is a private address, or a name of a private network, that is not allowed.
 */
export function lookupOf(
  hostname: string,
  privateHosts: Config['privateHosts'],
  lookup: LookupFunction = sharedLookup,
): LookupFunction {
  if (privateHosts === 'any' || privateHosts.includes(hostname)) {
    return lookup
  }
  if (isPrivateHost(hostname)) {
    throw refusal(hostname)
  }
  return publicLookup(lookup)
}

/** Returns a lookup function that fails if the host name has no public address, and returns no other ones. */
export function publicLookup(lookup: LookupFunction): LookupFunction {
  return lookupOnly(lookup, (address) => !isPrivateAddress(address), refusal)
}

/**
 * Returns the lookup function of connections without TLS. It fails if the host name has no private address, and returns
 * no other ones.
 */
export function clearLookup(lookup: LookupFunction = sharedLookup): LookupFunction {
  return lookupOnly(lookup, isPrivateAddress, exposure)
}

/** @throws {NotConnectedError} if a host of a connection without TLS is a public address, which nothing looks up. */
export function refuseInClear(hostname: string): void {
  const address = hostname.replace(/^\[|\]$/g, '')
  if (isIP(address) !== 0 && !isPrivateAddress(address)) {
    throw exposure(hostname)
  }
}

function lookupOnly(
  lookup: LookupFunction,
  isAllowed: (address: string) => boolean,
  failure: (hostname: string) => Error,
): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, resolved, family = 0) => {
      if (error) {
        return callback(error, [])
      }

      const addresses = typeof resolved === 'string' ? [{ address: resolved, family }] : resolved
      const allowed = addresses.filter(({ address }) => isIP(address) !== 0 && isAllowed(address))
      const [first] = allowed
      if (!first) {
        return callback(failure(hostname), [])
      }
      if (options.all) {
        callback(null, allowed)
      } else {
        callback(null, first.address, first.family)
      }
    })
}

export function refusal(hostname: string): Error {
  return new NotConnectedError(`${hostname} has a private address, and PRIVATE_HOSTS does not name it.`)
}

function exposure(hostname: string): Error {
  return new NotConnectedError(`${hostname} has a public address, where nothing is sent without TLS.`)
}
