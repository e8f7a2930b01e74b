import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

import type { Server } from 'node:net'

const FIRST = 20_000
const EPHEMERAL = 32_000

// From 32,000, the system may give the port to a connection while a server restarts.
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, EPHEMERAL)
    const server = createServer()
    const isFree = await once(server.listen(port, '127.0.0.1'), 'listening').catch(() => null)
    if (isFree === null) {
      continue
    }

    await once(server.close(), 'close')
    return port
  }
}

/** Lets a server listen at a free port, and returns its URL. */
export async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}
