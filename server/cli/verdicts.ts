/** Verdicts of the commands `prove` and `conformance`, for people and as JUnit XML. */

import type { Colour } from '../log/printable.ts'
import type { Shell } from './shell.ts'
import { writeFile } from 'node:fs/promises'
import { printable } from '../log/printable.ts'
import { CommandFailure, EXIT } from './shell.ts'

interface Verdict {
  name: string
  verdict: keyof typeof MARKS
  reason: string
  /** What a failure costs, and what to do. */
  advice?: string | null
  ms?: number
}

const MARKS = {
  passed: ['✓', 'green', null],
  failed: ['✗', 'red', 'failure'],
  skipped: ['-', 'yellow', 'skipped'],
  unknown: ['?', 'yellow', 'skipped'],
  'not proven': ['?', 'yellow', 'skipped'],
} as const satisfies Record<string, [mark: string, colour: Colour, tag: 'failure' | 'skipped' | null]>

export const JUNIT_OPTION = {
  junit: { type: 'string', text: 'a file for the verdicts, as JUnit XML' },
} as const

export function printVerdict(shell: Shell, { name, verdict, reason, advice }: Verdict): void {
  const [mark, colour] = MARKS[verdict]
  const why = reason && `: ${printable(reason)}`
  shell.print(`${mark} ${name}${why}${advice ? `\n    ${advice}` : ''}`, colour)
}

/** Returns, for example, "3 passed, 1 failed". */
export function counted(verdicts: readonly { verdict: string }[], words: readonly string[]): string {
  return words
    .map((word) => `${verdicts.filter(({ verdict }) => verdict === word).length} ${word}`)
    .join(', ')
}

/** Writes the file of the option `--junit`, if there is one. */
export async function writeJunit(path: string | undefined, suite: string, verdicts: readonly Verdict[]) {
  if (path === undefined) return
  const cases = verdicts.map(({ name, verdict, reason, advice, ms }) => {
    const tag = MARKS[verdict][2]
    const inside = tag === null ? '' : `<${tag} message="${xml([reason, advice ?? ''].join(' ').trim())}"/>`
    const time = ms === undefined ? '' : ` time="${ms / 1000}"`
    return `  <testcase classname="${suite}" name="${xml(name)}"${time}>${inside}</testcase>\n`
  })
  const countOf = (tag: string) => verdicts.filter(({ verdict }) => MARKS[verdict][2] === tag).length
  const counts = `tests="${verdicts.length}" failures="${countOf('failure')}" skipped="${countOf('skipped')}"`
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="${suite}" ${counts}>\n${cases.join('')}</testsuite>\n`
  await writeFile(path, text).catch((cause: unknown) => {
    throw new CommandFailure(EXIT.unavailable, `${path} cannot be written.`, { cause })
  })
}

function xml(text: string): string {
  return printable(text).replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
