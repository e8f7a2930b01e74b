/** Reads the file `.env`, in which a merchant keeps the variables of this server. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as util from 'node:util'
import { z } from 'zod'

import { ConfigError } from './config.ts'
import { problemOfFile } from './private-file.ts'
import { readTextFile, whyUnreadable } from './text-file.ts'
import { isVariable } from './variables.ts'

import type { Environment } from './variables.ts'

/**
 * A line whose value Node cuts at a `#` that the writer meant as part of it: without quotes, and with no space before
 * the `#` (`A=abc#def`), or beginning with it (`A=#abc`). Its groups are the name, and what is left of the value.
 */
const CUT = /^[^\S\n]*(?:export[^\S\n]+)?(\w+)[^\S\n]*=([^\S\n]*[^\s'"`#][^#\n]*(?<=\S)|)#/gm

const Missing = z.object({ code: z.literal('ENOENT') })

/**
 * Returns the variables of `env` and those of the file `.env` in `folder`. A variable that is set in `env` takes
 * precedence. Node's own rules apply: a value with `#` or spaces at its ends needs quotes.
 *
 * @throws {ConfigError} if another user can change the file, if it cannot be read, or if it cuts a value of this server at
 * `#`.
 */
export function withEnvFile(env: Environment, folder: string): Environment {
  const path = join(folder, '.env')
  const text = readIfPresent(path)
  // Runtimes without this function, such as Bun, read the file themselves.
  if (text === null || !('parseEnv' in util)) {
    return env
  }

  const problem = problemOfFile(path)
  if (problem !== null) {
    throw new ConfigError([`${path} ${problem}.`])
  }

  const variables = { ...util.parseEnv(text), ...env }
  const cut = [...text.matchAll(CUT)]
    // Also if the variable is set already: Node with --env-file, for example, has then cut the value in the same way.
    .filter(([, name = '', value = '']) => isVariable(name) && variables[name] === value.trim())
    .map(([, name]) => `${name} in ${path} is cut at #: put it in quotes.`)
  if (cut.length > 0) {
    throw new ConfigError(cut)
  }
  return variables
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
