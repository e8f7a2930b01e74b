/** The command `sandbox`: runs the sandbox gateway without the server. */

import type { Command } from 'commander'
import type { Shell } from './shell.ts'
import { InvalidArgumentError, Option } from 'commander'
import { addCommand } from './command.ts'
import { CommandFailure, EXIT } from './exit-code.ts'

export function addSandbox(program: Command, shell: Shell): void {
  addCommand(
    program,
    'sandbox',
    'run a local payment gateway for tests; no real money moves',
    'sandbox --port 4010',
  )
    .addOption(new Option('--port <port>', 'the port; 0 for any free port').default(4010).argParser(readPort))
    .action(({ port }: { port: number }) => startSandbox(shell, port))
}

/** Starts the sandbox and resolves when it is listening. The sandbox runs until the process ends. */
async function startSandbox(shell: Shell, port: number): Promise<void> {
  const sandbox = await import('../../demo/sandbox/index.ts')
  const { url } = await sandbox.startSandbox({ port }).catch((cause: unknown) => {
    throw new CommandFailure(EXIT.unavailable, `The sandbox cannot listen on port ${port}.`, { cause })
  })
  shell.print(`The sandbox gateway listens on ${url}: no real money moves.`)
  shell.print('Merchant: consumer key sandbox-key, secret sandbox-secret, account ACC-001.')
  shell.print('Services: CHECKOUT-KES, CHECKOUT-UGX, PAYOUT-KES, IMT-KES, B2B-KES.')
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port >= 0 && port <= 65_535) return port
  throw new InvalidArgumentError('The port must be a number from 0 to 65535.')
}
