import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The folder, in `node_modules`, of the optional SQLite driver. */
const DRIVER = '@photostructure'

/**
 * Installs the packed server as `npm install --omit=optional` does. Links its other dependencies to the installed
 * packages. Returns the path of its command line.
 */
export function installPackedServer(folder: string): string {
  const modules = join(folder, 'node_modules')
  const at = join(modules, 'gateway-checkout-server')
  mkdirSync(modules)
  const pack = ['pack', '--workspace', 'server', '--pack-destination', folder]
  const tarball = execFileSync('npm', pack, { encoding: 'utf8', stdio: 'pipe' }).trim().split('\n').at(-1)
  execFileSync('tar', ['-xzf', join(folder, String(tarball)), '-C', folder])
  execFileSync('mv', [join(folder, 'package'), at])
  for (const from of ['server/node_modules', 'node_modules'])
    for (const name of readdirSync(from)) {
      if (name === DRIVER || readdirSync(modules).includes(name)) continue
      symlinkSync(resolve(from, name), join(modules, name))
    }
  return join(at, 'dist/cli.js')
}
