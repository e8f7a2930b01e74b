/** Commands that a machine has, or gets from Debian's packages. */

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export function onPath(command: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, command)).find((each) => existsSync(each))
}

/** Everything that is missing in one call: the machine's package list is read and its lock taken once. */
export function installWithApt(packages: string[]): void {
  const isRoot = process.getuid?.() === 0
  if (packages.length === 0 || !isRoot || !onPath('apt-get')) return
  const options = ['-o', 'DPkg::Lock::Timeout=300', '-y', '--no-install-recommends']
  run('apt-get', [...options, 'update'])
  run('apt-get', [...options, 'install', ...packages])
}

/** Three browsers' worth of download on a slow line. */
const INSTALL_TIMEOUT_MS = 900_000

/** Runs a step of an installation where everybody can see it; whether it went well. */
export function run(command: string, parameters: string[]): boolean {
  console.error(`[browsers] ${command} ${parameters.join(' ')}`)
  const { status } = spawnSync(command, parameters, {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: INSTALL_TIMEOUT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return status === 0
}
