/** Functions that declare commands, and functions that print the results of commands. */

import type { Command } from 'commander'
import type { Shell } from './shell.ts'
import { printableJson } from '../printable.ts'

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
