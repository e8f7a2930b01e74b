/**
 * Detects that the database was restored from a dump or a backup, or promoted from a standby server. The gateway may
 * then know newer states of transactions than the database.
 *
 * [assumed] Some databases that are compatible with Postgres, or managed, lack or refuse the functions that identify them.
 * There, every identity is 'unknown', so a restore is only noticed while tables are missing.
 */

import { z } from 'zod'

import type { Query } from '../driver.ts'

/**
 * SQL expression: the identity of the database. It consists of the cluster's id, the cluster's timeline and the object
 * id of the table `transactions`. Restoring or promoting a cluster begins a new timeline. Restoring a dump creates new
 * tables.
 */
const IDENTITY = `concat_ws('/', (SELECT system_identifier FROM pg_control_system()),
  left(pg_walfile_name(pg_current_wal_lsn()), 8), 'gateway_checkout.transactions'::regclass::oid)`
/** SQLSTATEs for a function that is not defined, is not supported, or may not be executed by the user. */
const NO_FUNCTION = ['42883', '0A000', '42501']
/** SQLSTATEs for a schema or a table that does not exist. */
const NO_TABLES = ['3F000', '42P01']

const OriginRows = z.tuple([z.object({ current: z.string(), stored: z.string().nullable() })])
/** An error of the npm package `pg`. It has a code if the database server, or a system call, reported it. */
export const DriverError = z.object({ code: z.string().default(''), message: z.string() })

/** Thrown if the database was restored or promoted, and not recovered since. `toStoreError` completes the sentence. */
class OriginError extends Error {
  constructor() {
    super(
      'it was restored or promoted, and the gateway may know newer payments. Stop every server, and run "gateway-checkout-server recover" first',
    )
  }
}

export type OriginGuard = Awaited<ReturnType<typeof createOriginGuard>>

/**
 * Compares the identity of the database with the stored one. The first server stores it. Resolves with functions that
 * refuse a database which is restored or promoted while this process uses it. The refusal lasts until the process ends,
 * also after `recover`: rows that the process knows may be newer than the database.
 *
 * @throws {OriginError} if the identities differ.
 */
export async function createOriginGuard(query: Query) {
  const { current: identity } = await readOrigin(query)
  // Another process may insert the row at the same time. The row is therefore read again.
  await query('INSERT INTO gateway_checkout.origin VALUES (1, $1) ON CONFLICT DO NOTHING', identity)
  if ((await readOrigin(query)).stored !== identity) {
    throw new OriginError()
  }

  let refusal: OriginError | null = null
  return { check, compare, noteFailure }

  /** @throws {OriginError} if the database was found restored or promoted before. */
  function check(): void {
    if (refusal) {
      throw refusal
    }
  }

  /** @throws {OriginError} if the identity differs, or differed before. */
  async function compare(queryNow: Query): Promise<void> {
    check()
    if ((await readOrigin(queryNow)).current !== identity) {
      refusal ??= new OriginError()
    }

    check()
  }

  /**
   * Notes the error of a statement, and returns the error to report. If tables are missing, the database is being
   * restored, and is refused from now on. While it is refused, that is the error to report, whatever else has failed.
   */
  function noteFailure(error: unknown): unknown {
    if (NO_TABLES.includes(codeOf(error))) {
      refusal ??= new OriginError()
    }
    return refusal ?? error
  }
}

/**
 * Returns a SQL condition: the restored backup contained the row. Rows that a server wrote before it noticed are newer.
 *
 * [assumed] One database transaction has restored all rows of the table from a dump: a single COPY, which `pg_dump`
 * writes by default, or `--single-transaction`. Otherwise, only the rows that were restored first fulfil the condition,
 * and the time until which changes are known is too early.
 */
export async function findRestored(query: Query): Promise<string> {
  const { current, stored } = await readOrigin(query)
  const isDump = stored !== null && tableOf(stored) !== tableOf(current)
  return isDump ? 'age(xmin) = (SELECT max(age(xmin)) FROM gateway_checkout.transactions)' : 'true'
}

/** Returns the object id of the table `transactions` in an identity. A restored dump has another. */
function tableOf(identity: string): string | undefined {
  return identity.split('/')[2]
}

async function readOrigin(query: Query, identity = IDENTITY): Promise<z.infer<typeof OriginRows>[0]> {
  try {
    const stored = '(SELECT identity FROM gateway_checkout.origin)'
    return OriginRows.parse(await query(`SELECT ${identity} AS current, ${stored} AS stored`))[0]
  } catch (error) {
    if (identity === IDENTITY && NO_FUNCTION.includes(codeOf(error))) {
      return readOrigin(query, `'unknown'`)
    }
    throw error
  }
}

function codeOf(error: unknown): string {
  return DriverError.safeParse(error).data?.code ?? ''
}
