import { installWithApt, onPath } from '../support/debian.ts'

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
export type LanguageName = (typeof LANGUAGES)[number]

export function exampleOf(language: LanguageName, name: string): [command: string, path: string] {
  const { command, extension } = SOURCES[language]
  return [command, `server/examples/${language}/${name}.${extension}`]
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

function missing(): LanguageName[] {
  return LANGUAGES.filter((language) => SOURCES[language].commands.some((command) => !onPath(command)))
}
