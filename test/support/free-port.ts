import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** The range of ports for test servers. Operating systems use higher ports for outgoing connections. */
const FIRST = 20_000
const EPHEMERAL = 32_000

/** Returns a free port. A port from the system (port 0) could be lost to a connection while a server restarts. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, EPHEMERAL)
    const server = createServer()
    const isFree = await once(server.listen(port, '127.0.0.1'), 'listening').catch(() => null)
    if (isFree === null) continue
    await once(server.close(), 'close')
    return port
  }
}
