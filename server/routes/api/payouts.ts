/** `/api/payouts`: sent once, whoever repeats it, and followed until settled. */

import type { Context } from 'hono'
import type { Log } from '../../log.ts'
import type { Variant } from '../../payouts/record.ts'
import type { Submit, Submitted } from '../../payouts/submit.ts'
import type { MerchantAccount, Store } from '../../store.ts'
import type { Synchronizer } from '../../transactions/synchronizer.ts'
import { Hono } from 'hono'
import { TRACKED_OUTCOMES } from '../../api/tracked.ts'
import { readPayout } from '../../payouts/record.ts'
import { trackedOf } from '../../payouts/tracked.ts'
import { readBody } from '../body.ts'
import { answerList, positionOf, readListQuery } from '../listing.ts'
import { invalid, ProblemError } from '../problem.ts'

export interface PayoutApi {
  store: Store
  account: MerchantAccount
  synchronizer: Synchronizer
  log: Log
  submit: Submit
}

export function payoutApi({ store, account, synchronizer, log, submit }: PayoutApi): Hono {
  const app = new Hono()
  const pay = (variant: Variant) => async (c: Context) =>
    answerSubmitted(c, await submit(variant, await readBody(c)))

  app.post('/', pay('local'))
  app.post('/imt', pay('transfer'))
  app.post('/b2b', pay('b2b'))

  app.get('/', async (c) => {
    const rows = await store.search(account, 'payout', readListQuery(c, TRACKED_OUTCOMES))
    return answerList(c, rows, (row) => trackedOf(readPayout(row)), positionOf, log)
  })
  app.get('/:reference', async (c) => {
    const known = await store.findByReference(account, 'payout', c.req.param('reference'))
    const row = known && (await synchronizer.synchronizeWithin(known.id, 'poll'))
    if (!row) throw new ProblemError('unknown_payout', 'No payout has this reference.')
    return c.json(trackedOf(readPayout(row)))
  })

  return app
}

function answerSubmitted(c: Context, submitted: Submitted): Response {
  switch (submitted.kind) {
    case 'created':
      return c.json(trackedOf(submitted.payout), 201)
    case 'existing':
      return c.json(trackedOf(submitted.payout), 200)
    case 'invalid':
      throw invalid(submitted.errors)
    case 'reference_reused':
      throw new ProblemError('reference_reused', 'Another payout was sent under this payout_reference.')
  }
}
