/** Starts Postgres and PgBouncer as child processes, which never run as root. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'

export interface ServerProcess {
  stop(): Promise<void>
}

/** The id of a user without privileges: Postgres and PgBouncer refuse to run as root. */
export const NOBODY = 65_534
export const isRoot = process.getuid?.() === 0
export const asNobody = { cwd: tmpdir(), ...(isRoot && { uid: NOBODY, gid: NOBODY }) }

const START_TIMEOUT_MS = 60_000

interface ServerOptions {
  /** The text on standard error that shows that the server is ready. */
  ready: string
  /** The signal that stops the server immediately. */
  stop: 'QUIT' | 'TERM'
}

/** Starts a server that stops when its standard input is closed, so it ends with the tests, even after a crash. */
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
