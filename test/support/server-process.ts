/** Servers that tests start, as a user that such servers accept. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'

export interface ServerProcess {
  /** Ends the server at once, as a crash would. */
  stop(): Promise<void>
}

/** Postgres and PgBouncer do not run as root. This user exists on every Unix. */
export const NOBODY = 65_534
export const isRoot = process.getuid?.() === 0
/** Options of a child process that may not run as root. */
export const asNobody = { cwd: tmpdir(), ...(isRoot && { uid: NOBODY, gid: NOBODY }) }

const START_TIMEOUT_MS = 60_000

interface ServerOptions {
  /** What the server writes to standard error when it can be used. */
  ready: string
  /** The signal that ends the server at once. */
  stop: 'QUIT' | 'TERM'
}

/** Starts a server. It ends when its input is closed, so it does not outlive the tests, however they end. */
export async function startServer(
  command: string,
  parameters: string[],
  { ready, stop }: ServerOptions,
): Promise<ServerProcess> {
  const untilClosed = `"$0" "$@" & read -r _; kill -${stop} $!; wait`
  const child = spawn('sh', ['-c', untilClosed, command, ...parameters], {
    ...asNobody,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let log = ''
  const signal = AbortSignal.timeout(START_TIMEOUT_MS)
  while (!log.includes(ready)) {
    const [chunk] = await once(child.stderr, 'data', { signal }).catch((cause: unknown) => {
      throw new Error(`${command} did not start: ${log}`, { cause })
    })
    log += String(chunk)
  }
  child.stderr.resume()
  return {
    async stop() {
      const exit = once(child, 'exit')
      child.stdin.end()
      await exit
    },
  }
}
