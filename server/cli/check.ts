/** `check`: checks whether the server is ready for production, and prints the callback URLs for the merchant portal. */

import type { Command } from 'commander'
import type { Config } from '../config.ts'
import type { Finding } from './check-gateway.ts'
import type { ResultOptions } from './command.ts'
import type { ExitCode } from './exit-code.ts'
import type { Shell } from './shell.ts'
import { createPortalAddress } from '../callbacks/portal-address.ts'
import { readConfig } from '../config.ts'
import { createGatewayClient } from '../gateway/client.ts'
import { systemRandomness } from '../randomness.ts'
import { checkAccount, checkAddress, checkServices, fine, note, problem } from './check-gateway.ts'
import { addQuery, showResult } from './command.ts'
import { EXIT } from './exit-code.ts'
import { printable } from './table.ts'

const MARKS = { fine: '✓', note: '·', problem: '✗' } as const satisfies Record<Finding['kind'], string>

export function addCheck(program: Command, shell: Shell): void {
  addQuery(
    program,
    'check',
    'check whether the server is ready for production, and print the addresses for the merchant portal',
    'check',
  ).action(async (options: ResultOptions) => {
    shell.exitCode = await check(shell, options)
  })
}

async function check(shell: Shell, options: ResultOptions): Promise<ExitCode> {
  const config = readConfig(shell.env)
  const remote = await shell.waitFor('Querying the gateway', checkRemotely(shell, config))
  const findings = [...checkConfiguration(config), ...remote]
  const ready = findings.every(({ kind }) => kind !== 'problem')
  const addresses = {
    portal_callback_url: createPortalAddress('payouts', config).url,
    portal_charge_callback_url: createPortalAddress('charges', config).url,
    portal_airtime_callback_url: createPortalAddress('airtime', config).url,
  }
  showResult(shell, options, { ready, findings, ...addresses }, () =>
    [
      ...findings.map(({ kind, what, detail }) => `${MARKS[kind]} ${what}: ${printable(detail)}`),
      '',
      'Callback URLs to enter in the merchant portal:',
      `  payouts (B2C)  ${addresses.portal_callback_url}`,
      `  charges        ${addresses.portal_charge_callback_url}`,
      `  airtime        ${addresses.portal_airtime_callback_url}`,
      'Each checkout and payout request carries its own callback URL.',
      '',
      ready ? 'Ready for production.' : 'Not ready for production: see the lines marked ✗.',
    ].join('\n'),
  )
  return ready ? EXIT.ok : EXIT.refused
}

async function checkRemotely({ fetch, clock }: Shell, config: Config): Promise<Finding[]> {
  const { baseUrl, fxBaseUrl, consumerKey, consumerSecret, accountNumber } = config.gateway
  const credentials = { consumer_key: consumerKey, consumer_secret: consumerSecret }
  const randomness = systemRandomness
  const client = createGatewayClient({ baseUrl, fxBaseUrl, credentials, fetch, clock, randomness })
  const findings = await Promise.all([
    checkAccount(client, accountNumber),
    checkServices(client, config, randomness),
    checkAddress(fetch, clock, config.publicUrl),
  ])
  return findings.flat()
}

function checkConfiguration(config: Config): Finding[] {
  const { environment, publicUrl, orders, webhook, apiKeys, charges } = config
  return [
    environment === 'production'
      ? fine('environment', 'GATEWAY_ENVIRONMENT is production.')
      : problem('environment', 'GATEWAY_ENVIRONMENT is sandbox: no real money moves.'),
    publicUrl.startsWith('https:')
      ? fine('https', 'PUBLIC_URL is https.')
      : problem('https', 'PUBLIC_URL is not https; the gateway sends callbacks to https addresses only.'),
    orders
      ? fine('orders', orders.kind === 'url' ? 'Orders are resolved at ORDERS_URL.' : 'Orders are signed.')
      : note(
          'orders',
          'Neither ORDERS_URL nor ORDER_SIGNING_KEY is set: pass createApp a function that resolves orders.',
        ),
    webhook
      ? fine('events', 'Events are delivered to MERCHANT_WEBHOOK_URL.')
      : note('events', 'MERCHANT_WEBHOOK_URL is not set: pass createApp onEvent to receive events.'),
    apiKeys
      ? fine('api', 'The merchant API is on.')
      : note('api', 'MERCHANT_API_KEY is not set: the merchant API is off.'),
    charges
      ? fine('charges', `Charges are sent to ${charges.path}.`)
      : note('charges', 'GATEWAY_CHARGE_PATH is not set: charges and splits are off.'),
  ]
}
