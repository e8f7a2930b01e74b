/** Verdicts of the commands `prove` and `conformance`, as lines for people and as JUnit XML. */

import { writeFile } from 'node:fs/promises'

import { printable } from '../log/printable.ts'
import { CommandFailure, EXIT } from './shell.ts'

import type { Colour } from '../log/printable.ts'
import type { Shell } from './shell.ts'

interface Verdict {
  name: string
  verdict: keyof typeof LOOKS
  reason: string
  /** What a failure costs, and what to do. */
  advice?: string | null
  ms?: number
}

/** How each verdict is printed, and the JUnit element that reports it. JUnit has none for what was not proven. */
const LOOKS = {
  passed: { mark: '✓', colour: 'green', element: null },
  failed: { mark: '✗', colour: 'red', element: 'failure' },
  skipped: { mark: '-', colour: 'yellow', element: 'skipped' },
  unknown: { mark: '?', colour: 'yellow', element: 'skipped' },
  'not proven': { mark: '?', colour: 'yellow', element: 'skipped' },
} as const satisfies Record<string, { mark: string; colour: Colour; element: 'failure' | 'skipped' | null }>

export const JUNIT_OPTION = {
  junit: { type: 'string', text: 'a file for the verdicts, as JUnit XML' },
} as const

export function printVerdict(shell: Shell, { name, verdict, reason, advice }: Verdict): void {
  const { mark, colour } = LOOKS[verdict]
  const cause = reason && `: ${printable(reason)}`
  shell.print(`${mark} ${name}${cause}${advice ? `\n    ${advice}` : ''}`, colour)
}

/** Returns, for example, "3 passed, 1 failed", with the verdicts in the order of `words`. */
export function countVerdicts(verdicts: readonly Verdict[], words: readonly Verdict['verdict'][]): string {
  return words
    .map((word) => `${verdicts.filter(({ verdict }) => verdict === word).length} ${word}`)
    .join(', ')
}

/** Writes the file of the option `--junit`, if there is one. */
export async function writeJunit(path: string | undefined, suite: string, verdicts: readonly Verdict[]) {
  if (path === undefined) {
    return
  }

  const cases = verdicts.map(({ name, verdict, reason, advice, ms }) => {
    const { element } = LOOKS[verdict]
    const result = element && `<${element} message="${xml([reason, advice ?? ''].join(' ').trim())}"/>`
    const time = ms === undefined ? '' : ` time="${ms / 1000}"`
    return `  <testcase classname="${suite}" name="${xml(name)}"${time}>${result ?? ''}</testcase>\n`
  })
  const countOf = (wanted: string) => verdicts.filter((each) => LOOKS[each.verdict].element === wanted).length
  const counts = `tests="${verdicts.length}" failures="${countOf('failure')}" skipped="${countOf('skipped')}"`
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="${suite}" ${counts}>\n${cases.join('')}</testsuite>\n`
  await writeFile(path, text).catch((cause: unknown) => {
    throw new CommandFailure(EXIT.cannotWrite, `${path} cannot be written.`, { cause })
  })
}

function xml(text: string): string {
  return printable(text).replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
