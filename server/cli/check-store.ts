/** The part of the command `check` that opens the store. */

import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config.ts'
import type { Finding } from './finding.ts'
import { deletedByBuild, placeOf, sqliteFileOf } from '../store/place.ts'
import { CommandFailure } from './exit-code.ts'
import { fine, note, problem } from './finding.ts'
import { openConfiguredStore } from './open-store.ts'

const WHAT = 'store'

/** Writes to the store as `/health/ready` does. Creates no SQLite file, which would belong to the wrong user. */
export async function checkStore(config: Pick<Config, 'storeUrl'>): Promise<Finding> {
  const url = config.storeUrl.reveal()
  if (url === 'sqlite::memory:') return note(WHAT, 'STORE_URL is in memory: a restart loses every payment.')
  const deleted = deletedByBuild(url)
  if (deleted !== null) return problem(WHAT, deleted)
  const place = placeOf(url).replace(/^t/, 'T')
  const file = sqliteFileOf(url)
  if (file !== null && !existsSync(file)) return checkFolder(place, dirname(file))
  try {
    const store = await openConfiguredStore(config, { isCommand: true })
    await store.close()
    return fine(WHAT, `${place} can be written.`)
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error
    return problem(WHAT, `${place}: ${error.message}`)
  }
}

function checkFolder(place: string, folder: string): Finding {
  try {
    accessSync(folder, constants.W_OK)
    return note(WHAT, `${place} does not exist yet. The server creates it at its first start.`)
  } catch {
    return problem(WHAT, `${place} cannot be created: ${folder} does not exist, or cannot be written.`)
  }
}
