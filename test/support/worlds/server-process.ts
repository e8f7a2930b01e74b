import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'

export interface ServerProcess {
  stop(): Promise<void>
}

// Postgres and PgBouncer refuse to run as root.
export const NOBODY = 65_534
export const isRoot = process.getuid?.() === 0
const asNobody = { cwd: tmpdir(), ...(isRoot && { uid: NOBODY, gid: NOBODY }) }

const START_TIMEOUT_MS = 60_000

interface ServerOptions {
  ready: string
  stop: 'QUIT' | 'TERM'
  /** Folders that belong to the server's user. They are removed when the test process ends before `stop`. */
  folders?: readonly string[]
}

/**
 * Starts a server that stops when its standard input closes. The end of the test process, also by a crash, closes the
 * input, too.
 */
export async function startServer(
  command: string,
  parameters: string[],
  { ready, stop, folders = [] }: ServerOptions,
): Promise<ServerProcess> {
  const untilClosed = `"$0" "$@" & read -r told; kill -${stop} $!; wait; test "$told" || rm -rf $FOLDERS`
  const child = spawn('sh', ['-c', untilClosed, command, ...parameters], {
    ...asNobody,
    env: { ...process.env, FOLDERS: folders.join(' ') },
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
      child.stdin.end('stop\n')
      await exit
    },
  }
}

export async function runOnce(command: string, parameters: string[]): Promise<void> {
  const child = spawn(command, parameters, { ...asNobody, stdio: ['ignore', 'ignore', 'pipe'] })
  const [[code], messages] = await Promise.all([once(child, 'close'), text(child.stderr)])
  if (code !== 0) {
    throw new Error(`${command} failed: ${messages}`)
  }
}
