import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The packages that `npm pack` has made of the last build. */
export interface Packed {
  folder: string
  create: string
  /** The path of the command in the unpacked package. */
  command: string
  libraries: readonly string[]
}

export function packAll(folder: string): Packed {
  mkdirSync(folder, { recursive: true })
  const workspaces = ['widget', 'server', 'demo/create'].flatMap((name) => ['--workspace', name])
  npm('.', ['pack', ...workspaces, '--pack-destination', folder])
  const tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  const [create, ...libraries] = tarballs.toSorted().map((name) => resolve(folder, name))
  if (!create?.includes('create-'))
    throw new Error(`No packed create-gateway-checkout: ${tarballs.join(', ')}`)
  execFileSync('tar', ['-xzf', create, '-C', folder])
  return { folder, create, command: resolve(folder, 'package/dist/create.js'), libraries }
}

/** Runs the packed command as `npm create` does, without a network: the package has no dependencies. */
export function createByNpm({ folder, create }: Packed, cwd: string, parameters: readonly string[]): string {
  const cache = ['--cache', join(folder, 'cache'), '--offline', '--yes']
  return npm(cwd, ['exec', ...cache, `--package=${create}`, '--', 'create-gateway-checkout', ...parameters])
}

/** Runs the unpacked command without npm, which needs a second to start. */
export function createProject({ command }: Packed, cwd: string, parameters: readonly string[]): string {
  return execFileSync(process.execPath, [command, ...parameters], { cwd, encoding: 'utf8', stdio: 'pipe' })
}

export function npm(cwd: string, parameters: readonly string[]): string {
  return execFileSync('npm', ['--loglevel=error', ...parameters], { cwd, encoding: 'utf8', stdio: 'pipe' })
}
