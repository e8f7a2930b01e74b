/**
 * Finds the browsers to test in, or installs them, so that the test command is all a bare machine needs.
 *
 * An engine that can be neither found nor installed fails the run: a skipped browser test looks like a passed one.
 */

import { existsSync } from 'node:fs'
import { chromium } from 'playwright'
import { chromiumFromNpm } from './browsers/chromium-from-npm.ts'
import { installWithApt, onPath, run } from './debian.ts'

export const ENGINES = ['chromium', 'firefox', 'webkit'] as const
export type Engine = (typeof ENGINES)[number]

interface Source {
  /** The environment variable that names an executable, and remembers the one found. */
  variable: string
  /** Names that systems give it. */
  commands: string[]
  /** Debian packages. */
  packages: string[]
  /** Another command that it does not run without. */
  needs?: string
  /** Where playwright would have put its own. */
  playwright?: () => string
  /** The last resort: a binary that the npm registry carries. */
  npm?: () => Promise<string | undefined>
}

const SOURCES: Record<Engine, Source> = {
  chromium: {
    variable: 'CHROME_PATH',
    commands: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
    packages: ['chromium'],
    playwright: () => chromium.executablePath(),
    npm: chromiumFromNpm,
  },
  firefox: {
    variable: 'FIREFOX_PATH',
    commands: ['firefox-esr', 'firefox'],
    packages: ['firefox-esr'],
  },
  // WebKitGTK's driver knows where its browser is, which has no headless mode: it needs a screen that nobody sees.
  webkit: {
    variable: 'WEBKIT_DRIVER_PATH',
    commands: ['WebKitWebDriver'],
    packages: ['webkit2gtk-driver', 'xvfb'],
    needs: 'Xvfb',
  },
}

/**
 * The path of each engine's executable. It is left in the engine's environment variable, because the
 * configuration may be loaded more than once and test workers are processes of their own.
 */
export async function browsers(): Promise<Record<Engine, string>> {
  const missing = ENGINES.filter((engine) => find(engine) === undefined)
  installWithApt(missing.flatMap((engine) => SOURCES[engine].packages))
  return { chromium: await path('chromium'), firefox: await path('firefox'), webkit: await path('webkit') }
}

async function path(engine: Engine): Promise<string> {
  const { variable, packages } = SOURCES[engine]
  const found = find(engine) ?? (await withoutApt(engine))
  if (found === undefined) {
    throw new Error(
      `No ${engine} to test in, and none could be installed: run apt-get install ${packages.join(' ')} as root, or set ${variable} to its path.`,
    )
  }
  process.env[variable] = found
  return found
}

function find(engine: Engine): string | undefined {
  const { variable, commands, needs, playwright } = SOURCES[engine]
  if (needs && !onPath(needs)) return undefined
  const named = process.env[variable] ?? ''
  if (existsSync(named)) return named
  const own = playwright?.() ?? ''
  return commands.map(onPath).find(Boolean) ?? (existsSync(own) ? own : undefined)
}

async function withoutApt(engine: Engine): Promise<string | undefined> {
  const { playwright, npm } = SOURCES[engine]
  if (playwright && run('npx', ['playwright', 'install', engine])) return find(engine)
  return npm?.()
}
