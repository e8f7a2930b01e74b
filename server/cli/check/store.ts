/** The checks of the store: whether it can be used, and what a charge in it proves. */

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'

import { readCharge } from '../../charges/record.ts'
import { deletedByBuild, describePlace, storePlaceOf } from '../../config/store-url.ts'
import { accountOf } from '../../store/merchant.ts'
import { exposuresOf } from '../../store/sqlite/files.ts'
import { CommandFailure } from '../shell.ts'
import { withStore } from '../store.ts'

import type { Config } from '../../config/config.ts'
import type { Store } from '../../store/store.ts'
import type { Context } from './context.ts'

/** Writes to the store as `/health/ready` does. Creates no SQLite file, which would belong to the wrong user. */
export async function checkStore({ config, fine, note, problem }: Context): Promise<void> {
  const place = storePlaceOf(config.storeUrl)
  if (place.engine === 'memory') {
    return note('STORE_URL is in memory: a restart loses every payment.')
  }

  const deleted = deletedByBuild(place)
  if (deleted !== null) {
    return problem(deleted)
  }

  // The name begins with "the", and a sentence with the name.
  const name = describePlace(place).replace(/^t/, 'T')
  if (place.engine === 'sqlite' && !existsSync(place.path)) {
    const folder = dirname(place.path)
    if (existsSync(folder)) {
      return note(`${name} does not exist yet. The server creates it at its first start.`)
    }
    return problem(`${name} cannot be created: ${folder} does not exist.`)
  }

  const failure = await useStore(config, async () => null)
  if (failure) {
    return problem(`${name}: ${failure.message}`)
  }

  fine(`${name} can be written.`)
  if (place.engine === 'sqlite') {
    for (const exposure of exposuresOf(place.path)) {
      note(exposure)
    }
  }
}

/** The outcomes that a status from the gateway causes. A refusal, which proves no status, also causes `failed`. */
const OUTCOMES = ['succeeded', 'reversed', 'refunded', 'failed'] as const

/**
 * Checks whether a status from the gateway has settled a charge of this merchant account. Sends no charge, because a
 * charge would take money.
 */
export async function checkCharges({ config, fine, note }: Context): Promise<void> {
  const { charges } = config
  if (!charges) {
    return note('GATEWAY_CHARGE_PATH is not set: charges and splits are off.')
  }

  const lists = await useStore(config, (store) =>
    Promise.all(
      OUTCOMES.map((outcome) => store.search(accountOf(config), 'charge', { outcome, limit: 100 })),
    ),
  )
  // The check of the store reports that it cannot be used.
  const rows = lists instanceof CommandFailure ? [] : lists.flat()
  const records = rows.map((row) => readCharge(row).record)
  const isProven = records.some((record) => record.phase === 'open' && record.settled_at !== null)
  const paths = `Charges are sent to ${charges.path} and queried at ${charges.statusPath}.`
  if (isProven) {
    return fine(`${paths} A charge has been followed to its end.`)
  }

  note(
    `${paths} Unproven: no charge has been followed to its end yet. Send one of a small amount, and query it.`,
  )
}

/** Returns what `work` returns, or why the store cannot be used. */
async function useStore<T>(config: Config, work: (store: Store) => Promise<T>): Promise<T | CommandFailure> {
  try {
    return await withStore(config, work)
  } catch (error) {
    if (error instanceof CommandFailure) {
      return error
    }
    throw error
  }
}
