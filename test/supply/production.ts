import { readFileSync } from 'node:fs'

interface Locked {
  version: string
  link?: boolean
  resolved?: string
  integrity?: string
  license?: string
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

export interface Dependency {
  name: string
  version: string
  /** The folder of the installed package. */
  path: string
  /** The licence in the package's own package.json. */
  licence: string
  hasInstallScript: boolean
  /** The address and the hash in the lockfile. */
  resolved: string
  integrity: string
  /** Whether `npm install --omit=optional` leaves the package out. */
  isOptional: boolean
}

const { packages }: { packages: Record<string, Locked> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
)

/** Returns the packages that npm installs with a published package, without our own packages. */
export function productionDependencies(workspace: 'widget' | 'server'): Dependency[] {
  const required = reach(workspace, false)
  const all = [...reach(workspace, true)].filter((path) => path.includes('node_modules/'))
  return all
    .map((path) => describe(path, !required.has(path)))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

function reach(workspace: string, withOptional: boolean): Set<string> {
  const reached = new Set([workspace])
  for (const path of reached) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = entryOf(path)
    const optional = Object.keys(optionalDependencies ?? {})
    const peers = Object.keys(peerDependencies ?? {}).filter(
      (name) => !peerDependenciesMeta?.[name]?.optional,
    )
    const names = [...Object.keys(dependencies ?? {}), ...peers].filter((name) => !optional.includes(name))
    for (const name of withOptional ? [...names, ...optional] : names) {
      reached.add(find(name, path))
    }
  }

  return reached
}

/** Returns the folder in which Node finds the dependency `name` of the package at `from`. */
function find(name: string, from: string): string {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    const entry = packages[path]
    if (entry) {
      return entry.link ? (entry.resolved ?? '') : path
    }
    if (at === '') {
      throw new Error(`The lockfile has no ${name} for ${from}.`)
    }
  }
}

function entryOf(path: string): Locked {
  const entry = packages[path]
  if (!entry) {
    throw new Error(`The lockfile has no ${path}.`)
  }
  return entry
}

function describe(path: string, isOptional: boolean): Dependency {
  const { version, resolved = '', integrity = '', hasInstallScript = false } = entryOf(path)
  const { license }: { license?: unknown } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8'))
  const licence = typeof license === 'string' ? license : 'unknown'
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  return { name, version, path, licence, hasInstallScript, resolved, integrity, isOptional }
}
