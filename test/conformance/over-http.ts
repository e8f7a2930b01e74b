import { createTimeline, startSandbox } from '../../demo/sandbox/index.ts'
import { openLivePortal } from '../support/live-portal.ts'
import { OUR_CHARGES } from './connection.ts'
import { credentialsInProduction } from './look-alike.ts'
import { connectFromEnvironment, requestsTo } from './variables.ts'
import type { ChargeDialect, SandboxOptions } from '../../demo/sandbox/index.ts'
import type { Connection } from './connection.ts'

const START = Date.UTC(2026, 10, 21, 9)

/**
 * Starts both environments on ports of this machine, and connects to each by `CONFORMANCE_*` variables alone. Their time
 * stands still until a check moves it.
 */
export async function serveBoth(charges: ChargeDialect) {
  const started: Awaited<ReturnType<typeof startSandbox>>[] = []
  async function start(options: SandboxOptions = {}) {
    const timeline = createTimeline({ wall: null, start: START })
    const sandbox = await startSandbox({ port: 0, seed: 1, charges, timeline, ...options })
    started.push(sandbox)
    return sandbox
  }
  const production = { environment: 'production', callbackHosts: ['127.0.0.1'] } as const
  const sandbox = await start()
  const live = await start(production)
  const credentials = await credentialsInProduction(
    await openLivePortal({ app: requestsTo(live.url), owner: live.owner }),
  )
  const { services } = credentials

  async function connect(env: NodeJS.ProcessEnv): Promise<Connection & { close(): Promise<void> }> {
    const beginner = await start(production)
    const connection = await connectFromEnvironment({
      CONFORMANCE_CHARGES: charges,
      CONFORMANCE_CHARGE_PATH: OUR_CHARGES[charges].path,
      CONFORMANCE_NEW_BASE_URL: beginner.url,
      CONFORMANCE_NEW_PORTAL_USER: beginner.owner.email,
      CONFORMANCE_NEW_PORTAL_PASSWORD: beginner.owner.password,
      ...env,
    })
    if (!connection) throw new Error('CONFORMANCE_BASE_URL is not set.')
    return { ...connection, close: async () => connection.close() }
  }

  return {
    sandbox: await connect({
      CONFORMANCE_BASE_URL: sandbox.url,
      CONFORMANCE_PORTAL_USER: sandbox.owner.email,
      CONFORMANCE_PORTAL_PASSWORD: sandbox.owner.password,
      CONFORMANCE_OTHER_BASE_URL: live.url,
      CONFORMANCE_OTHER_CONSUMER_KEY: credentials.consumer_key,
      CONFORMANCE_OTHER_CONSUMER_SECRET: credentials.consumer_secret,
    }),
    lookAlike: await connect({
      CONFORMANCE_BASE_URL: live.url,
      CONFORMANCE_ENVIRONMENT: 'production',
      CONFORMANCE_CONSUMER_KEY: credentials.consumer_key,
      CONFORMANCE_CONSUMER_SECRET: credentials.consumer_secret,
      CONFORMANCE_ACCOUNT_NUMBER: credentials.account_number,
      CONFORMANCE_CLIENT_CODE: credentials.client_code,
      CONFORMANCE_CHECKOUT_SERVICE: services.checkout,
      CONFORMANCE_PAYOUT_SERVICE: services.payout,
      CONFORMANCE_TRANSFER_SERVICE: services.transfer,
      CONFORMANCE_B2B_SERVICE: services.b2b,
      CONFORMANCE_DISABLED_SERVICE: services.disabled,
      CONFORMANCE_FOREIGN_SERVICE: '',
      CONFORMANCE_PARTNER: '',
      CONFORMANCE_PORTAL_USER: live.owner.email,
      CONFORMANCE_PORTAL_PASSWORD: live.owner.password,
      CONFORMANCE_OTHER_BASE_URL: sandbox.url,
      CONFORMANCE_OTHER_CONSUMER_KEY: 'sandbox-key',
      CONFORMANCE_OTHER_CONSUMER_SECRET: 'sandbox-secret',
    }),
    close: async () => void (await Promise.all(started.map((each) => each.close()))),
  }
}
