#!/usr/bin/env node
/** The command `npm create gateway-checkout`, which writes a small shop into a new folder. */

import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'

import { version } from './package.json'
import {
  isTemplateName,
  NAMES,
  NotEmptyError,
  refuseUnlessEmpty,
  TEMPLATES,
  writeProject,
} from './write-project.ts'

import type { TemplateName } from './write-project.ts'
import type { Interface } from 'node:readline/promises'

const DEFAULT_FOLDER = 'gateway-checkout-shop'
/** Exit codes, as in sysexits(3); 130 as after Ctrl+C. */
const EXIT = { usage: 64, notEmpty: 73, cancelled: 130 }

const HELP = `Usage: npm create gateway-checkout [folder] -- --template <${NAMES.join('|')}>

Writes a small shop that takes mobile-money payments, with a sandbox to try it, into a new or empty folder.

${NAMES.map((name) => `  ${name.padEnd(9)}${TEMPLATES[name].title}`).join('\n')}
`

class UsageError extends Error {}

async function main(): Promise<void> {
  const { values, positionals } = readArguments()
  if (values.help) {
    return say(HELP)
  }
  if (values.version) {
    return say(`${version}\n`)
  }

  const { template } = values
  if (template !== undefined && !isTemplateName(template)) {
    throw new UsageError(`--template is "${template}", and must be one of ${NAMES.join(', ')}.`)
  }

  const choice = await askForMissing({ template, folder: positionals[0] })
  const { lines } = writeProject({ ...choice, version })
  say(`${lines.join('\n')}\n`)
}

function readArguments() {
  try {
    const parsed = parseArgs({
      allowPositionals: true,
      options: {
        template: { type: 'string', short: 't' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'v' },
      },
    })
    if (parsed.positionals.length > 1) {
      throw new UsageError(`One folder may be given, not ${parsed.positionals.length}.`)
    }
    return parsed
  } catch (error) {
    // Node throws a TypeError for an unknown option.
    throw error instanceof TypeError ? new UsageError(error.message) : error
  }
}

type Arguments = { template: TemplateName | undefined; folder: string | undefined }

/** Asks for the template, and then also for the folder, if there is a terminal. */
async function askForMissing({ template, folder }: Arguments) {
  if (template !== undefined) {
    return { template, folder: folder ?? DEFAULT_FOLDER }
  }
  if (!process.stdin.isTTY) {
    throw new UsageError(
      `--template is missing: one of ${NAMES.join(', ')}. Without a terminal, nobody can be asked.`,
    )
  }

  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const askedFolder = folder ?? (await askFolder(terminal))
    return { folder: askedFolder, template: await askTemplate(terminal) }
  } finally {
    terminal.close()
  }
}

async function askFolder(terminal: Interface): Promise<string> {
  for (;;) {
    const folder = (await terminal.question(`Folder (${DEFAULT_FOLDER}): `)).trim() || DEFAULT_FOLDER
    try {
      refuseUnlessEmpty(folder)
      return folder
    } catch (error) {
      if (!(error instanceof NotEmptyError)) {
        throw error
      }

      say(`${error.message}\n`)
    }
  }
}

async function askTemplate(terminal: Interface): Promise<TemplateName> {
  say(`${NAMES.map((name, index) => `  ${index + 1}  ${TEMPLATES[name].title}`).join('\n')}\n`)
  for (;;) {
    const answer = (await terminal.question('Template (1): ')).trim() || '1'
    const name = NAMES.find((each, index) => answer === each || answer === String(index + 1))
    if (name) {
      return name
    }

    say(`Enter a number from 1 to ${NAMES.length}.\n`)
  }
}

function say(text: string): void {
  process.stdout.write(text)
}

await main().catch((error: unknown) => {
  // Ctrl+C or Ctrl+D at a question.
  if (error instanceof Error && error.name === 'AbortError') {
    say('\nCancelled. Nothing was written.\n')
    process.exitCode = EXIT.cancelled
    return
  }

  const isUsage = error instanceof UsageError
  if (!isUsage && !(error instanceof NotEmptyError)) {
    throw error
  }

  process.stderr.write(`${error.message}\n${isUsage ? `\n${HELP}` : ''}`)
  process.exitCode = isUsage ? EXIT.usage : EXIT.notEmpty
})
