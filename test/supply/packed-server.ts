import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The folder, in `node_modules`, of the optional SQLite driver. */
const DRIVER = '@photostructure'

/**
 * Installs the packed server as `npm install --omit=optional` does. Links its other dependencies to the installed
 * packages. Returns the path of its command line.
 */
export function installPackedServer(folder: string): string {
  const pack = ['pack', '--workspace', 'server', '--pack-destination', folder]
  const tarball = execFileSync('npm', pack, { encoding: 'utf8', stdio: 'pipe' }).trim().split('\n').at(-1)
  linkModules(folder, [join(folder, String(tarball))], [DRIVER])
  return join(folder, 'node_modules/gateway-checkout-server/dist/cli.js')
}

/** Installs packed packages into `folder` without npm. Links other packages to the installed ones, but for `absent`. */
export function linkModules(
  folder: string,
  tarballs: readonly string[],
  absent: readonly string[] = [],
): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const tarball of tarballs) {
    execFileSync('tar', ['-xzf', tarball, '-C', modules])
    const at = join(modules, 'package')
    const { name }: { name: string } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'))
    renameSync(at, join(modules, name))
  }
  for (const from of ['server/node_modules', 'node_modules'])
    for (const name of readdirSync(from)) {
      if (absent.includes(name) || readdirSync(modules).includes(name)) continue
      symlinkSync(resolve(from, name), join(modules, name))
    }
}
