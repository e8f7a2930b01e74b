import { Hono } from 'hono'
import { z } from 'zod'
import { possibleMsisdn, text } from '../../../server/contract/fields.ts'
import { playScenario as playAirtime } from '../airtime/network.ts'
import { entryOf } from '../airtime/recipient.ts'
import { isPayableAmount } from '../money/amounts.ts'
import { planScenario, playScenario as playPayout } from '../payouts/operator.ts'
import { payoutPayloadOf } from '../payouts/result.ts'
import { isAirtimeScenario, isCheckoutScenario, isPayoutScenario } from '../scenarios.ts'
import { playScenario as playCheckout } from '../sessions/customer.ts'
import { payloadOf } from '../sessions/session.ts'
import { readAs } from '../wire/body.ts'
import { refuse } from '../wire/failure.ts'
import type { WorldOf } from './world-of.ts'

const CheckoutPlay = z.object({
  scenario: z
    .string()
    .refine(isCheckoutScenario, 'must be a checkout scenario of GET /_sandbox/scenarios')
    .optional(),
  amount: z
    .preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string())
    .refine(isPayableAmount, 'must be a positive amount with at most two fraction digits')
    .optional(),
  msisdn: possibleMsisdn.optional(),
  method: text(32).optional(),
})
const PayoutPlay = z.object({
  scenario: z.string().refine(isPayoutScenario, 'must be a payout scenario of GET /_sandbox/scenarios'),
})
const AirtimePlay = z.object({
  scenario: z.string().refine(isAirtimeScenario, 'must be an airtime scenario of GET /_sandbox/scenarios'),
})

export function transactionRoutes(worldOf: WorldOf): Hono {
  const routes = new Hono()

  // The id may also be the `external_reference` of a charge.
  routes.post('/checkouts/:merchant_transaction_id/pay', async (c) => {
    const world = worldOf(c)
    const id = c.req.param('merchant_transaction_id')
    const session = world.sessions.get(id)
    if (!session) {
      const transaction = `merchant_transaction_id ${JSON.stringify(id)}`
      return refuse({ reason: 'transaction_unknown', transaction })
    }
    const body = await readAs(c.req.raw, CheckoutPlay)
    if ('failure' in body) return refuse(body.failure)
    const { scenario = null, amount = null } = body.value
    const { msisdn = session.msisdn, method: methodCode = session.methodCode } = body.value
    const failure = playCheckout(world, session, { methodCode, msisdn }, { scenario, amount })
    return failure ? refuse(failure) : Response.json(payloadOf(session, world.clock.now()))
  })

  // The scenario of an unknown payout is stored until the payout is created.
  routes.post('/payouts/:payout_reference/play', async (c) => {
    const body = await readAs(c.req.raw, PayoutPlay)
    if ('failure' in body) return refuse(body.failure)
    const { scenario } = body.value
    const payout_reference = c.req.param('payout_reference')
    const world = worldOf(c)
    const payout = world.payouts.get(payout_reference)
    if (payout) {
      const failure = playPayout(world, payout, scenario)
      return failure ? refuse(failure) : Response.json(payoutPayloadOf(payout))
    }
    const failure = planScenario(world, payout_reference, scenario)
    if (failure) return refuse(failure)
    return Response.json({ payout_reference, awaited: scenario }, { status: 202 })
  })

  routes.post('/airtime/:reference/:phone_number/play', async (c) => {
    const body = await readAs(c.req.raw, AirtimePlay)
    if ('failure' in body) return refuse(body.failure)
    const { reference, phone_number } = c.req.param()
    const world = worldOf(c)
    const recipient = world.airtime.get(reference)?.recipients.get(phone_number)
    if (!recipient) return refuse({ reason: 'not_found', what: `airtime ${reference} to ${phone_number}` })
    const failure = playAirtime(world, recipient, body.value.scenario)
    return failure ? refuse(failure) : Response.json(entryOf(recipient))
  })

  return routes
}
