import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { productionDependencies } from './production.ts'

/** Megabytes (10^6 bytes) that `npm install` writes, and packages that it installs; for the widget and the server. */
const LIMITS = [
  { name: 'widget', optional: 'with', megabytes: 6.5, packages: 8 },
  { name: 'server', optional: 'without', megabytes: 40, packages: 62 },
  { name: 'server', optional: 'with', megabytes: 70, packages: 65 },
] as const

/** The sizes of the files that `npm pack` puts into the packages. */
const packed = Object.fromEntries(
  (['widget', 'server'] as const).map((workspace) => {
    const said = execFileSync('npm', ['pack', '--dry-run', '--json', '--workspace', workspace], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return [workspace, Number(/"unpackedSize": (\d+)/.exec(said)?.[1])]
  }),
)

test.each(LIMITS)(
  'an install of $name $optional optional packages is at most $megabytes MB in $packages packages',
  ({ name, optional, megabytes, packages }) => {
    const dependencies = productionDependencies(name)
      .filter(({ isOptional }) => optional === 'with' || !isOptional)
      .map(({ path }) => [path, bytesIn(path)] as const)
      .toSorted(([, a], [, b]) => b - a)
    const own = name === 'server' ? (['widget', 'server'] as const) : (['widget'] as const)
    const all = [...own.map((each) => [each, packed[each] ?? NaN] as const), ...dependencies]
    const total = all.reduce((sum, [, bytes]) => sum + bytes, 0) / 1e6
    const heaviest = all.slice(0, 6).map(([path, bytes]) => `${path} ${(bytes / 1e6).toFixed(1)}`)
    console.log(
      `${name} ${optional} optional packages: ${total.toFixed(1)} MB in ${all.length} packages: ${heaviest.join(', ')}, …`,
    )
    expect(total).toBeLessThan(megabytes)
    expect(all.length).toBeLessThanOrEqual(packages)
  },
)

/** Returns the size of the files of an installed package, without packages that are installed inside it. */
function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.name !== 'node_modules')
    .map((entry) => join(folder, entry.name))
    .reduce((sum, path) => {
      const status = statSync(path)
      return sum + (status.isDirectory() ? bytesIn(path) : status.size)
    }, 0)
}
