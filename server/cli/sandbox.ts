/** The command `sandbox`, which runs a local payment gateway for tests. */

import type { Command } from 'commander'
import type { Shell } from './shell.ts'
import { InvalidArgumentError, Option } from 'commander'
import { addCommand } from './command.ts'
import { CommandFailure, EXIT } from './exit-code.ts'

interface SandboxOptions {
  port: number
  allowHost: string[]
  charges: 'spec' | 'flat'
}

/** For each way to serve charges, the variables of a server that uses this sandbox. */
const CHARGE_VARIABLES = {
  spec: 'GATEWAY_CHARGE_PATH=/v1/charges',
  flat: 'GATEWAY_CHARGE_PATH=/v1/mobile-money/charge (or /v1/cards/charge), GATEWAY_CHARGE_STATUS_PATH=/v1/transaction/:charge_request_id/status',
} as const satisfies Record<SandboxOptions['charges'], string>

export function addSandbox(program: Command, shell: Shell): void {
  addCommand(
    program,
    'sandbox',
    'run a local payment gateway for tests; no real money moves',
    'sandbox --port 4010',
  )
    .addOption(new Option('--port <port>', 'the port; 0 for any free port').default(4010).argParser(readPort))
    .option(
      '--allow-host <host>',
      'a name under which the sandbox is reached, beside localhost; may be repeated',
      addHost,
      [],
    )
    .addOption(
      new Option(
        '--charges <dialect>',
        'how charges are served: like checkouts, or as one flat payment record under other paths',
      )
        .choices(['spec', 'flat'])
        .default('spec'),
    )
    .action((options: SandboxOptions) => startSandbox(shell, options))
}

/** Starts the sandbox gateway, which runs until the process ends. Resolves when the sandbox gateway listens. */
async function startSandbox(shell: Shell, { port, allowHost, charges }: SandboxOptions): Promise<void> {
  const sandbox = await import('../../demo/sandbox/index.ts')
  const options = { port, hosts: allowHost, charges }
  const { url } = await sandbox.startSandbox(options).catch((cause: unknown) => {
    throw new CommandFailure(EXIT.unavailable, `The sandbox cannot listen on port ${port}.`, { cause })
  })
  shell.print(`The sandbox gateway listens on ${url}: no real money moves.`)
  shell.print('Merchant: consumer key sandbox-key, secret sandbox-secret, account ACC-001.')
  shell.print('Services: CHECKOUT-KES, CHECKOUT-UGX, PAYOUT-KES, IMT-KES, B2B-KES.')
  shell.print(`Charges: ${CHARGE_VARIABLES[charges]}.`)
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port >= 0 && port <= 65_535) return port
  throw new InvalidArgumentError('The port must be a number from 0 to 65535.')
}

function addHost(text: string, hosts: string[]): string[] {
  if (URL.canParse(`http://${text}`) && new URL(`http://${text}`).hostname === text) return [...hosts, text]
  throw new InvalidArgumentError('The value must be a host name without a port, such as sandbox.test.')
}
