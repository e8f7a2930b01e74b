/** The command `sandbox`, which runs a local payment gateway for tests. */

import type { Command } from 'commander'
import type { Shell } from './shell.ts'
import { InvalidArgumentError, Option } from 'commander'
import { systemRandomness } from '../work/randomness.ts'
import { addCommand } from './command.ts'
import { CommandFailure, EXIT } from './exit-code.ts'
import { parseUrl } from '../contract/parse-url.ts'

interface SandboxOptions {
  port: number
  allowHost: string[]
  charges: 'spec' | 'flat'
  callbackHost: string[]
  production?: boolean
}

/** For each way to serve charges, the variables of a server that uses this sandbox. */
const CHARGE_VARIABLES = {
  spec: ['GATEWAY_CHARGE_PATH=/v1/charges'],
  flat: [
    '# /v1/cards/charge for cards.',
    'GATEWAY_CHARGE_PATH=/v1/mobile-money/charge',
    'GATEWAY_CHARGE_STATUS_PATH=/v1/transaction/:charge_request_id/status',
  ],
} as const satisfies Record<SandboxOptions['charges'], readonly string[]>

/** Phone numbers to try. The sandbox's README lists all of them. */
const NUMBERS = [
  ['0700000001', 'the hosted page asks what the customer does'],
  ['0700009000', 'pays'],
  ['0700009002', 'enters a wrong PIN'],
  ['0700009003', 'ignores the prompt'],
  ['0700009005', 'pays a part'],
  ['0700009009', 'pays, and the money is reversed after a minute'],
] as const

export function addSandbox(program: Command, shell: Shell): void {
  addCommand(
    program,
    'sandbox',
    'run a local payment gateway for tests, and print a file .env for it; no real money moves',
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
    .option(
      '--production',
      'a look-alike of the production environment: onboarding, keys, services and the float in the portal; no magic numbers, no /_sandbox',
    )
    .option(
      '--callback-host <host>',
      'a host that callbacks may go to; with --production also for this machine; may be repeated',
      addHost,
      [],
    )
    .action((options: SandboxOptions) => startSandbox(shell, options))
}

/** Starts the sandbox gateway, which runs until the process ends. Resolves when the sandbox gateway listens. */
async function startSandbox(shell: Shell, given: SandboxOptions): Promise<void> {
  const { port, allowHost, callbackHost, charges, production = false } = given
  const sandbox = await import('../../demo/sandbox/index.ts')
  const environment = production ? 'production' : 'sandbox'
  const options = { port, hosts: allowHost, callbackHosts: callbackHost, charges, environment } as const
  const { url, owner } = await sandbox.startSandbox(options).catch((cause: unknown) => {
    throw new CommandFailure(EXIT.unavailable, `The sandbox cannot listen on port ${port}.`, { cause })
  })
  shell.print(
    production ? rehearsalFor(url, charges, owner) : environmentFor(url, charges, systemRandomness.token()),
  )
}

/** Returns a file `.env` for a rehearsal, without what the portal of the look-alike at `url` gives out. */
function rehearsalFor(
  url: string,
  charges: SandboxOptions['charges'],
  { email, password }: { email: string; password: string },
): string {
  return [
    `# The look-alike of the production environment listens on ${url}: no real money moves.`,
    `# Its portal is ${url}/portal: sign in as ${email} with the password ${password}`,
    '# There: complete the onboarding, create an API key and services, and fund the float.',
    '# Put these lines, with what the portal gives you, into the file .env of your server.',
    'GATEWAY_ENVIRONMENT=production',
    'GATEWAY_REHEARSAL=1',
    `GATEWAY_BASE_URL=${url}`,
    'GATEWAY_CONSUMER_KEY=',
    'GATEWAY_CONSUMER_SECRET=',
    'GATEWAY_SERVICE_CODE=',
    'GATEWAY_ACCOUNT_NUMBER=LIVE-001',
    ...CHARGE_VARIABLES[charges],
  ].join('\n')
}

/** Returns a file `.env` for a server that uses the sandbox at `url`. What is for people is in its comments. */
function environmentFor(url: string, charges: SandboxOptions['charges'], apiKey: string): string {
  return [
    `# The sandbox gateway listens on ${url}: no real money moves.`,
    '# Put these lines into the file .env of your server.',
    'GATEWAY_ENVIRONMENT=sandbox',
    `GATEWAY_BASE_URL=${url}`,
    'GATEWAY_CONSUMER_KEY=sandbox-key',
    'GATEWAY_CONSUMER_SECRET=sandbox-secret',
    '# Other services: PAYOUT-KES, IMT-KES, B2B-KES. Other currencies: CHECKOUT-UGX with ACC-001-UGX, and so on.',
    'GATEWAY_SERVICE_CODE=CHECKOUT-KES',
    'GATEWAY_ACCOUNT_NUMBER=ACC-001',
    ...CHARGE_VARIABLES[charges],
    'DEFAULT_COUNTRY=KE',
    '# The address of your server, and the origins of the pages with the tag.',
    'PUBLIC_URL=http://127.0.0.1:8080',
    'ALLOWED_ORIGINS=http://localhost:3000,http://127.0.0.1:3000',
    '# A new key for /api.',
    `MERCHANT_API_KEY=${apiKey}`,
    '#',
    '# Phone numbers to pay with:',
    ...NUMBERS.map(([number, does]) => `#   ${number}  ${does}`),
    '# Addresses:',
    `#   ${url}/_sandbox/scenarios  all numbers`,
    `#   ${url}/_sandbox/requests   what was asked`,
    `#   ${url}/_sandbox/ledger     every movement of money`,
    '# Half an hour later:',
    `#   curl -X POST ${url}/_sandbox/clock/advance -H 'content-type: application/json' -d '{"seconds":1860}'`,
  ].join('\n')
}

function readPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port >= 0 && port <= 65_535) return port
  throw new InvalidArgumentError('The port must be a number from 0 to 65535.')
}

function addHost(text: string, hosts: string[]): string[] {
  if (parseUrl(`http://${text}`)?.hostname === text) return [...hosts, text]
  throw new InvalidArgumentError('The value must be a host name without a port, such as sandbox.test.')
}
