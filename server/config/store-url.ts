/** STORE_URL: which database it names, and where a server must not keep payments. */

import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { isAbsolute, resolve, sep } from 'node:path'
import { parseIntoClientConfig } from 'pg-connection-string'

import { isPrivateHost } from '../contract/private-host.ts'
import { parseReachable } from './address.ts'
import { revealed } from './secret.ts'

import type { Secret } from './secret.ts'
import type { ClientConfig } from 'pg'

/**
 * A database: a SQLite file by its absolute path, a store in memory, or a Postgres database by its URL. The path of a
 * file `isRelative` if it was absolute only by the working directory.
 */
export type StorePlace =
  | { engine: 'sqlite'; path: string; isRelative: boolean }
  | { engine: 'memory' }
  | { engine: 'postgres'; url: string }

export const STORE_URL_RULE =
  'sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE, with a user, a host and a database, special characters percent-encoded'

/** @throws {Error} if a text, which nobody has validated, breaks {@link STORE_URL_RULE}. */
export function storePlaceOf(storeUrl: string | Secret): StorePlace {
  const place = readStoreUrl(revealed(storeUrl))
  if (place === null) {
    throw new Error(`STORE_URL must be ${STORE_URL_RULE}.`)
  }
  return place
}

/** Returns `null` for a text that names no store. */
export function readStoreUrl(text: string): StorePlace | null {
  const [, path] = /^sqlite:(.+)$/s.exec(text) ?? []
  if (path === ':memory:') {
    return { engine: 'memory' }
  }
  if (path !== undefined) {
    return { engine: 'sqlite', path: resolve(path), isRelative: !isAbsolute(path) }
  }
  return isDatabase(text) ? { engine: 'postgres', url: text } : null
}

/** A part that is missing would come from the environment of the process, and would be another one elsewhere. */
function isDatabase(text: string): boolean {
  const url = /^postgres(ql)?:/.test(text) ? parseReachable(text) : null
  if (!url || !/^\/[^/]+$/.test(url.pathname)) {
    return false
  }

  const stated = connectionOf(text)
  return stated === null || (Boolean(stated.user) && Boolean(stated.host))
}

/** Returns what the parser of the driver reads in a URL; `null` if it names files that cannot be read. */
function connectionOf(url: string): ClientConfig | null {
  try {
    return parseIntoClientConfig(url)
  } catch {
    return null
  }
}

/** Describes a database for logs and commands, without a password. */
export function describePlace(place: StorePlace): string {
  switch (place.engine) {
    case 'sqlite':
      return `the SQLite file ${place.path}`
    case 'memory':
      return 'in memory'
    case 'postgres': {
      const { host, pathname } = new URL(place.url)
      return `the database ${host}${pathname}`
    }
  }
}

/** Returns why production must not use the store; `null` if it may. */
export function problemInProduction(place: StorePlace, privateHosts: readonly string[]): string | null {
  switch (place.engine) {
    case 'sqlite':
      return place.isRelative
        ? 'must be an absolute path in production, such as sqlite:/var/lib/gateway-checkout/checkout.sqlite: started in another folder, the server would know none of its payments.'
        : null
    case 'memory':
      return 'is in memory, where a restart loses every payment: production needs sqlite:PATH or postgres://….'
    case 'postgres':
      return problemOfTls(place.url, privateHosts)
  }
}

function problemOfTls(url: string, privateHosts: readonly string[]): string | null {
  if (connectionOf(url) === null) {
    return 'cannot be read by the driver of Postgres: do its files, such as sslrootcert, exist?'
  }

  const host = hostInClear(url)
  const isAddress = isIP(host ?? '') !== 0
  if (host === null || isPrivateHost(host) || (privateHosts.includes(host) && !isAddress)) {
    return null
  }

  const otherwise = isAddress ? '' : `, or, if ${host} is in a private network, name it in PRIVATE_HOSTS`
  return `must use TLS with a verified certificate in production: add ?sslmode=verify-full${otherwise}.`
}

/**
 * Returns the host of a database that is reached over the network without TLS and a verified certificate; `null` for any
 * other database. The parser of the driver says which host it connects to, and whether it verifies the certificate.
 */
export function hostInClear(url: string): string | null {
  const { ssl, host = '' } = connectionOf(url) ?? {}
  const isVerified =
    ssl === true ||
    (typeof ssl === 'object' && ssl.rejectUnauthorized !== false && !('checkServerIdentity' in ssl))
  // The folder of a Unix socket is on this machine.
  return isVerified || host.startsWith('/') ? null : host
}

/** Returns whether the system may delete the file of a store, as it does in its folders for temporary files. */
export function isTemporary(place: StorePlace): boolean {
  if (place.engine !== 'sqlite' || place.isRelative) {
    return false
  }
  return [tmpdir(), '/tmp', '/var/tmp', '/dev/shm'].some((folder) => place.path.startsWith(folder + sep))
}

/**
 * Folders that a build of Next, Nuxt, Nitro or SvelteKit deletes or overwrites. The server that Next builds with
 * `output: 'standalone'` even changes its working directory to such a folder, so the default of STORE_URL would be in
 * it. [assumed] Folders such as `dist` and `build` are accepted: a deployment may keep lasting files below such a name.
 */
const BUILD_FOLDERS = ['.next', '.nuxt', '.output', '.svelte-kit']

/** Returns why no server may use the store: a build deletes its folder. Otherwise returns `null`. */
export function deletedByBuild(place: StorePlace): string | null {
  if (place.engine !== 'sqlite' || !place.path.split(sep).some((name) => BUILD_FOLDERS.includes(name))) {
    return null
  }
  return `STORE_URL is ${place.path}, which the next build deletes: give it an absolute path outside.`
}
