/** What a release checks and writes. All packages have one version. Pure. */

/** The published packages, in the order of their publication: the server depends on the widget. */
export const PACKAGES = ['widget', 'server', 'demo/create'] as const

export const MANIFESTS = PACKAGES.map((folder) => `${folder}/package.json`)
export const CHANGELOGS = ['widget/CHANGELOG.md', 'server/CHANGELOG.md']
const LOCK = 'package-lock.json'
/** Shows addresses that contain the version. */
const PINNED = 'widget/README.md'
export const FILES = [...MANIFESTS, ...CHANGELOGS, LOCK, PINNED]

/** The texts of {@link FILES}, by path. */
export type Files = Readonly<Record<string, string>>

const VERSION = /^(\d+)\.(\d+)\.(\d+)(?:-[\w.]+)?$/

interface Repository {
  files: Files
  /** The names of the tags, such as `v0.1.0`. */
  tags: readonly string[]
  /** The lines of `git status --short`. */
  changes: readonly string[]
}

/** Returns why `version` cannot be released; empty if it can. */
export function findProblems(version: string, { files, tags, changes }: Repository): string[] {
  if (!VERSION.test(version)) return [`"${version}" is not a version such as 1.2.3.`]
  const released = tags.flatMap((tag) => (VERSION.test(tag.slice(1)) ? [tag.slice(1)] : []))
  const versions = new Set(MANIFESTS.map((path) => versionOf(files[path]!)))
  return [
    ...(changes.length > 0 ? [`The work tree has changes: ${changes.join(', ')}.`] : []),
    ...(versions.size > 1 ? [`The packages have several versions: ${[...versions].join(', ')}.`] : []),
    ...released
      .filter((each) => !isNewer(version, each))
      .map((each) => `${version} is not newer than the tag v${each}.`),
    ...CHANGELOGS.filter((path) => !notesOf(files[path]!, version)).map(
      (path) => `${path} must begin with "## ${version} (unreleased)" and what it changes for merchants.`,
    ),
  ]
}

/** Returns the files that the release changes, with their new texts. `day` is the date of the release. */
export function withVersion(files: Files, version: string, day: string): Files {
  const before = versionOf(files[MANIFESTS[0]!]!)
  const changed: Record<string, string> = {}
  for (const path of MANIFESTS)
    changed[path] = files[path]!.replace(`"version": "${before}"`, `"version": "${version}"`).replace(
      `"gateway-checkout": "${before}"`,
      `"gateway-checkout": "${version}"`,
    )
  for (const path of CHANGELOGS)
    changed[path] = files[path]!.replace(`## ${version} (unreleased)`, `## ${version} (${day})`)
  changed[PINNED] = files[PINNED]!.replaceAll(`gateway-checkout@${before}`, `gateway-checkout@${version}`)
  const lock = JSON.parse(files[LOCK]!)
  for (const folder of PACKAGES) lock.packages[folder].version = version
  lock.packages.server.dependencies['gateway-checkout'] = version
  changed[LOCK] = `${JSON.stringify(lock, null, 2)}\n`
  return changed
}

/** Returns what the first section of a changelog says, if it is the one of `version`; otherwise empty text. */
export function notesOf(changelog: string, version: string): string {
  const [, heading = '', notes = ''] = /^## ([^\n]*)\n(.*?)(?=^## |$(?![^]))/ms.exec(changelog) ?? []
  return heading === version || heading.startsWith(`${version} (`) ? notes.trim() : ''
}

export function versionOf(manifest: string): string {
  return JSON.parse(manifest).version
}

/** The arguments of npm for each packed package. A version such as 1.0.0-rc.1 is not installed by default. */
export function publications(version: string, tarballs: readonly string[]): string[][] {
  const tag = version.includes('-') ? ['--tag', 'next'] : []
  return tarballs.map((tarball) => ['publish', tarball, '--access', 'public', ...tag])
}

function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((each) => VERSION.exec(each)!.slice(1, 4).map(Number))
  const place = [0, 1, 2].find((index) => a![index] !== b![index])
  // A prerelease precedes its release; of two prereleases, the text decides.
  if (place === undefined) return other.includes('-') && (!one.includes('-') || one > other)
  return a![place]! > b![place]!
}
