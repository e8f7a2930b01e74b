import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

export function onPath(command: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.map((folder) => join(folder, command)).find((each) => existsSync(each))
}

let searched: string | undefined

/**
 * Returns a `PATH` that begins with the folder of Python itself: the `python3` of a version manager is a script, which starts
 * twenty programs before Python.
 */
export function searchPath(): string {
  return (searched ??= [...folderOfPython(), process.env.PATH ?? ''].join(delimiter))
}

function folderOfPython(): string[] {
  const found = onPath('python3')
  if (found === undefined || readFileSync(found).toString('latin1', 0, 2) !== '#!') {
    return []
  }

  const { stdout } = spawnSync(found, ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' })
  return stdout ? [dirname(stdout.trim())] : []
}

/** Installs Debian packages. Does nothing unless the process is root and `apt-get` exists. */
export function installWithApt(packages: string[]): void {
  const isRoot = process.getuid?.() === 0
  if (packages.length === 0 || !isRoot || !onPath('apt-get')) {
    return
  }

  const options = ['-o', 'DPkg::Lock::Timeout=300', '-y', '--no-install-recommends']
  run('apt-get', [...options, 'update'])
  run('apt-get', [...options, 'install', ...packages])
}

const INSTALL_TIMEOUT_MS = 900_000

export function run(command: string, parameters: string[]): boolean {
  console.error(`[browsers] ${command} ${parameters.join(' ')}`)
  const { status } = spawnSync(command, parameters, {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: INSTALL_TIMEOUT_MS,
    env: { ...process.env, PATH: searchPath(), DEBIAN_FRONTEND: 'noninteractive' },
  })
  return status === 0
}
