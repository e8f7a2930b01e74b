/** Connects to a new sandbox in this process, on a virtual clock. */

import { createSandbox, createTimeline } from '../../demo/sandbox/index.ts'
import { createCallbackReceiver } from './callback-receiver.ts'
import { SEEDED } from './connection.ts'
import { parseJson } from './json.ts'
import type { Connection } from './connection.ts'

const START = Date.UTC(2026, 10, 21, 9)

export function connectToSandbox(): Connection & Required<Pick<Connection, 'callbackReceiver'>> {
  const callbackReceiver = createCallbackReceiver('http://127.0.0.1:9')
  const { app } = createSandbox({
    seed: 1,
    timeline: createTimeline({ wall: null, start: START }),
    fetch(url, { method, headers, body }) {
      const callback = { method, contentType: headers['content-type'] ?? '', body: parseJson(body) }
      const status = callbackReceiver.receive(url, callback)
      return new Response(null, { status })
    },
  })
  return {
    baseUrl: 'http://127.0.0.1:4010',
    fetch: (url, init) => app.request(url, init),
    credentials: SEEDED,
    callbackReceiver,
  }
}
