/** Reads the file `.env`, in which a merchant keeps the variables of this server. */

import type { Environment } from './config.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as util from 'node:util'
import { z } from 'zod'
import { ConfigError } from './config.ts'

const SystemError = z.object({ code: z.string() })

/**
 * Returns the variables of `env` and those of the file `.env` in `folder`. A variable that is set in `env` takes
 * precedence. Node's own rules apply: a value with `#` or spaces at its ends needs quotes.
 *
 * @throws {ConfigError} if the file exists and cannot be read.
 */
export function withEnvFile(env: Environment, folder: string): Environment {
  const text = readIfPresent(join(folder, '.env'))
  // Runtimes without this function, such as Bun, read the file themselves.
  if (text === null || !('parseEnv' in util)) return env
  return { ...util.parseEnv(text), ...env }
}

function readIfPresent(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const { data } = SystemError.safeParse(cause)
    if (data?.code === 'ENOENT') return null
    throw new ConfigError([`${path} cannot be read${data ? ` (${data.code})` : ''}.`])
  }
}
