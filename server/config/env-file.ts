/** Reads the file `.env`, in which a merchant keeps the variables of this server. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

import { ConfigError } from './config-error.ts'
import { problemOfFile } from './private-file.ts'
import { readTextFile, whyUnreadable } from './text-file.ts'

import type { Environment } from './variables.ts'

/** What an editor shows as the end of a line. */
const LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/
const COMMENT = /^[ \t]*(?:#.*)?$/
/** Its groups are the name, and the value as it is written, with what follows it. */
const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=(.*)$/
/** A value in quotes, which it does not contain. Its groups are the quote and the value. */
const QUOTED = /^[ \t]*(['"`])((?:(?!\1).)*)\1[ \t]*(?:#.*)?$/
/** A value without quotes, and a comment after a space. Its group is the value. */
const PLAIN = /^[ \t]*((?:[^\s'"`#](?:[^#]*[^\s#])?)?)(?:[ \t]+#.*|[ \t]*)$/

const Missing = z.object({ code: z.literal('ENOENT') })

/**
 * Returns the variables of `env` and those of the file `.env` in `folder`. A variable that is set in `env` takes
 * precedence. Each line is empty, a comment, or one assignment whose value ends in it: of a line that disappears into
 * another one, nobody would notice that it had the price, the share or the password. Node's own reader lets lines
 * disappear, at a quote that is open or a comment after a space.
 *
 * @throws {ConfigError} if another user can change the file, if it cannot be read, or if a line is nothing of these.
 */
export function withEnvFile(env: Environment, folder: string): Environment {
  const path = join(folder, '.env')
  const text = readIfPresent(path)
  if (text === null) {
    return env
  }

  const problem = problemOfFile(path)
  if (problem !== null) {
    throw new ConfigError([`${path} ${problem}.`])
  }

  const { variables, faults } = readLines(text)
  if (faults.length > 0) {
    throw new ConfigError(faults.map(({ line, fault }) => `${path}, line ${line}: ${fault}.`))
  }
  return { ...Object.fromEntries(variables), ...env }
}

/** A line that cannot be read, by its number; `fault` has no value of it. */
interface Fault {
  line: number
  fault: string
}

function readLines(text: string): { variables: Map<string, string>; faults: Fault[] } {
  const variables = new Map<string, string>()
  const faults: Fault[] = []
  for (const [index, line] of text.split(LINE_END).entries()) {
    const read = COMMENT.test(line) ? null : readAssignment(line)
    if (read === null) {
      continue
    }

    if (typeof read === 'string') {
      faults.push({ line: index + 1, fault: read })
    } else if ((variables.get(read.name) ?? read.value) === read.value) {
      variables.set(read.name, read.value)
    } else {
      faults.push({ line: index + 1, fault: `${read.name} has another value above. Keep one of the lines` })
    }
  }

  return { variables, faults }
}

/** Returns the assignment of a line, or what is wrong with it. */
function readAssignment(line: string): { name: string; value: string } | string {
  const [, name, rest = ''] = ASSIGNMENT.exec(line) ?? []
  if (name === undefined) {
    return 'it is no comment, and no assignment such as NAME=value'
  }

  const value = valueIn(rest)
  return value === null
    ? `the end of the value of ${name} is not clear. Put it in one line, in quotes that it does not contain`
    : { name, value }
}

/** Returns the value that is written after the name, or `null` if its end is not clear. */
function valueIn(rest: string): string | null {
  const [, quote, quoted] = QUOTED.exec(rest) ?? []
  if (quoted !== undefined) {
    return quote === '"' ? quoted.replaceAll('\\n', '\n') : quoted
  }
  return PLAIN.exec(rest)?.[1] ?? null
}

/**
 * Adds to an error about missing variables that there is no file `.env` in `folder`, if that is so. Returns any other
 * error unchanged.
 */
export function namingAbsentFile(error: unknown, folder: string): unknown {
  if (!(error instanceof ConfigError) || existsSync(join(folder, '.env'))) {
    return error
  }
  // `missingText` of a variable contains these words.
  if (!error.problems.some((text) => text.includes(' is required'))) {
    return error
  }
  return new ConfigError([`There is no file .env in ${folder}.`, ...error.problems])
}

function readIfPresent(path: string): string | null {
  try {
    return readTextFile(path)
  } catch (cause) {
    if (Missing.safeParse(cause).success) {
      return null
    }
    throw new ConfigError([`${path} cannot be read${whyUnreadable(cause)}`])
  }
}
