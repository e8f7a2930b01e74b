/** Whether everything is ready for live, and what to paste into the merchant portal. */

import type { Config } from '../config.ts'
import type { Fetch } from '../exchange.ts'
import type { ExitCode } from './exit-code.ts'
import type { ResultOptions } from './result.ts'
import type { Shell } from './shell.ts'
import type { Finding } from './check/finding.ts'
import { createPortal } from '../callbacks/portal.ts'
import { systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { createGatewayClient } from '../gateway/client.ts'
import { systemRandomness } from '../randomness.ts'
import { checkAddress } from './check/address.ts'
import { checkConfiguration } from './check/configuration.ts'
import { checkAccount, checkServices } from './check/gateway.ts'
import { EXIT } from './exit-code.ts'
import { showResult } from './result.ts'
import { printable } from './table.ts'

const MARKS = { fine: '✓', note: '·', problem: '✗' } as const satisfies Record<Finding['kind'], string>

export async function check(
  shell: Shell,
  options: ResultOptions,
  fetch: Fetch = globalThis.fetch,
): Promise<ExitCode> {
  const config = readConfig(shell.env)
  const findings = await shell.waitFor('Asking the gateway', look(config, fetch))
  const ready = findings.every(({ kind }) => kind !== 'problem')
  const portal_callback_url = createPortal('payouts', config).url
  const portal_charge_callback_url = createPortal('charges', config).url
  const portal_airtime_callback_url = createPortal('airtime', config).url
  const addresses = { portal_callback_url, portal_charge_callback_url, portal_airtime_callback_url }
  showResult(shell, options, { ready, findings, ...addresses }, () =>
    [
      ...findings.map(({ kind, what, detail }) => `${MARKS[kind]} ${what}: ${printable(detail)}`),
      '',
      'Paste into the merchant portal, as the URL of B2C notifications:',
      `  ${portal_callback_url}`,
      'and as the URL of charges:',
      `  ${portal_charge_callback_url}`,
      'and as the URL of airtime:',
      `  ${portal_airtime_callback_url}`,
      'Checkouts and payouts name their callback addresses themselves.',
      '',
      ready ? 'Ready for live.' : 'Not ready for live: see ✗.',
    ].join('\n'),
  )
  return ready ? EXIT.ok : EXIT.refused
}

async function look(config: Config, fetch: Fetch): Promise<Finding[]> {
  const { baseUrl, fxBaseUrl, consumerKey, consumerSecret, accountNumber } = config.gateway
  const client = createGatewayClient({
    baseUrl,
    fxBaseUrl,
    credentials: { consumer_key: consumerKey, consumer_secret: consumerSecret },
    fetch,
    clock: systemClock,
    randomness: systemRandomness,
  })
  const asked = await Promise.all([
    checkAccount(client, accountNumber),
    checkServices(client, config, systemRandomness),
    checkAddress(fetch, systemClock, config.publicUrl),
  ])
  return [...checkConfiguration(config), ...asked.flat()]
}
