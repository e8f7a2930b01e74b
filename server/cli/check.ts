/**
 * The command `check`, which checks whether the server is ready for production, and prints the callback URLs for the
 * merchant portal. It changes no payment and no order.
 */

import { readConfig } from '../config/config.ts'
import { printable } from '../log/printable.ts'
import { createPortalAddress } from '../transactions/callback-address.ts'
import {
  checkEnvironment,
  checkForProduction,
  checkHttps,
  checkLimits,
  checkMerchantApi,
  checkProxy,
  checkRehearsal,
  checkWarnings,
} from './check/configuration.ts'
import { createSharedContext } from './check/context.ts'
import { inOrder, LOOKS } from './check/finding.ts'
import { checkAccounts, checkClock, checkServices } from './check/gateway.ts'
import { checkNotices, checkOrders, checkWebhook } from './check/merchant.ts'
import { checkAddress, checkOrigins } from './check/public-url.ts'
import { checkCharges, checkStore } from './check/store.ts'
import { command, JSON_OPTION } from './command.ts'
import { EXIT } from './shell.ts'

import type { Config } from '../config/config.ts'
import type { Check } from './check/context.ts'
import type { Finding, FindingKind } from './check/finding.ts'
import type { Shell } from './shell.ts'

/** The checks by their names, in the order of the findings. */
const CHECKS: Readonly<Record<string, Check>> = {
  environment: checkEnvironment,
  https: checkHttps,
  api: checkMerchantApi,
  limits: checkLimits,
  proxy: checkProxy,
  warnings: checkWarnings,
  rehearsal: checkRehearsal,
  configuration: checkForProduction,
  store: checkStore,
  orders: checkOrders,
  events: checkWebhook,
  notices: checkNotices,
  clock: checkClock,
  account: checkAccounts,
  service: checkServices,
  charges: checkCharges,
  address: checkAddress,
  origins: checkOrigins,
}

export const check = command({
  text: 'check whether the server is ready for production, and print the addresses for the portal',
  options: JSON_OPTION,
  examples: [''],
  async run(shell, { json }) {
    const config = readConfig(shell.env, shell.surroundings)
    const findings = await findAll(shell, config)
    const has = (wanted: FindingKind) => findings.some(({ kind }) => kind === wanted)
    const ready = !has('problem') && !has('later')
    const addresses = {
      portal_callback_url: createPortalAddress('payouts', config).url,
      portal_charge_callback_url: createPortalAddress('charges', config).url,
      portal_airtime_callback_url: createPortalAddress('airtime', config).url,
    }
    if (!json) {
      for (const { kind, what, detail } of findings) {
        const { mark, colour } = LOOKS[kind]
        shell.print(`${mark} ${what}: ${printable(detail)}`, colour)
      }
    }

    const isSandbox = config.environment === 'sandbox'
    const wrong = isSandbox
      ? 'Something is wrong, also in the sandbox: see the lines marked ✗.'
      : 'Not ready for production: see the lines marked ✗.'
    const nothingWrong = 'Nothing is wrong in the sandbox. Production needs what the lines marked → say.'
    const notReady = has('problem') ? wrong : nothingWrong
    const text = `
Callback URLs to enter in the merchant portal:
  payouts (B2C)  ${addresses.portal_callback_url}
  charges        ${addresses.portal_charge_callback_url}
  airtime        ${addresses.portal_airtime_callback_url}
Each checkout and payout request carries its own callback URL.

${ready ? 'Ready for production.' : notReady}`
    shell.show({ json }, { ready, findings, ...addresses }, () => text)
    shell.exitCode = has('problem') ? EXIT.refused : EXIT.ok
  },
})

/** Runs all checks at once. */
async function findAll(shell: Shell, config: Config): Promise<Finding[]> {
  const shared = createSharedContext(shell, config)
  const checks = Object.entries(CHECKS).map(async ([name, run]) => {
    const findings: Finding[] = []

    const adder = (kind: FindingKind) => {
      return (detail: string, what = name) => void findings.push({ what, kind, detail })
    }

    const problem = adder('problem')
    const later = config.environment === 'production' ? problem : adder('later')
    await run({ ...shared, fine: adder('fine'), note: adder('note'), later, problem })
    return findings
  })
  const findings = await Promise.all(checks)
  return inOrder(findings.flat())
}
