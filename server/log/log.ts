/** The log of a server: its interface, and the implementation of a process. */

import { z } from 'zod'

import { parseJson } from '../contract/parse.ts'
import { printable, printableJson, printableLines, coloured, hasColours } from './printable.ts'

import type { Config } from '../config/config.ts'
import type { Environment } from '../config/variables.ts'
import type { Colour } from './printable.ts'
import type { Writable } from 'node:stream'

/**
 * A pino logger is compatible. The logged fields (`facts`) never contain a secret, a complete request or response body,
 * or payer details.
 */
export interface Log {
  /** Logs what helps to find a fault. */
  debug(facts: object, message: string): void
  /** Logs what happened as it should. */
  info(facts: object, message: string): void
  /** Logs what somebody should look at. */
  warn(facts: object, message: string): void
  /** Logs what failed. */
  error(facts: object, message: string): void
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

interface LogOptions {
  level: Config['logLevel']
  stdout: Writable & { isTTY?: boolean }
  env: Environment
}

/** Creates the log of a process: readable lines for a developer, JSON lines elsewhere. */
export async function createLog({ level, stdout, env }: LogOptions): Promise<Log> {
  const { pino } = await import('pino')
  const isColoured = hasColours(stdout, env)
  // A log that cannot be written, on a full disk or after its reader has ended, keeps nobody from paying.
  stdout.off('error', ignore).on('error', ignore)
  // A log line may contain text from the gateway. Control characters in this text could harm the reader's terminal.
  // A framework that runs the server for a developer may keep the terminal from it: `next dev`, Vite.
  const isForPerson = stdout.isTTY || env['NODE_ENV'] === 'development'
  const write = isForPerson
    ? (line: string) => void stdout.write(`${readableLine(line, isColoured)}\n`)
    : (line: string) => void stdout.write(printableJson(line))
  const log: Log = pino({ level }, { write })
  return log
}

function ignore(): void {}

/** A line of the log as pino writes it. The remaining fields are the facts. */
const Line = z
  .looseObject({
    level: z.int(),
    time: z.number(),
    msg: z.string(),
    err: z.looseObject({ message: z.string(), stack: z.string().exactOptional() }).optional(),
  })
  .catchall(z.unknown())

/** The mark of a line: the first whose `from` is not above pino's number of its level. */
const MARKS = [
  { from: 50, text: 'error', colour: 'red' },
  { from: 40, text: 'warning', colour: 'yellow' },
] as const
/** Fields that only machines need: they are in the JSON of a log that is no terminal. */
const HIDDEN = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err', 'trace_id'])

/**
 * Returns the line as text: the time, the message, and the facts as `name=value`. An error adds its message and, on
 * lines of its own, its stack. Control characters are replaced.
 *
 * @param json A line of JSON. Any other text is returned as it is, without control characters.
 */
function readableLine(json: string, isColoured: boolean): string {
  const { success, data } = Line.safeParse(parseJson(json))
  if (!success) {
    return printableLines(json.trimEnd())
  }

  const { level, time, msg, err, ...rest } = data
  const paint = (text: string, colour: Colour) => (isColoured ? coloured(text, colour) : text)
  const mark = MARKS.find(({ from }) => level >= from)
  const facts = Object.entries(rest)
    .filter(([name, value]) => !HIDDEN.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${printable(typeof value === 'string' ? value : JSON.stringify(value))}`)
  const at = new Date(time)
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0'))
  const reason = err ? printable(err.message) : ''
  const stack = err?.stack?.split('\n').slice(1).join('\n') ?? ''
  const line = [
    paint(clock.join(':'), 'dim'),
    mark ? paint(mark.text, mark.colour) : '',
    printable(msg),
    reason,
    paint(facts.join(' '), 'dim'),
  ]
  return [line.filter(Boolean).join(' '), paint(printableLines(stack), 'dim')].filter(Boolean).join('\n')
}
