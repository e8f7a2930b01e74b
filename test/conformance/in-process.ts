// Connections to sandboxes that listen on no port, and to their look-alikes of production.

import { createSandbox, createTimeline } from '../../demo/sandbox/index.ts'
import {
  OUR_CHARGES,
  SEEDED,
  createCallbackReceiver,
  parseJson,
} from '../../server/conformance/connection.ts'
import { openLivePortal } from '../../server/conformance/live-portal.ts'
import { credentialsInProduction } from '../../server/conformance/look-alike.ts'
import { portalPages } from '../../server/conformance/portal-pages.ts'

import type { ChargeDialect } from '../../demo/sandbox/index.ts'
import type { Connection, NewProduction } from '../../server/conformance/connection.ts'

const START = Date.UTC(2026, 10, 21, 9)
const SANDBOX_URL = 'http://127.0.0.1:4010'
const PRODUCTION_URL = 'http://127.0.0.1:4011'

export function connectToSandbox(
  charges: ChargeDialect = 'spec',
): Connection & Required<Pick<Connection, 'callbackReceiver' | 'newProduction'>> {
  const callbackReceiver = createCallbackReceiver('http://127.0.0.1:9')
  const { app, owner } = createSandbox({
    seed: 1,
    charges,
    timeline: createTimeline({ wall: null, start: START }),
    fetch(url, { method, headers, body }) {
      const callback = { method, contentType: headers['content-type'] ?? '', body: parseJson(body) }
      const status = callbackReceiver.receive(url, callback)
      return new Response(null, { status })
    },
  })
  return {
    baseUrl: SANDBOX_URL,
    fetch: (url, init) => app.request(url, init),
    credentials: SEEDED,
    // Our paths are the default where the gateway has our control.
    ...(charges === 'flat' && { charges: OUR_CHARGES.flat }),
    callbackReceiver,
    portal: portalPages(app, 'sandbox', owner),
    newProduction: () => createProduction(charges),
    async other() {
      const { connection, portal } = await createProduction(charges)
      return { ...connection, credentials: { ...SEEDED, ...(await portal.createKey()) } }
    },
  }
}

/** Connects to a look-alike of production whose owner has done all that payouts need. */
export async function connectToLookAlike(charges: ChargeDialect): Promise<Connection> {
  const { connection, portal } = await createProduction(charges)
  return {
    ...connection,
    credentials: await credentialsInProduction(portal),
    other: async () => connectToSandbox(charges),
    newProduction: () => createProduction(charges),
  }
}

async function createProduction(charges: ChargeDialect): Promise<NewProduction> {
  const timeline = createTimeline({ wall: null, start: START })
  const fetch = () => new Response('OK')
  const { app, owner } = createSandbox({ seed: 1, environment: 'production', charges, timeline, fetch })
  return {
    connection: {
      baseUrl: PRODUCTION_URL,
      fetch: (url, init) => app.request(url, init),
      charges: OUR_CHARGES[charges],
      environment: 'production',
      portal: portalPages(app, 'production', owner),
    },
    portal: await openLivePortal({ app, owner }),
  }
}
