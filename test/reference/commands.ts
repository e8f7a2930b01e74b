import { PassThrough } from 'node:stream'
import type { Command, Option } from 'commander'
import type { ReferenceTable } from '../../server/routes/docs/reference-tables.ts'
import { createProgram } from '../../server/cli/program.ts'
import { createShell } from '../../server/cli/shell.ts'
import { systemClock } from '../../server/clock.ts'

/** A list of more choices than these is in the help of its command. */
const MOST_CHOICES = 4

/** A row for each command that does something, with its arguments and options as the command line declares them. */
export function commandsTable(): ReferenceTable {
  const stream = new PassThrough()
  const shell = createShell({
    env: {},
    stdin: stream,
    stdout: stream,
    stderr: stream,
    signals: process,
    exit: () => undefined,
    clock: systemClock,
  })
  return { id: 'Commands', title: 'Commands', rows: leavesOf(createProgram(shell), '').map(rowOf) }
}

interface Leaf {
  path: string
  command: Command
}

function leavesOf(command: Command, path: string): Leaf[] {
  if (command.commands.length === 0) return [{ path, command }]
  return command.commands.flatMap((each) => leavesOf(each, `${path} ${each.name()}`.trim()))
}

function rowOf({ path, command }: Leaf): ReferenceTable['rows'][number] {
  const words = command.usage().replace('[options]', '').trim()
  const options = command.options.map(({ flags, mandatory }) => (mandatory ? flags : `[${flags}]`))
  return {
    name: [path, words, ...options].filter(Boolean).join(' '),
    text: [
      sentence(command.description()),
      ...command.registeredArguments.map(
        ({ description, argChoices }, index) =>
          `\`${words.split(' ')[index]}\`: ${detailed(description, argChoices)}`,
      ),
      // Every command with results has this option; the text above the table explains it.
      ...command.options
        .filter(({ long }) => long !== '--json')
        .map((option) => `\`${option.flags}\`: ${detailed(option.description, option.argChoices, option)}`),
    ].join('\n'),
  }
}

function detailed(text: string, choices: readonly string[] = [], option?: Option): string {
  const { defaultValue: fallback, mandatory = false } = option ?? {}
  const hasFallback = typeof fallback === 'string' || typeof fallback === 'number'
  const isShort = choices.length > 0 && choices.length <= MOST_CHOICES
  return [
    text.replaceAll(/<\w+>/g, code) + (isShort ? ` (${choices.map(code).join(' or ')})` : ''),
    ...(hasFallback ? [`default: ${code(String(fallback))}`] : []),
    ...(mandatory ? ['required'] : []),
  ].join('; ')
}

function code(text: string): string {
  return `\`${text}\``
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}
