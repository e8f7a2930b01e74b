import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

import type { Server } from 'node:net'

const FIRST = 20_000
const EPHEMERAL = 32_000
/** What is added for the port of UDP, so that a server for HTTP/3 finds its own free. */
const UDP = 20_000

/**
 * Chooses a port at which nothing listens. From 32,000, the system may give the port to a connection while a server
 * restarts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, EPHEMERAL)
    if (!(await reserves(port))) {
      continue
    }

    const server = createServer()
    const isFree = await once(server.listen(port, '127.0.0.1'), 'listening').catch(() => null)
    if (isFree === null) {
      continue
    }

    await once(server.close(), 'close')
    return port
  }
}

/**
 * Returns whether this process alone may give the port away: another one would otherwise choose it, too, before what it
 * is for has started. Until the process ends, it keeps a port of UDP that stands for this one.
 */
async function reserves(port: number): Promise<boolean> {
  const socket = createSocket('udp4').unref()
  const bound = await once(socket.bind(port + UDP, '127.0.0.1'), 'listening').catch(() => null)
  if (bound === null) {
    socket.close()
  }
  return bound !== null
}

/** Lets a server listen at a free port, and returns its URL. */
export async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
}
