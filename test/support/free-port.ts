import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * The range of the ports for test servers: from FIRST up to, but not including, EPHEMERAL. Operating systems take
 * ports for outgoing connections from a higher range.
 */
const FIRST = 20_000
const EPHEMERAL = 32_000

/**
 * Returns a free port for a test server. The port is below the range that the operating system uses for outgoing
 * connections, so that no connection takes the port while the server restarts.
 */
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
