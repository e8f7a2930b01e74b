import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { installWithApt, onPath, run } from '../support/debian.ts'

interface Language {
  command: string
  extension: string
  commands: string[]
  packages: string[]
}

const SOURCES = {
  curl: {
    command: 'sh',
    extension: 'sh',
    commands: ['sh', 'curl', 'openssl'],
    packages: ['curl', 'openssl', 'ca-certificates'],
  },
  php: { command: 'php', extension: 'php', commands: ['php'], packages: ['php-cli'] },
  python: { command: 'python3', extension: 'py', commands: ['python3'], packages: ['python3'] },
  javascript: { command: process.execPath, extension: 'mjs', commands: [], packages: [] },
} as const satisfies Record<string, Language>

export const LANGUAGES = ['curl', 'php', 'python', 'javascript'] as const
export const OFFICE_LANGUAGES = ['curl', 'javascript'] as const
// Go is not installed for the tests: its packages are larger than those of all other languages together.
export const WEBHOOK_LANGUAGES = [...LANGUAGES, ...(onPath('go') ? (['go'] as const) : [])] as const
export type LanguageName = (typeof WEBHOOK_LANGUAGES)[number]

export function exampleOf(language: LanguageName, name: string): [command: string, ...args: string[]] {
  if (language === 'go') {
    return [builtWithGo(name)]
  }
  const { command, extension } = SOURCES[language]
  return [command, `server/examples/${language}/${name}.${extension}`]
}

const programs = new Map<string, string>()

function builtWithGo(name: string): string {
  const program = programs.get(name) ?? join(mkdtempSync(join(tmpdir(), 'go-')), name)
  if (!programs.has(name)) {
    execFileSync('go', ['build', '-o', program, `server/examples/go/${name}.go`])
  }
  programs.set(name, program)
  return program
}

// Throws if a language is missing, because skipped examples would look passed.
export function installLanguages(): void {
  installWithApt(missing().flatMap((language) => SOURCES[language].packages))
  const packages = missing().flatMap((language) => SOURCES[language].packages)
  if (packages.length > 0) {
    throw new Error(
      `No ${missing().join(', ')} to run the examples in, and none could be installed: run apt-get install ${packages.join(' ')} as root.`,
    )
  }
}

let hasTestRunners = false

/** Installs what runs the tests of the guide Testing, as far as Debian has it. */
export function installTestRunners(): void {
  if (hasTestRunners) {
    return
  }
  hasTestRunners = true
  installLanguages()
  const hasPytest = run('python3', ['-c', 'import pytest'])
  installWithApt([...(hasPytest ? [] : ['python3-pytest']), ...(onPath('phpunit') ? [] : ['phpunit'])])
}

function missing() {
  return LANGUAGES.filter((language) => SOURCES[language].commands.some((command) => !onPath(command)))
}
