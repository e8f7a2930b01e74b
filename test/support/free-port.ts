import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Test servers get ports from FIRST to EPHEMERAL. Operating systems use higher ports for outgoing connections. */
const FIRST = 20_000
const EPHEMERAL = 32_000

/**
 * Returns a free port for a process that is about to start. A port chosen by the system (port 0) could be given to an
 * outgoing connection before the process starts or while it restarts.
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
