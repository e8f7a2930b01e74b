/** Asks a person before a command moves money in production. */

import type { Command } from 'commander'
import type { Config } from '../config.ts'
import type { Shell } from './shell.ts'
import { readConfig } from '../config.ts'
import { CommandFailure, EXIT } from './exit-code.ts'

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
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailure(EXIT.refused, 'Nothing was sent.')
}
