import { createTimeline, startSandbox } from '../../demo/sandbox/index.ts'
import { openLivePortal } from '../../server/conformance/live-portal.ts'
import { credentialsInProduction } from '../../server/conformance/look-alike.ts'
import { connectTo, requestsTo } from '../../server/conformance/variables.ts'

import type { SandboxOptions } from '../../demo/sandbox/index.ts'
import type { Connection } from '../../server/conformance/connection.ts'

const START = Date.UTC(2026, 10, 21, 9)

/**
 * Starts both environments on ports of this machine, and connects to the sandbox by `CONFORMANCE_*` variables alone.
 * Their time stands still until a check moves it.
 */
export async function serveBoth(): Promise<Connection & { close(): Promise<void> }> {
  const start = (options: SandboxOptions = {}) =>
    startSandbox({ port: 0, seed: 1, timeline: createTimeline({ wall: null, start: START }), ...options })
  const production = { environment: 'production', callbackHosts: ['127.0.0.1'] } as const
  const [sandbox, live, beginner] = await Promise.all([start(), start(production), start(production)])
  const credentials = await credentialsInProduction(
    await openLivePortal({ app: requestsTo(live.url), owner: live.owner }),
  )
  const connection = await connectTo(sandbox.url, {
    CONFORMANCE_CHARGES: 'spec',
    CONFORMANCE_PORTAL_USER: sandbox.owner.email,
    CONFORMANCE_PORTAL_PASSWORD: sandbox.owner.password,
    CONFORMANCE_OTHER_BASE_URL: live.url,
    CONFORMANCE_OTHER_CONSUMER_KEY: credentials.consumer_key,
    CONFORMANCE_OTHER_CONSUMER_SECRET: credentials.consumer_secret,
    CONFORMANCE_NEW_BASE_URL: beginner.url,
    CONFORMANCE_NEW_PORTAL_USER: beginner.owner.email,
    CONFORMANCE_NEW_PORTAL_PASSWORD: beginner.owner.password,
  })
  return {
    ...connection,
    async close() {
      connection.close()
      await Promise.all([sandbox, live, beginner].map((each) => each.close()))
    },
  }
}
