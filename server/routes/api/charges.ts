/** `/api/charges`: sent once, whoever repeats it, followed until settled, and confirmed when it was served. */

import type { Context } from 'hono'
import type { ConfirmService, ServiceConfirmed } from '../../payins/confirm-service.ts'
import type { SubmitCharge, SubmittedCharge } from '../../charges/submit.ts'
import type { Log } from '../../log.ts'
import type { MerchantAccount, Store } from '../../store.ts'
import type { Synchronizer } from '../../transactions/synchronizer.ts'
import { Hono } from 'hono'
import { readCharge } from '../../charges/record.ts'
import { trackedOf } from '../../charges/tracked.ts'
import { Confirmation } from '../../contract/charge.ts'
import { TRACKED_OUTCOMES } from '../../api/tracked.ts'
import { trackedFulfilmentOf } from '../../payins/service-confirmation.ts'
import { readBody } from '../body.ts'
import { answerList, positionOf, readListQuery } from '../listing.ts'
import { chargesOff, invalid, ProblemError, readGiven } from '../problem.ts'

export interface ChargeApi {
  store: Store
  account: MerchantAccount
  synchronizer: Synchronizer
  log: Log
  submitCharge: SubmitCharge
  confirmService: ConfirmService
}

export const AcknowledgeBody = Confirmation.omit({ payment_id: true })

export function chargeApi({
  store,
  account,
  synchronizer,
  log,
  submitCharge,
  confirmService,
}: ChargeApi): Hono {
  const app = new Hono()

  app.post('/', async (c) => answerSubmitted(c, await submitCharge(await readBody(c))))
  app.get('/', async (c) => {
    const rows = await store.search(account, 'charge', readListQuery(c, TRACKED_OUTCOMES))
    return answerList(c, rows, (row) => trackedOf(readCharge(row)), positionOf, log)
  })
  app.get('/:reference', async (c) => {
    const known = await store.findByReference(account, 'charge', c.req.param('reference'))
    const row = known && (await synchronizer.synchronizeWithin(known.id, 'poll'))
    if (!row) throw new ProblemError('unknown_charge', 'No charge has this reference.')
    return c.json(trackedOf(readCharge(row)))
  })
  app.post('/:reference/acknowledge', async (c) => {
    const said = readGiven(AcknowledgeBody, await readBody(c))
    return answerAcknowledged(c, await confirmService(c.req.param('reference'), said))
  })

  return app
}

function answerSubmitted(c: Context, submitted: SubmittedCharge): Response {
  switch (submitted.kind) {
    case 'created':
      return c.json(trackedOf(submitted.charge), 201)
    case 'existing':
      return c.json(trackedOf(submitted.charge), 200)
    case 'invalid':
      throw invalid(submitted.errors)
    case 'reference_reused':
      throw new ProblemError('reference_reused', 'Another charge was sent under this external_reference.')
    case 'charges_off':
      throw chargesOff()
  }
}

function answerAcknowledged(c: Context, acknowledged: ServiceConfirmed): Response {
  switch (acknowledged.kind) {
    case 'decided': {
      const fulfilment = trackedFulfilmentOf(acknowledged.confirmation)
      return c.json(fulfilment, fulfilment.stage === 'decided' ? 202 : 200)
    }
    case 'unknown':
      throw new ProblemError('unknown_charge', 'No charge, and no checkout with splits, has this reference.')
    case 'not_paid':
      throw new ProblemError(
        'charge_not_paid',
        'There is nothing to confirm: it is not paid, or the money has left again.',
      )
    case 'decided_otherwise':
      throw new ProblemError(
        'acknowledged_otherwise',
        `It was acknowledged as ${acknowledged.status} before, and the first word counts.`,
      )
  }
}
