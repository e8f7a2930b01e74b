/**
 * The command `check`, which checks whether the server is ready for production. The command also prints the callback
 * URLs that the merchant registers in the merchant portal.
 */

import type { Command } from 'commander'
import type { AccountNumbers, Config, Environment } from '../config.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Colour } from '../log/colours.ts'
import type { Exchange } from '../exchange.ts'
import type { ResultOptions } from './command.ts'
import type { Finding } from './probe.ts'
import type { Shell } from './shell.ts'
import { createPortalAddress } from '../callbacks/portal-address.ts'
import { ConfigError, readConfig } from '../config.ts'
import { entriesOf, valueFor } from '../config/gateway.ts'
import { exchange } from '../exchange.ts'
import { createGatewayClient } from '../gateway/client.ts'
import { GatewayError } from '../gateway/errors.ts'
import { systemRandomness } from '../randomness.ts'
import { addQuery, showResult } from './command.ts'
import { EXIT } from './exit-code.ts'
import { printable } from '../printable.ts'
import {
  areChargesProven,
  checkOrders,
  checkOrigins,
  checkStore,
  checkWebhook,
  fine,
  needed,
  note,
  problem,
} from './probe.ts'

const DEADLINE_MS = 8_000
const MAX_RESPONSE_BYTES = 10_000

const MARKS = { fine: '✓', note: '·', later: '→', problem: '✗' } as const satisfies Record<
  Finding['kind'],
  string
>
const COLOURS = { fine: 'green', note: 'dim', later: 'yellow', problem: 'red' } as const satisfies Record<
  Finding['kind'],
  Colour
>

export function addCheck(program: Command, shell: Shell): void {
  addQuery(
    program,
    'check',
    'check whether the server is ready for production, and print the addresses for the merchant portal',
    'check',
  ).action((options: ResultOptions) => check(shell, options))
}

async function check(shell: Shell, options: ResultOptions): Promise<void> {
  const config = readConfig(shell.env)
  const remote = await shell.waitFor('Querying the gateway and your backend', checkRemotely(shell, config))
  const all = [...checkConfiguration(config), ...checkForProduction(shell.env, config), ...remote]
  const isLater = ({ kind }: Finding) => kind === 'later'
  const findings = [...all.filter((each) => !isLater(each)), ...all.filter(isLater)]
  const isWrong = findings.some(({ kind }) => kind === 'problem')
  const ready = !isWrong && !findings.some(isLater)
  const addresses = {
    portal_callback_url: createPortalAddress('payouts', config).url,
    portal_charge_callback_url: createPortalAddress('charges', config).url,
    portal_airtime_callback_url: createPortalAddress('airtime', config).url,
  }
  if (!options.json)
    for (const { kind, what, detail } of findings)
      shell.print(`${MARKS[kind]} ${what}: ${printable(detail)}`, COLOURS[kind])
  showResult(shell, options, { ready, findings, ...addresses }, () =>
    [
      '',
      'Callback URLs to enter in the merchant portal:',
      `  payouts (B2C)  ${addresses.portal_callback_url}`,
      `  charges        ${addresses.portal_charge_callback_url}`,
      `  airtime        ${addresses.portal_airtime_callback_url}`,
      'Each checkout and payout request carries its own callback URL.',
      '',
      ready
        ? 'Ready for production.'
        : isWrong
          ? 'Not ready for production: see the lines marked ✗.'
          : 'Nothing is wrong in the sandbox. Production needs what the lines marked → say.',
    ].join('\n'),
  )
  shell.exitCode = ready ? EXIT.ok : EXIT.refused
}

async function checkRemotely(shell: Shell, config: Config): Promise<Finding[]> {
  const { baseUrl, fxBaseUrl, consumerKey, consumerSecret, accountNumbers } = config.gateway
  const { clock } = shell
  const fetch = shell.fetchFor(config)
  const credentials = { consumer_key: consumerKey, consumer_secret: consumerSecret.reveal() }
  const client = createGatewayClient({ baseUrl, fxBaseUrl, credentials, fetch, clock })
  const findings = await Promise.all([
    checkStore(config),
    checkOrders(shell, config),
    checkWebhook(shell, config),
    checkAccounts(client, accountNumbers),
    checkServices(client, config),
    checkCharges(config),
    checkAddress(shell, config),
    checkOrigins(shell, config),
  ])
  return findings.flat()
}

function checkConfiguration(config: Config): Finding[] {
  const { environment, publicUrl, apiKeys, trustedProxies } = config
  return [
    environment === 'production'
      ? fine('environment', 'GATEWAY_ENVIRONMENT is production.')
      : needed(config, 'environment', 'GATEWAY_ENVIRONMENT is sandbox: no real money moves.'),
    publicUrl.startsWith('https:')
      ? fine('https', 'PUBLIC_URL is https.')
      : needed(
          config,
          'https',
          'PUBLIC_URL is not https; the gateway sends callbacks to https addresses only.',
        ),
    apiKeys
      ? fine('api', 'The merchant API is on.')
      : note('api', 'MERCHANT_API_KEY is not set: the merchant API is off.'),
    trustedProxies === null
      ? needed(
          config,
          'limits',
          'TRUSTED_PROXIES is not set: a client that sends X-Forwarded-For escapes every limit per address. Set it to the addresses of your proxies, or to "none".',
        )
      : fine('limits', 'TRUSTED_PROXIES is set: requests are limited per address.'),
    ...config.warnings.map(({ about, text }) => (about === 'files' ? note : problem)(about, text)),
  ]
}

