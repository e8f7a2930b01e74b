/** STORE_URL: which database it names, and where a server must not keep payments. */

import type { Secret } from './secret.ts'
import { resolve, sep } from 'node:path'
import { parseUrl } from '../contract/parse.ts'
import { revealed } from './secret.ts'
import { isPrivateHost } from '../contract/private-host.ts'

/** A database: a SQLite file by its absolute path, a store in memory, or a Postgres database by its URL. */
export type StorePlace =
  | { engine: 'sqlite'; path: string }
  | { engine: 'memory' }
  | { engine: 'postgres'; url: string }

export const STORE_URL_RULE =
  'sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE, special characters percent-encoded'

/** @throws {Error} if a text, which nobody has validated, breaks {@link STORE_URL_RULE}. */
export function storePlaceOf(storeUrl: string | Secret): StorePlace {
  const place = readStoreUrl(revealed(storeUrl))
  if (place === null) throw new Error(`STORE_URL must be ${STORE_URL_RULE}.`)
  return place
}

/** Returns `null` for a text that names no store. */
export function readStoreUrl(text: string): StorePlace | null {
  const [, path] = /^sqlite:(.+)$/s.exec(text) ?? []
  if (path === ':memory:') return { engine: 'memory' }
  if (path !== undefined) return { engine: 'sqlite', path: resolve(path) }
  return /^postgres(ql)?:/.test(text) && parseUrl(text) ? { engine: 'postgres', url: text } : null
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
      return null
    case 'memory':
      return 'is in memory, where a restart loses every payment: production needs sqlite:PATH or postgres://….'
    case 'postgres': {
      const host = hostWithoutTls(place.url)
      return host === null || privateHosts.includes(host)
        ? null
        : `must use TLS in production: add ?sslmode=verify-full, or, if ${host} is in a private network, name it in PRIVATE_HOSTS.`
    }
  }
}

/** Returns the public host of a Postgres database whose certificate the driver does not verify; otherwise `null`. */
function hostWithoutTls(url: string): string | null {
  const { hostname, searchParams } = new URL(url)
  const host = searchParams.get('host') ?? hostname
  const mode = searchParams.get('sslmode') ?? searchParams.get('ssl') ?? ''
  // No host, or the folder of a Unix socket, means this machine.
  const isLocal = /^$|^(\/|%2f)/i.test(host) || isPrivateHost(host)
  return isLocal || /^(require|verify-ca|verify-full|true|1)$/.test(mode) ? null : host
}

/**
 * Folders that a build of Next, Nuxt, Nitro or SvelteKit deletes or overwrites. The server that Next builds with
 * `output: 'standalone'` even changes its working directory to such a folder, so the default of STORE_URL would be in
 * it. [assumed] Folders such as `dist` and `build` are accepted: a deployment may keep lasting files below such a name.
 */
const BUILD_FOLDERS = ['.next', '.nuxt', '.output', '.svelte-kit']

/** Returns why no server may use the store: a build deletes its folder. Otherwise returns `null`. */
export function deletedByBuild(place: StorePlace): string | null {
  if (place.engine !== 'sqlite' || !place.path.split(sep).some((name) => BUILD_FOLDERS.includes(name)))
    return null
  return `STORE_URL is ${place.path}, which the next build deletes: give it an absolute path outside.`
}
