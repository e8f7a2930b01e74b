/**
 * Finds a browser to test in, or installs one, so that the test command is all a bare machine needs.
 *
 * A browser that can be neither found nor installed fails the run: a skipped browser test looks like a passed one.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { chromium } from 'playwright'

interface Engine {
  /** The environment variable that names an executable, and remembers the one found. */
  variable: string
  /** Names that systems give it. */
  commands: string[]
  /** Where playwright would have put its own. */
  playwright(): string
  /** Debian packages. */
  packages: string[]
  /** The last resort: a binary that the npm registry carries. */
  npm(): Promise<string | undefined>
}

const ENGINES = {
  chromium: {
    variable: 'CHROME_PATH',
    commands: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
    playwright: () => chromium.executablePath(),
    packages: ['chromium'],
    npm: chromiumFromNpm,
  },
} as const satisfies Record<string, Engine>

/** How every test starts Chromium: as root in a container, and without calling home. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Two browsers' worth of download on a slow line. */
const INSTALL_TIMEOUT_MS = 540_000

/**
 * The path of an engine's executable. It is left in the engine's environment variable, because the
 * configuration is loaded more than once and test workers are processes of their own.
 */
export async function browser(name: keyof typeof ENGINES): Promise<string> {
  const engine: Engine = ENGINES[name]
  const path = find(engine) ?? install(name, engine) ?? (await engine.npm())
  if (path === undefined) {
    throw new Error(
      `No ${name} to test in, and none could be installed. Install one, or set ${engine.variable} to its path.`,
    )
  }
  process.env[engine.variable] = path
  return path
}

function find(engine: Engine): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const onPath = engine.commands.flatMap((command) => folders.map((folder) => join(folder, command)))
  return [process.env[engine.variable] ?? '', ...onPath, engine.playwright()].find((path) => existsSync(path))
}

function install(name: string, engine: Engine): string | undefined {
  const apt = ['-o', 'DPkg::Lock::Timeout=300', '-y', '--no-install-recommends']
  const isRoot = process.getuid?.() === 0
  if (
    isRoot &&
    run('apt-get', [...apt, 'update']) &&
    run('apt-get', [...apt, 'install', ...engine.packages])
  ) {
    return find(engine)
  }
  return run('npx', ['playwright', 'install', name]) ? find(engine) : undefined
}

/** A headless Chromium that brings the libraries it needs, for machines without apt or the rights to use it. */
async function chromiumFromNpm(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const folder = join(process.cwd(), 'node_modules/.cache/npm-chromium')
  const manifest = join(folder, 'package.json')
  const libraries = join(folder, 'al2023/lib')
  if (!existsSync(libraries)) {
    mkdirSync(join(folder, 'al2023'), { recursive: true })
    writeFileSync(manifest, '{"private":true}')
    const options = ['--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts']
    if (!run('npm', ['install', ...options, '@sparticuz/chromium@147.0.0'])) return undefined
    const packed = join(folder, 'node_modules/@sparticuz/chromium/bin/al2023.tar.br')
    writeFileSync(join(folder, 'al2023.tar'), brotliDecompressSync(readFileSync(packed)))
    if (!run('tar', ['xf', join(folder, 'al2023.tar'), '-C', join(folder, 'al2023')])) return undefined
  }
  process.env.LD_LIBRARY_PATH = [libraries, process.env.LD_LIBRARY_PATH ?? ''].filter(Boolean).join(delimiter)
  const entry = createRequire(manifest).resolve('@sparticuz/chromium')
  const carrier: { default: { executablePath(): Promise<string> } } = await import(pathToFileURL(entry).href)
  return carrier.default.executablePath()
}

function run(command: string, parameters: string[]): boolean {
  console.error(`[browsers] ${command} ${parameters.join(' ')}`)
  const { status } = spawnSync(command, parameters, {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: INSTALL_TIMEOUT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return status === 0
}
