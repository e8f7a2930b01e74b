/** Says where a store is: for the log, for the command `check`, and for the refusal of folders that builds delete. */

import { resolve, sep } from 'node:path'

/**
 * Folders that a build of Next, Nuxt, Nitro or SvelteKit deletes or overwrites. The server that Next builds with
 * `output: 'standalone'` even changes its working directory to such a folder, so the default of STORE_URL would be in
 * it. [assumed] Folders such as `dist` and `build` are accepted: a deployment may keep lasting files below such a name.
 */
const BUILD_FOLDERS = ['.next', '.nuxt', '.output', '.svelte-kit']

/** Returns the absolute path of a SQLite store; `null` for Postgres and for a store in memory. */
export function sqliteFileOf(url: string): string | null {
  const [, path] = /^sqlite:(.+)$/s.exec(url) ?? []
  return path === undefined || path === ':memory:' ? null : resolve(path)
}

/** Names the place of a store, without a password. */
export function placeOf(url: string): string {
  const file = sqliteFileOf(url)
  if (file !== null) return `the SQLite file ${file}`
  if (url.startsWith('sqlite:')) return 'in memory'
  const { host, pathname } = new URL(url)
  return `the database ${host}${pathname}`
}

/** Returns why no server may use the store at `url`: a build deletes its folder. Otherwise returns `null`. */
export function deletedByBuild(url: string): string | null {
  const file = sqliteFileOf(url)
  if (!file?.split(sep).some((name) => BUILD_FOLDERS.includes(name))) return null
  return `STORE_URL is ${file}, which the next build deletes: give it an absolute path outside.`
}
