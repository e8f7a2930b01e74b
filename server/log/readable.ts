/** Formats a line of the log for a person at a terminal. Pure. */

import type { Colour } from './colours.ts'
import { z } from 'zod'
import { parseJson } from '../json.ts'
import { printable, printableLines } from '../printable.ts'
import { coloured } from './colours.ts'

/** A line of the log as pino writes it. The remaining fields are the facts. */
const Line = z
  .looseObject({
    level: z.int(),
    time: z.number(),
    msg: z.string(),
    err: z.looseObject({ message: z.string(), stack: z.string().exactOptional() }).optional(),
  })
  .catchall(z.unknown())

/** pino's numbers of levels, from which a line is marked. */
const LEVELS = { error: 50, warning: 40 } as const
const MARKS = { error: 'red', warning: 'yellow' } as const satisfies Record<string, Colour>
/** Fields that only machines need: they are in the JSON of a log that is no terminal. */
const HIDDEN = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err', 'trace_id'])

/**
 * Returns the line as text: the time, the message, and the facts as `name=value`. An error adds its message and, on
 * lines of its own, its stack. Control characters are replaced.
 *
 * @param json A line of JSON. Any other text is returned as it is, without control characters.
 */
export function readableLine(json: string, isColoured: boolean): string {
  const { success, data } = Line.safeParse(parseJson(json))
  if (!success) return printableLines(json.trimEnd())
  const { level, time, msg, err, ...rest } = data
  const paint = (text: string, colour: Colour) => (isColoured ? coloured(text, colour) : text)
  const mark = level >= LEVELS.error ? 'error' : level >= LEVELS.warning ? 'warning' : null
  const facts = Object.entries(rest)
    .filter(([name, value]) => !HIDDEN.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${printable(typeof value === 'string' ? value : JSON.stringify(value))}`)
  const at = new Date(time)
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0'))
  const reason = err ? printable(err.message) : ''
  const stack = err?.stack?.split('\n').slice(1).join('\n') ?? ''
  const line = [
    paint(clock.join(':'), 'dim'),
    mark === null ? '' : paint(mark, MARKS[mark]),
    printable(msg),
    reason,
    paint(facts.join(' '), 'dim'),
  ]
  return [line.filter(Boolean).join(' '), paint(printableLines(stack), 'dim')].filter(Boolean).join('\n')
}