/**
 * Returns what must be changed in the configuration before production. A sandbox configuration is validated as if its
 * environment were production. A production configuration has already been validated, so only GATEWAY_REHEARSAL can be
 * a problem.
 */
function checkForProduction(env: Environment, { environment, isRehearsal, warnings }: Config): Finding[] {
  if (environment === 'production')
    return isRehearsal
      ? [
          problem(
            'rehearsal',
            'GATEWAY_REHEARSAL is set: the gateway may be a look-alike without real money.',
          ),
        ]
      : []
  try {
    readConfig({ ...env, GATEWAY_ENVIRONMENT: 'production', GATEWAY_REHEARSAL: undefined })
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // The warnings have a line already.
    const problems = error.problems.filter((detail) => !warnings.some(({ text }) => text === detail))
    return problems.map((detail) => needed({ environment }, 'configuration', detail))
  }
}

/** Checks the credentials and the account numbers by querying each account's balance. The queries change nothing. */
function checkAccounts(client: GatewayClient, accountNumbers: AccountNumbers): Promise<Finding[]> {
  return Promise.all(
    entriesOf(accountNumbers).map(([wanted, accountNumber]) =>
      orProblem(wanted === null ? 'account' : `account ${wanted}`, async () => {
        const { balance, currency } = await client.getBalance(accountNumber)
        if (wanted !== null && currency !== wanted)
          return problem(
            `account ${wanted}`,
            `GATEWAY_ACCOUNT_NUMBER has ${accountNumber} for ${wanted}, but this account is in ${currency}.`,
          )
        return `Authenticated; the balance of ${accountNumber} is ${balance} ${currency}.`
      }),
    ),
  )
}

/**
 * Checks each service code, which is the gateway's code for one of the merchant's services, by initiating a checkout
 * with the amount 1. No shopper sees this checkout, and its session expires after one minute.
 *
 * [assumed] The gateway validates a service code and its currency only when a checkout is initiated.
 */
async function checkServices(client: GatewayClient, { gateway, publicUrl }: Config): Promise<Finding[]> {
  const { serviceCodes, accountNumbers } = gateway
  const [[, firstNumber] = [null, '']] = entriesOf(accountNumbers)
  return Promise.all(
    entriesOf(serviceCodes).map(([currency, service_code]) =>
      orProblem(`service ${service_code}`, async () => {
        const request = {
          merchant_transaction_id: systemRandomness.uuid(),
          amount: 1,
          payer_name: 'Check before production',
          payer_email: 'check@example.com',
          payer_msisdn: '254700000000',
          service_code,
          account_number: valueFor(accountNumbers, currency) ?? firstNumber,
          expires_in: 1,
          narration: 'Check before production',
          callback_url: `${publicUrl}/callbacks/checkout/check`,
          redirect_url: `${publicUrl}/health/live`,
        }
        const initiated = await client.initiateCheckout(request, { currency })
        return `Active; its currency is ${initiated.currency}.`
      }),
    ),
  )
}

/** Checks whether the gateway has already settled a charge. Sends no charge, because a charge would take money. */
async function checkCharges(config: Config): Promise<Finding> {
  const { charges } = config
  const what = 'charges'
  if (!charges) return note(what, 'GATEWAY_CHARGE_PATH is not set: charges and splits are off.')
  const paths = `Charges are sent to ${charges.path} and queried at ${charges.statusPath}.`
  return (await areChargesProven(config))
    ? fine(what, `${paths} A charge has been followed to its end.`)
    : note(
        what,
        `${paths} Unproven: no charge has been followed to its end yet. Send one of a small amount, and query it.`,
      )
}

/** Checks whether this server responds at PUBLIC_URL, and whether it can store a payment. */
async function checkAddress(shell: Shell, { publicUrl }: Config): Promise<Finding[]> {
  const address = await checkLive(shell, `${publicUrl}/health/live`)
  return address.kind === 'fine' ? [address, await checkReady(shell, `${publicUrl}/health/ready`)] : [address]
}

async function checkReady(shell: Shell, url: string): Promise<Finding> {
  const response = await get(shell, url)
  if (response.kind === 'answer' && response.status === 200)
    return fine('ready', 'The running server is ready: it can store a payment.')
  return problem(
    'ready',
    `${url} ${response.summary}: the running server cannot store a payment; the log has the reason.`,
  )
}

function get(shell: Shell, url: string): Promise<Exchange> {
  // Inside the merchant's network, the host name in PUBLIC_URL may resolve to a private address.
  const fetch = shell.fetchFor({ privateHosts: 'any' })
  const limits = { deadlineMs: DEADLINE_MS, maxAnswerBytes: MAX_RESPONSE_BYTES }
  return exchange(fetch, shell.clock, { method: 'GET', url, headers: {}, ...limits })
}

async function checkLive(shell: Shell, url: string): Promise<Finding> {
  const response = await get(shell, url)
  if (response.kind === 'unreachable')
    return problem('address', `${url} ${response.summary} from this machine. Is the server running?`)
  if (response.kind === 'answer' && response.status === 200 && /"status":\s*"live"/.test(response.text))
    return fine('address', `${url} is served by this server, as seen from this machine.`)
  return problem('address', `${url} ${response.summary}: it is not this server.`)
}

/**
 * Runs a check and returns its finding. The finding is a `problem` if a request to the gateway failed.
 *
 * @param work Performs the check, and resolves with the `detail` of the finding if the check passes.
 */
async function orProblem(what: string, work: () => Promise<string | Finding>): Promise<Finding> {
  try {
    const found = await work()
    return typeof found === 'string' ? fine(what, found) : found
  } catch (error) {
    if (error instanceof GatewayError) return problem(what, error.message)
    throw error
  }
}
