import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
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
  /** The folder with the unpacked libraries, by their names. */
  unpacked: string
}

const WORKSPACES = ['widget', 'server', 'demo/create']
const CACHE = resolve('node_modules/.cache/packed')
/** Longer than packing takes: whoever has locked the cache so long has ended. */
const STALE_LOCK_MS = 120_000
const LOCK_PAUSE_MS = 50

let packed: Packed | undefined

/** Packs once for all workers and runs: the folder is named after the content of the packages. */
export function packAll(): Packed {
  return (packed ??= describePacked(packOnce(join(CACHE, contentHash()))))
}

function contentHash(): string {
  const hash = createHash('sha256')
  for (const workspace of WORKSPACES) {
    const entries = readdirSync(workspace, { recursive: true, withFileTypes: true })
    const paths = entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : []))
    for (const path of paths.filter((each) => !each.includes('node_modules')).toSorted()) {
      hash.update(`${path}\0`).update(readFileSync(path)).update('\0')
    }
  }

  return hash.digest('hex').slice(0, 16)
}

/** Makes `folder` if it does not exist. A worker that finds the cache locked waits for the other. */
function packOnce(folder: string): string {
  const lock = `${CACHE}.lock`
  mkdirSync(resolve(CACHE, '..'), { recursive: true })
  while (!existsSync(folder)) {
    if (!locks(lock)) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_PAUSE_MS)
      continue
    }

    try {
      if (!existsSync(folder)) {
        pack(folder)
      }
    } finally {
      rmdirSync(lock)
    }
  }

  return folder
}

/** Returns whether this process has got the lock. */
function locks(lock: string): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    const { mtimeMs = Date.now() } = statSync(lock, { throwIfNoEntry: false }) ?? {}
    if (Date.now() - mtimeMs > STALE_LOCK_MS) {
      rmSync(lock, { recursive: true, force: true })
    }
    return false
  }
}

function pack(folder: string): void {
  rmSync(CACHE, { recursive: true, force: true })
  const draft = `${folder}.draft`
  const modules = join(draft, 'unpacked')
  mkdirSync(modules, { recursive: true })
  const workspaces = WORKSPACES.flatMap((name) => ['--workspace', name])
  npm('.', ['pack', ...workspaces, '--pack-destination', draft])
  const { create, libraries } = describePacked(draft)
  execFileSync('tar', ['-xzf', create, '-C', draft])
  for (const tarball of libraries) {
    execFileSync('tar', ['-xzf', tarball, '-C', modules])
    const at = join(modules, 'package')
    const { name }: { name: string } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'))
    renameSync(at, join(modules, name))
  }

  renameSync(draft, folder)
}

function describePacked(folder: string): Packed {
  const tarballs = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  const [create, widget, server] = tarballs.toSorted().map((name) => join(folder, name))
  if (!create?.includes('create-') || !widget || !server) {
    throw new Error(`Packed: ${tarballs.join(', ')}`)
  }

  return {
    folder,
    create,
    command: join(folder, 'package/dist/create.js'),
    libraries: [widget, server],
    unpacked: join(folder, 'unpacked'),
  }
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
  cpSync(packAll().unpacked, modules, { recursive: true })
  // The command is that of the packed server.
  const bin = join(modules, '.bin')
  mkdirSync(bin)
  symlinkSync(`../${SERVER_COMMAND}/dist/cli.js`, join(bin, SERVER_COMMAND))
  chmodSync(join(bin, SERVER_COMMAND), 0o755)
  for (const name of readdirSync('node_modules/.bin').filter((each) => each !== SERVER_COMMAND)) {
    symlinkSync(resolve('node_modules/.bin', name), join(bin, name))
  }

  const present = new Set([...readdirSync(modules), ...absent])
  for (const from of ['server/node_modules', 'node_modules'].filter((each) => existsSync(each))) {
    for (const name of readdirSync(from)) {
      if (present.has(name)) {
        continue
      }

      present.add(name)
      symlinkSync(resolve(from, name), join(modules, name))
    }
  }
}
