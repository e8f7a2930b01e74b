/** What commands share: their declaration, the question before money moves, and their results as text or JSON. */

import type { Command } from 'commander'
import type { Config } from '../config/config.ts'
import type { Shell } from './shell.ts'
import { readConfig } from '../config/config.ts'
import { printableJson } from '../log/printable.ts'
import { CommandFailure, EXIT } from './exit-code.ts'

export interface ResultOptions {
  json?: boolean
}

/**
 * Adds a subcommand to `parent`.
 *
 * @param examples Example arguments of `gateway-checkout-server`, shown in the help text.
 */
export function addCommand(
  parent: Command,
  name: string,
  description: string,
  ...examples: string[]
): Command {
  const lines = examples.map((example) => `  gateway-checkout-server ${example}`)
  return parent
    .command(name)
    .description(description)
    .addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}

/** Adds a subcommand that prints its result as text, or as JSON with `--json`. */
export function addQuery(parent: Command, name: string, description: string, ...examples: string[]): Command {
  return addCommand(parent, name, description, ...examples).option('--json', 'print the result as JSON')
}

/** Prints the result of a command as text. With `--json`, prints `body` as JSON instead. */
export function showResult(shell: Shell, { json }: ResultOptions, body: unknown, asText: () => string): void {
  if (json) showJson(shell, body)
  else shell.print(asText())
}

export function showJson(shell: Shell, body: unknown): void {
  shell.print(printableJson(JSON.stringify(body, null, 2)))
}

export interface ConfirmOptions {
  yes?: boolean
}

export function addYes(command: Command): Command {
  return command.option('--yes', 'do not ask before money moves in production')
}

/**
 * In production, asks whether to go on. In the sandbox and in a rehearsal, where no real money moves, does nothing.
 *
 * @param what What the command will do, such as "Sends 3 payouts".
 * @throws {CommandFailure} if the person declines, or there is nobody to ask and no `--yes`.
 */
export async function confirmInProduction(
  shell: Shell,
  what: string,
  { yes = false }: ConfirmOptions,
  config: Config = readConfig(shell.env),
): Promise<void> {
  if (config.environment !== 'production' || config.isRehearsal || yes) return
  const answer = await shell.ask(`${what} in production. Go on? [y/N] `)
  if (answer === null)
    throw new CommandFailure(
      EXIT.usage,
      `${what} in production: pass --yes to confirm, since nobody can be asked.`,
    )
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailure(EXIT.refused, 'Nothing was done.')
}
