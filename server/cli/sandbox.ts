/** The sandbox alone. */

import type { Shell } from './shell.ts'
import { startSandbox } from '../../demo/sandbox/index.ts'
import { CommandFailure, EXIT } from './exit-code.ts'

/** Resolves once it listens; it runs until the process ends. */
export async function serveSandbox(shell: Shell, port: number): Promise<void> {
  const { url } = await startSandbox({ port }).catch((cause: unknown) => {
    throw new CommandFailure(EXIT.unavailable, `The sandbox cannot listen on port ${port}.`, { cause })
  })
  shell.print(`The sandbox gateway listens on ${url}: no real money moves.`)
  shell.print('Merchant: consumer key sandbox-key, secret sandbox-secret, account ACC-001.')
  shell.print('Services: CHECKOUT-KES, CHECKOUT-UGX, PAYOUT-KES, IMT-KES, B2B-KES.')
}
