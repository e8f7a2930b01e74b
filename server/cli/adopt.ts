/**
 * The command `adopt`, for a merchant whose account numbers have all changed. It changes the numbers in the store, and
 * no transaction. Servers may therefore run meanwhile, and adopting with the previous configuration reverses a mistake.
 */

import type { Command } from 'commander'
import type { ConfirmOptions } from './command.ts'
import type { Shell } from './shell.ts'
import { readConfig } from '../config.ts'
import { OtherMerchantError } from '../store.ts'
import { addCommand, addYes, confirmInProduction } from './command.ts'
import { CommandFailure } from './exit-code.ts'
import { openConfiguredStore, refuseMemory } from './open-store.ts'

export function addAdopt(program: Command, shell: Shell): void {
  const text =
    'take over the transactions in the store, after all numbers in GATEWAY_ACCOUNT_NUMBER have changed'
  addYes(addCommand(program, 'adopt', text, 'adopt')).action(async (options: ConfirmOptions) => {
    const config = readConfig(shell.env)
    refuseMemory(config)
    const open = async (isAdoption: boolean) =>
      (await openConfiguredStore(config, { isCommand: true }, isAdoption)).close()
    try {
      await open(false)
      return shell.print('There is nothing to adopt: the store has no transactions of another merchant.')
    } catch (error) {
      if (!(error instanceof CommandFailure && error.cause instanceof OtherMerchantError)) throw error
      shell.print(error.message)
    }
    await confirmInProduction(shell, 'Adopts these transactions', options, config)
    await open(true)
    shell.print('Adopted: they are the transactions of the configured merchant.')
  })
}
