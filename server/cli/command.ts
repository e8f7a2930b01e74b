/**
 * Turns the declaration of a command into its help and the parsing of its arguments. Also asks whether to go on, before
 * something that may not happen by mistake; `--yes` is the answer.
 */

import { parseArgs } from 'node:util'

import { readConfig } from '../config/config.ts'
import { CommandFailure, EXIT } from './shell.ts'

import type { Config } from '../config/config.ts'
import type { Shell } from './shell.ts'

/** The options of a command by name. A `multiple` option may be repeated. */
type Options = Readonly<
  Record<string, { type: 'string' | 'boolean'; multiple?: boolean; default?: string; text: string }>
>
/** The values of the options by name. */
type Values<O extends Options> = ReturnType<
  typeof parseArgs<{ options: O; allowPositionals: true }>
>['values']

interface Declaration<O extends Options> {
  /** What the command does, in the help. */
  text: string
  /** The names of the arguments, such as `<method> <path>`. One in brackets, such as `[<order>]`, may be missing. */
  takes?: string
  options?: O
  /** Arguments of the command, for the help. An empty text is the command alone. */
  examples: readonly string[]
  /** Runs the command with its arguments, as many as `takes` names. One that is missing is `undefined`. */
  run(shell: Shell, options: Values<O>, ...words: string[]): Promise<void> | void
}

export interface Command {
  text: string
  helpOf(name: string): string
  /** @throws {CommandFailure} if the arguments are not those of the command. */
  run(shell: Shell, args: string[]): Promise<void> | void
}

export const JSON_OPTION = { json: { type: 'boolean', text: 'print the result as JSON' } } as const
export const YES_OPTION = {
  yes: { type: 'boolean', text: 'go on without asking' },
} as const

type YesOption = { yes?: boolean | undefined }

/** Declares a command. */
export function command<const O extends Options>(declaration: Declaration<O>): Command {
  const { text, takes = '', options, examples } = declaration
  const most = takes.split('<').length - 1
  const least = most - (takes.split('[<').length - 1)
  return {
    text,
    helpOf(name) {
      const lines = Object.entries(options ?? {}).map(([option, { type, text: purpose }]) =>
        entry(`  --${option}${type === 'string' ? ' <value>' : ''}`, OPTION_COLUMN, purpose),
      )
      const commands = examples.map(
        (example) =>
          `  ${fold(`gateway-checkout-server ${name} ${example}`.trimEnd().split(/ (?=--)/), EXAMPLE_COLUMNS, ' \\\n    ')}`,
      )
      const usage = `Usage: gateway-checkout-server ${name} ${takes}${lines.length > 0 ? ' [options]' : ''}`
      return [
        usage,
        '',
        paragraph(text),
        '',
        'Options:',
        ...lines,
        '  --help',
        '',
        'Examples:',
        ...commands,
      ].join('\n')
    },
    run(shell, args) {
      const { values, positionals } = parse(args, options)
      if (positionals.length < least || positionals.length > most) {
        throw wrongUsage(`The arguments are: ${takes || 'none'}.`)
      }
      return declaration.run(shell, values, ...positionals)
    },
  }
}

/** The width of the help, in characters. */
const COLUMNS = 100
/** Where the purpose of an option begins. */
const OPTION_COLUMN = 26
/** The width of a line of an example, without its indentation and the backslash at its end. */
const EXAMPLE_COLUMNS = COLUMNS - 6

/** Returns a text whose lines fit the help. */
export function paragraph(text: string): string {
  return fold(text.split(' '), COLUMNS, '\n')
}

/** Returns a name and its meaning, which begins in `column`, also in further lines. */
export function entry(name: string, column: number, meaning: string): string {
  return name.padEnd(column) + fold(meaning.split(' '), COLUMNS - column, `\n${' '.repeat(column)}`)
}

/** Joins words by spaces, and by `newLine` where a line would have more than `width` characters. */
function fold(words: readonly string[], width: number, newLine: string): string {
  const lines: string[] = []
  for (const word of words) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${line} ${word}`
    } else {
      lines.push(word)
    }
  }

  return lines.join(newLine)
}

function parse<const O extends Options>(args: string[], options: O | undefined) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const message = String(error instanceof Error ? error.message : error)
    const [, option] = /'(--[\w-]+)' argument is ambiguous/.exec(message) ?? []
    if (option !== undefined) {
      throw wrongUsage(`${option} has no value: write one with a dash as ${option}=-…`)
    }
    // The first sentence of Node's message says what is wrong: "Unknown option '--verbose'".
    throw wrongUsage(`${message.split('. ')[0]}.`)
  }
}

export function wrongUsage(message: string): CommandFailure {
  return new CommandFailure(EXIT.usage, `${message} (--help shows the usage)`)
}

/**
 * In production, asks whether to go on. In the sandbox and in a rehearsal, where no real money moves, does nothing.
 *
 * @param action What the command will do, such as "Sends 3 payouts".
 * @throws {CommandFailure} if the person declines, or there is nobody to ask and no `--yes`.
 */
export async function askInProduction(
  shell: Shell,
  action: string,
  { yes }: YesOption,
  config: Config = readConfig(shell.env),
): Promise<void> {
  if (config.environment !== 'production' || config.isRehearsal) {
    return
  }

  await confirm(shell, `${action} in production`, { yes })
}

/**
 * Asks whether to go on.
 *
 * @throws {CommandFailure} if the person declines, or there is nobody to ask and no `--yes`.
 */
export async function confirm(shell: Shell, action: string, { yes }: YesOption): Promise<void> {
  if (yes) {
    return
  }

  const answer = await shell.ask(`${action}. Go on? [y/N] `)
  if (answer === null) {
    throw new CommandFailure(EXIT.usage, `${action}: pass --yes to confirm, since nobody can be asked.`)
  }
  if (!/^y(es)?$/i.test(answer.trim())) {
    throw new CommandFailure(EXIT.refused, 'Nothing was done.')
  }
}
