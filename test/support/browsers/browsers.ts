// The run fails if a browser is missing, because skipped tests would look passed.

import { existsSync } from 'node:fs'
import { chromium } from 'playwright'

import { installWithApt, onPath, run } from '../debian.ts'
import { chromiumFromNpm } from './chromium-from-npm.ts'

export const ENGINES = ['chromium', 'firefox', 'webkit'] as const
export type Engine = (typeof ENGINES)[number]

/** The engine of Chromium without the windows around its pages, which take more than half of the processor's time. */
export const SHELL = 'chromium-headless-shell'
export type InstalledBrowser = Engine | typeof SHELL

interface Source {
  variable: string
  commands: string[]
  packages: string[]
  needs?: string
  playwright?: () => string
  npm?: () => Promise<string | undefined>
  /** Used where this browser cannot be installed. */
  instead?: Engine
}

const SOURCES: Record<InstalledBrowser, Source> = {
  chromium: {
    variable: 'CHROME_PATH',
    commands: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
    packages: ['chromium'],
    playwright: () => chromium.executablePath(),
    npm: chromiumFromNpm,
  },
  [SHELL]: {
    variable: 'CHROME_SHELL_PATH',
    commands: [SHELL, 'chrome-headless-shell'],
    packages: [SHELL],
    instead: 'chromium',
  },
  firefox: { variable: 'FIREFOX_PATH', commands: ['firefox-esr', 'firefox'], packages: ['firefox-esr'] },
  // WebKitGTK's driver finds the browser. The browser has no headless mode and needs a virtual screen.
  webkit: {
    variable: 'WEBKIT_DRIVER_PATH',
    commands: ['WebKitWebDriver'],
    packages: ['webkit2gtk-driver', 'xvfb'],
    needs: 'Xvfb',
  },
}

/** Returns the path of a browser. Installs the browser if it is missing. */
export async function browserPath(engine: InstalledBrowser): Promise<string> {
  const { variable, packages, instead } = SOURCES[engine]
  if (find(engine) === undefined) {
    installWithApt(packages)
  }

  const found = find(engine) ?? (await (instead ? browserPath(instead) : withoutApt(engine)))
  if (found === undefined) {
    throw new Error(
      `No ${engine} to test in, and none could be installed: run apt-get install ${packages.join(' ')} as root, or set ${variable} to its path.`,
    )
  }

  process.env[variable] = found
  return found
}

function find(engine: InstalledBrowser): string | undefined {
  const { variable, commands, needs, playwright } = SOURCES[engine]
  if (needs && !onPath(needs)) {
    return undefined
  }

  const named = process.env[variable] ?? ''
  if (existsSync(named)) {
    return named
  }

  const own = playwright?.() ?? ''
  return commands.map(onPath).find(Boolean) ?? (existsSync(own) ? own : undefined)
}

async function withoutApt(engine: InstalledBrowser): Promise<string | undefined> {
  const { playwright, npm } = SOURCES[engine]
  if (playwright && run('npx', ['playwright', 'install', engine])) {
    return find(engine)
  }
  return npm?.()
}
