/** The command `recover`: makes a restored store usable. */

import { readConfig } from '../config/config.ts'
import { recoverStore } from '../store/open.ts'
import { command } from './command.ts'
import { CommandFailure, EXIT } from './shell.ts'
import { explainFailure, lastingPlaceOf, withStore } from './store.ts'

import type { Config } from '../config/config.ts'
import type { Shell } from './shell.ts'

export const recover = command({
  text: 'make a restored store usable: ask the gateway before anything is sent',
  options: {
    compared: {
      type: 'boolean',
      text: 'say that a person has compared the recovered store with the merchant portal',
    },
  },
  examples: ['', '--compared'],
  async run(shell, { compared }) {
    const config = readConfig(shell.env)
    lastingPlaceOf(config)
    if (compared) {
      return confirmCompared(shell, config)
    }

    const recovery = await explainFailure(() => recoverStore(config.storeUrl, shell.clock.now()))
    const { asked, unsent, knownUntil } = recovery
    shell.print(`Transactions about which the server will ask the gateway: ${asked}.
Not sent when the store was copied: ${unsent}. Of these, charges and airtime are never sent.`)
    if (knownUntil !== null) {
      shell.print(
        `Not in the store: transactions since ${new Date(knownUntil).toISOString()}. Compare with the merchant portal.`,
      )
    }
    if (config.charges?.statusPath?.includes(':charge_request_id')) {
      shell.print(
        'This gateway finds charges only by its own id. Charges and prompts start again once you have compared the store with the merchant portal, and run "recover --compared".',
      )
    }

    shell.print('Start the server. After five minutes, list what a person has to check:')
    for (const kind of ['payouts', 'charges', 'airtime']) {
      shell.print(`  gateway-checkout-server api GET '/api/${kind}?outcome=needs_attention'`)
    }
  },
})

/**
 * Charges and prompts that the store has lost cannot be found at a gateway that finds charges only by its own id. The
 * server starts none until a person has compared them.
 */
async function confirmCompared(shell: Shell, config: Config): Promise<void> {
  await withStore(config, async (store) => {
    const { recovered } = await store.marks()
    if (recovered === null) {
      throw new CommandFailure(EXIT.refused, 'The store was never recovered: there is nothing to compare.')
    }

    await store.saveCompared(shell.clock.now())
  })
  shell.print('Charges and prompts can be started again.')
}
