/** Refuses in the shape of the endpoint that was asked, where what refuses stands before or behind all of them. */

import { endpoints } from '../../server/contract/endpoints.ts'
import { refuse, refuseAuthentication } from './wire/failure.ts'
import { rejectFailure } from './wire/acknowledgement.ts'
import type { Failure } from './wire/failure.ts'

export function refuseAt(path: string, failure: Failure): Response {
  if (path === endpoints.authenticate.path) return refuseAuthentication(failure)
  if (path.startsWith('/v1/payouts/')) return rejectFailure('payout_reference', failure)
  return path.startsWith('/v1/gw/airtime/') ? rejectFailure('reference', failure) : refuse(failure)
}
