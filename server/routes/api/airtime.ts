/** `/api/airtime`: sent to each recipient once, whoever repeats it, and followed until all are settled. */

import type { Context } from 'hono'
import type { SubmitAirtime, SubmittedAirtime } from '../../airtime/submit.ts'
import type { Log } from '../../log.ts'
import type { MerchantAccount, Store } from '../../store.ts'
import type { Synchronizer } from '../../transactions/synchronizer.ts'
import { Hono } from 'hono'
import { readAirtime } from '../../airtime/record.ts'
import { listedOf, trackedOf } from '../../airtime/tracked.ts'
import { AIRTIME_OUTCOMES } from '../../api/airtime.ts'
import { mapLimit } from '../../map-limit.ts'
import { readBody } from '../body.ts'
import { answerList, positionOf, readListQuery } from '../listing.ts'
import { invalid, ProblemError } from '../problem.ts'

export interface AirtimeApi {
  store: Store
  account: MerchantAccount
  synchronizer: Synchronizer
  log: Log
  submitAirtime: SubmitAirtime
}

/** Room for a hundred thousand recipients, written so that a person can read them. */
const MAX_BODY_BYTES = 16_000_000
const MOST_ASKED_AT_ONCE = 4

export function airtimeApi({ store, account, synchronizer, log, submitAirtime }: AirtimeApi): Hono {
  const app = new Hono()

  app.post('/', async (c) => {
    const body = await readBody(c, MAX_BODY_BYTES)
    return answerSubmitted(c, await submitAirtime(body, c.req.raw.signal))
  })
  app.get('/', async (c) => {
    const rows = await store.search(account, 'airtime', readListQuery(c, AIRTIME_OUTCOMES))
    return answerList(c, rows, (row) => listedOf(readAirtime(row)), positionOf, log)
  })
  app.get('/:reference', async (c) => {
    const stored = await store.list(account, 'airtime', c.req.param('reference'))
    const [first, ...others] = await mapLimit(stored, MOST_ASKED_AT_ONCE, async (row) =>
      readAirtime((await synchronizer.synchronizeWithin(row.id, 'poll')) ?? row),
    )
    if (!first) throw new ProblemError('unknown_airtime', 'No airtime has this reference.')
    return c.json(trackedOf([first, ...others]))
  })

  return app
}

function answerSubmitted(c: Context, submitted: SubmittedAirtime): Response {
  switch (submitted.kind) {
    case 'created':
      return c.json(trackedOf(submitted.requests), 201)
    case 'existing':
      return c.json(trackedOf(submitted.requests), 200)
    case 'invalid':
      throw invalid(submitted.errors)
    case 'reference_reused':
      throw new ProblemError('reference_reused', 'Another list was sent under this reference.')
  }
}
