import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below these the system takes the ports of outgoing connections from. */
const FIRST = 20_000
const EPHEMERAL = 32_000

/**
 * A port for a process that is started next. Not one of the system's choice: those it gives to outgoing connections
 * too, one of which would have it while the process is started, or started again.
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
