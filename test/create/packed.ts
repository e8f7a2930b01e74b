import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { join, resolve } from 'node:path'

/** The paths of the packages that `npm pack` has made of the last build. */
export interface Packed {
  folder: string
  create: string
  /** The path of the command in the unpacked package `create`. */
  command: string
  libraries: readonly [widget: string, server: string]
}

let packed: Packed | undefined

/** Packs once per worker, because files of tests share it. */
export function packAll(): Packed {
  return (packed ??= pack(resolve(`node_modules/.cache/packed-${process.env.VITEST_POOL_ID}`)))
}

function pack(folder: string): Packed {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const workspaces = ['widget', 'server', 'demo/create'].flatMap((name) => ['--workspace', name])
  npm('.', ['pack', ...workspaces, '--pack-destination', folder])
  const tarballs = readdirSync(folder).toSorted()
  const [create, widget, server] = tarballs.map((name) => join(folder, name))
  if (!create?.includes('create-') || !widget || !server) throw new Error(`Packed: ${tarballs.join(', ')}`)
  execFileSync('tar', ['-xzf', create, '-C', folder])
  return { folder, create, command: join(folder, 'package/dist/create.js'), libraries: [widget, server] }
}

/** Runs the packed command as `npm create` does, without a network: the package has no dependencies. */
export function createByNpm(cwd: string, parameters: readonly string[]): string {
  const { folder, create } = packAll()
  const cache = ['--cache', join(folder, 'cache'), '--offline', '--yes']
  return npm(cwd, ['exec', ...cache, `--package=${create}`, '--', 'create-gateway-checkout', ...parameters])
}

/** Runs the unpacked command without npm, which needs a second to start. */
export function createProject(cwd: string, parameters: readonly string[]): string {
  const { command } = packAll()
  return execFileSync(process.execPath, [command, ...parameters], { cwd, encoding: 'utf8', stdio: 'pipe' })
}

export function npm(cwd: string, parameters: readonly string[]): string {
  return execFileSync('npm', ['--loglevel=error', ...parameters], { cwd, encoding: 'utf8', stdio: 'pipe' })
}

const SERVER_COMMAND = 'gateway-checkout-server'

/**
 * Installs the packed libraries into `folder` without npm, and links the packages and commands that this repository has
 * installed, but for `absent`.
 */
export function linkModules(folder: string, absent: readonly string[] = []): void {
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  for (const tarball of packAll().libraries) {
    execFileSync('tar', ['-xzf', tarball, '-C', modules])
    const at = join(modules, 'package')
    const { name }: { name: string } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'))
    renameSync(at, join(modules, name))
  }
  // The command is that of the packed server.
  const bin = join(modules, '.bin')
  mkdirSync(bin)
  symlinkSync(`../${SERVER_COMMAND}/dist/cli.js`, join(bin, SERVER_COMMAND))
  chmodSync(join(bin, SERVER_COMMAND), 0o755)
  for (const name of readdirSync('node_modules/.bin').filter((each) => each !== SERVER_COMMAND))
    symlinkSync(resolve('node_modules/.bin', name), join(bin, name))
  for (const from of ['server/node_modules', 'node_modules'].filter((each) => existsSync(each)))
    for (const name of readdirSync(from)) {
      if (absent.includes(name) || readdirSync(modules).includes(name)) continue
      symlinkSync(resolve(from, name), join(modules, name))
    }
}
