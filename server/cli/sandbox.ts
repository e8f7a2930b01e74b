/** The command `sandbox`: runs a local payment gateway for tests, and prints the file `.env` of a server that uses it. */

import { resolve } from 'node:path'

import { parseUrl } from '../contract/parse.ts'
import { systemRandomness } from '../work/randomness.ts'
import { command, wrongUsage } from './command.ts'
import { CommandFailure, EXIT } from './shell.ts'

import type { Environment as Variables } from '../config/variables.ts'

/** The lines about charges in the file `.env`, for each value of `--charges`. */
const CHARGE_LINES = {
  spec: 'GATEWAY_CHARGE_PATH=/v1/charges',
  flat: `# /v1/cards/charge for cards.
GATEWAY_CHARGE_PATH=/v1/mobile-money/charge
GATEWAY_CHARGE_STATUS_PATH=/v1/transaction/:charge_request_id/status`,
}

const REPEATABLE = { type: 'string', multiple: true } as const

export const sandbox = command({
  text: 'run a local payment gateway for tests, and print a file .env for it; no real money moves',
  options: {
    port: { type: 'string', default: '4010', text: 'the port; 0 for any free port (default: 4010)' },
    'allow-host': {
      ...REPEATABLE,
      text: 'a name under which the sandbox is reached, beside localhost; may be repeated',
    },
    charges: {
      type: 'string',
      default: 'spec',
      text: 'spec (default), like checkouts, or flat, as one flat payment record under other paths',
    },
    production: {
      type: 'boolean',
      text: 'a look-alike of the production environment: onboarding, keys, services and the float in the portal; no magic numbers, no /_sandbox',
    },
    'callback-host': {
      ...REPEATABLE,
      text: 'a host that callbacks may go to; with --production also for this machine; may be repeated',
    },
    state: {
      type: 'string',
      text: 'a file that keeps everything, also when the process is killed; delete it to begin anew (default: none)',
    },
  },
  examples: ['--port 4010', '--state sandbox.journal'],
  /** Starts the gateway, which runs until the process ends. Resolves when the gateway listens. */
  async run(shell, options) {
    const { charges, production, state } = options
    const { 'allow-host': hosts = [], 'callback-host': callbackHosts = [] } = options
    const port = Number(options.port)
    if (!/^\d{1,5}$/.test(options.port) || port > 65_535) {
      throw wrongUsage('--port must be a number from 0 to 65535.')
    }
    if (charges !== 'spec' && charges !== 'flat') {
      throw wrongUsage('--charges must be spec or flat.')
    }

    for (const host of [...hosts, ...callbackHosts]) {
      // Browsers and this parser write a host in the same way.
      if (parseUrl(`http://${host}`)?.hostname !== host) {
        throw wrongUsage(
          `"${host}" is not a host name as in sandbox.test: lower case, without scheme, port and path.`,
        )
      }
    }

    const environment = production ? 'production' : 'sandbox'
    const { startSandbox, StateError } = await import('../../demo/sandbox/index.ts')
    // An empty variable counts as absent.
    const { MERCHANT_NAME, MERCHANT_ACCENT, MERCHANT_LOGO } = shell.env
    const starting = startSandbox({
      port,
      hosts,
      callbackHosts,
      charges,
      environment,
      state,
      merchantName: MERCHANT_NAME || undefined,
      merchantAccent: MERCHANT_ACCENT || undefined,
      merchantLogo: MERCHANT_LOGO || undefined,
    })
    const { url, owner, env } = await starting.catch((cause: unknown) => {
      if (cause instanceof StateError) {
        throw new CommandFailure(EXIT.data, cause.message, { cause })
      }
      if (cause instanceof Error && 'syscall' in cause && cause.syscall === 'listen') {
        const message = `The sandbox cannot listen on port ${port}: ${cause.message}.`
        throw new CommandFailure(EXIT.unavailable, message, { cause })
      }
      throw cause
    })
    const chargeLines = CHARGE_LINES[charges]
    if (production) {
      shell.print(productionFile(url, chargeLines, owner))
    } else {
      shell.print(
        sandboxFile({ url, gatewayLines: linesOf(env), chargeLines, serverLines: unsetLines(shell.env) }),
      )
    }
  },
})

/** Returns the file `.env` for the look-alike of production. The merchant fills in the credentials from its portal. */
function productionFile(
  url: string,
  chargeLines: string,
  owner: { email: string; password: string },
): string {
  return `# The look-alike of the production environment listens on ${url}
# No real money moves. Its portal is ${url}/portal: sign in as ${owner.email} with the password ${owner.password}
# There: complete the onboarding, create an API key and services, and fund the float.
# Put these lines, with what the portal gives you, into the file .env of your server.
GATEWAY_ENVIRONMENT=production
GATEWAY_REHEARSAL=1
GATEWAY_BASE_URL=${url}
GATEWAY_CONSUMER_KEY=
GATEWAY_CONSUMER_SECRET=
GATEWAY_SERVICE_CODE=
GATEWAY_ACCOUNT_NUMBER=LIVE-001
TRUSTED_PROXIES=none
STORE_URL=sqlite:${resolve('rehearsal.sqlite')}
${chargeLines}`
}

/**
 * Returns lines for the variables that a server needs besides those of the gateway, without those that are set already:
 * the merchant may append the lines to a file `.env`, and one with two values of a variable is refused.
 */
function unsetLines(variables: Variables): string {
  const proposed = {
    PUBLIC_URL: 'http://127.0.0.1:8080',
    ALLOWED_ORIGINS: 'http://localhost:3000,http://127.0.0.1:3000',
    MERCHANT_API_KEY: systemRandomness.token(),
  }
  const unset = Object.entries(proposed).filter(([name]) => !variables[name])
  return linesOf(Object.fromEntries(unset))
}

function linesOf(variables: Variables): string {
  const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  return lines.join('\n')
}

interface SandboxFile {
  url: string
  /** How a server reaches the gateway. */
  gatewayLines: string
  chargeLines: string
  /** What the server needs besides. */
  serverLines: string
}

/**
 * Returns the file `.env` for the sandbox. Its first line ends with the URL, for programs that wait until the sandbox
 * listens.
 */
function sandboxFile({ url, gatewayLines, chargeLines, serverLines }: SandboxFile): string {
  return `# The sandbox gateway listens on ${url}
# No real money moves. Put these lines into the file .env of your server.
${gatewayLines}
# Other services of each currency: PAYOUT-KES, IMT-KES, B2B-KES, and so on.
${chargeLines}
# The address of your server, the origins of the pages with the tag, and a new key for /api: what you have not set.
${serverLines}
# Pay with 0700000001, and the hosted page asks what the customer does. All numbers: ${url}/_sandbox/scenarios
# The gateway's contract, and the control of this sandbox: ${url}/docs. What was asked: ${url}/_sandbox/requests. Every movement of money: ${url}/_sandbox/ledger
# Half an hour later:
#   curl -X POST ${url}/_sandbox/clock/advance -H 'content-type: application/json' -d '{"seconds":1860}'`
}
