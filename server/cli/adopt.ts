/** The command `adopt`: takes over the store of a merchant whose account numbers have all changed. */

import { readConfig } from '../config/config.ts'
import { OtherMerchantError } from '../store/errors.ts'
import { adoptMerchant } from '../store/merchant.ts'
import { askInProduction, command, YES_OPTION } from './command.ts'
import { CommandFailure } from './shell.ts'
import { withStore } from './store.ts'

/**
 * For a merchant whose account numbers have all changed. It changes the numbers in the store, and no transaction.
 * Servers may therefore run meanwhile, and adopting with the previous configuration reverses a mistake.
 */
export const adopt = command({
  text: 'take over the transactions in the store, after all numbers in GATEWAY_ACCOUNT_NUMBER have changed',
  options: YES_OPTION,
  examples: [''],
  async run(shell, options) {
    const config = readConfig(shell.env)
    try {
      await withStore(config, async () => null)
      return shell.print('There is nothing to adopt: the store has no transactions of another merchant.')
    } catch (error) {
      if (!(error instanceof CommandFailure && error.cause instanceof OtherMerchantError)) {
        throw error
      }

      shell.print(error.message)
    }

    await askInProduction(shell, 'Adopts these transactions', options, config)
    await withStore(config, async () => null, adoptMerchant)
    shell.print('Adopted: they are the transactions of the configured merchant.')
  },
})
