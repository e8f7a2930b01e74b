// The routes of `/_sandbox` that apply a scenario to one transaction of a merchant.

import { Hono } from 'hono'
import { z } from 'zod'

import { possibleMsisdn, text } from '../../../server/contract/fields.ts'
import { refuse } from '../errors/error-response.ts'
import { Failure, transactionUnknown } from '../errors/failure.ts'
import { entryOf } from '../money-out/airtime-recipient.ts'
import { play } from '../money-out/operator.ts'
import { planScenario } from '../money-out/payout-acceptance.ts'
import { payoutPayloadOf } from '../money-out/payout.ts'
import { isPayableAmount } from '../money/amounts.ts'
import { isScenarioOf, SCENARIOS } from '../scenarios.ts'
import { playScenario } from '../sessions/customer.ts'
import { payloadOf } from '../sessions/session.ts'
import { answer } from './answer.ts'

import type { Kind } from '../scenarios.ts'
import type { World } from '../world.ts'
import type { Context } from 'hono'

const scenarioFor = <K extends Kind>(kind: K) =>
  z.string().refine(isScenarioOf(kind), `must be a scenario of GET /_sandbox/scenarios with "${kind}"`)

/** Every field is optional: the sandbox chooses what a test leaves out. */
const CheckoutPlay = z.object({
  scenario: scenarioFor('checkout').optional(),
  amount: z
    .preprocess((value) => (typeof value === 'number' ? String(value) : value), z.string())
    .refine(isPayableAmount, 'must be a positive amount with at most two fraction digits')
    .optional(),
  msisdn: possibleMsisdn.optional(),
  method: text(32).optional(),
})
const PayoutPlay = z.object({ scenario: scenarioFor('payout') })
const AirtimePlay = z.object({ scenario: scenarioFor('airtime') })

/** @param worldOf Returns the world of the merchant whom a request concerns. */
export function playRoutes(worldOf: (c: Context) => World): Hono {
  const routes = new Hono()

  // The id may also be the `external_reference` of a charge.
  routes.post('/checkouts/:id/pay', async (c) => {
    const world = worldOf(c)
    const id = c.req.param('id')
    const session = world.sessions.get(id)
    if (!session) {
      return refuse(transactionUnknown('transaction', 'merchant_transaction_id', id))
    }

    return answer(c, CheckoutPlay, (body) => {
      const payer = { methodCode: body.method ?? session.methodCode, msisdn: body.msisdn ?? session.msisdn }
      const choice = { scenario: body.scenario ?? null, amount: body.amount ?? null }
      const failure = playScenario(world, session, payer, choice)
      return failure ?? payloadOf(session, world.clock.now())
    })
  })

  // A payout that does not exist yet plays its scenario when it is created.
  routes.post('/payouts/:payout_reference/play', (c) => {
    const world = worldOf(c)
    const payout_reference = c.req.param('payout_reference')
    const payout = world.payouts.get(payout_reference)
    if (!payout) {
      return answer(
        c,
        PayoutPlay,
        ({ scenario }) =>
          planScenario(world, payout_reference, scenario) ?? { payout_reference, awaited: scenario },
        202,
      )
    }

    return answer(
      c,
      PayoutPlay,
      ({ scenario }) => play(world, payout, SCENARIOS[scenario].payout) ?? payoutPayloadOf(payout),
    )
  })

  routes.post('/airtime/:reference/:phone_number/play', (c) => {
    const world = worldOf(c)
    const { reference, phone_number } = c.req.param()
    return answer(c, AirtimePlay, ({ scenario }) => {
      const recipient = world.airtime.get(reference)?.recipients.get(phone_number)
      if (!recipient) {
        return new Failure('not_found', `There is no airtime ${reference} to ${phone_number}.`)
      }
      return play(world, recipient, SCENARIOS[scenario].airtime) ?? entryOf(recipient)
    })
  })

  return routes
}
