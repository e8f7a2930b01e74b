/** Creates the log of a server process: readable lines on a terminal, JSON lines elsewhere. */

import type { Writable } from 'node:stream'
import type { Config } from '../config.ts'
import type { Environment } from '../config/environment.ts'
import type { Log } from '../log.ts'
import { printableJson } from '../printable.ts'
import { readableLine } from './readable.ts'
import { hasColours } from './colours.ts'

export interface LogOutput {
  stdout: Writable & { isTTY?: boolean }
  env: Environment
}

export async function createLog({
  level,
  stdout,
  env,
}: LogOutput & { level: Config['logLevel'] }): Promise<Log> {
  const { pino } = await import('pino')
  const isColoured = hasColours(stdout, env)
  // A log line may contain text from the gateway. Control characters in this text could harm the reader's terminal.
  const write = stdout.isTTY
    ? (line: string) => void stdout.write(`${readableLine(line, isColoured)}\n`)
    : (line: string) => void stdout.write(printableJson(line))
  const log: Log = pino({ level }, { write })
  return log
}
