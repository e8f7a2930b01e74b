import type { z } from 'zod'
import { createPortalAddress } from '../../server/callbacks/portal-address.ts'
import { readConfig } from '../../server/config.ts'
import { CheckoutPayload } from '../../server/contract/checkout.ts'
import { endpoints } from '../../server/contract/endpoints.ts'
import { GatewayError } from '../../server/gateway/errors.ts'
import { readAnswer } from '../../server/gateway/answer.ts'
import { parseJson } from '../../server/json.ts'
import { toReportedState } from '../../server/payins/reported-state.ts'
import { airtime } from '../support/spec-airtime.ts'
import { charge, confirmation } from '../support/spec-charges.ts'
import { authRequest, initiateRequest } from '../support/spec-shapes.ts'
import { ENVIRONMENT, START } from '../support/world.ts'
import { b2bPayout, localPayout, transfer } from '../support/spec-payouts.ts'
import { ANSWERS, REFUSALS, VALUES } from './gateway-answers.ts'
import { attackParser } from './parser.ts'
import { shapeOf } from './shape.ts'

const callback_url = 'https://pay.shop.example/callbacks/payouts/one'
const REQUESTS = {
  authenticate: authRequest,
  initiateCheckout: initiateRequest,
  initiatePayout: { ...localPayout, callback_url },
  initiateTransfer: { ...transfer, callback_url },
  initiateB2b: { ...b2bPayout, callback_url },
  sendAirtime: airtime,
  postCharge: charge,
  confirmService: confirmation,
}

for (const [name, example] of Object.entries(REQUESTS)) {
  const { request } = endpoints[name as keyof typeof REQUESTS]
  attackParser({
    name: `request of ${name}`,
    near: { examples: [example], shape: shapeOf(request) },
    parse: (text) => dataOf(request.safeParse(parseJson(text))),
  })
}

/** How often each answer is among the examples, of which seven are refusals. */
const MOSTLY = 10

for (const name of Object.keys(ANSWERS) as (keyof typeof ANSWERS)[]) {
  const examples = ANSWERS[name]
  const [first] = [examples[0]].flat()
  const requested = Object.fromEntries(
    Object.entries(endpoints[name].echoes).map(([field, from]) => [from, Object(first)[field]]),
  )
  attackParser({
    name: `answer of ${name}`,
    near: {
      examples: [...Array(MOSTLY).fill(examples).flat(), ...REFUSALS],
      values: VALUES,
      shape: shapeOf(endpoints[name].response),
    },
    parse(text, luck) {
      const status = luck.happens(0.8) ? 200 : luck.pick([201, 302, 400, 401, 404, 500])
      const answer: unknown = readAnswer<unknown>(endpoints[name], requested, {
        kind: 'answer',
        status,
        text,
      })
      const { data } = name === 'getCheckoutStatus' ? CheckoutPayload.safeParse(answer) : {}
      return data ? toReportedState(data, START, 'KES') : answer
    },
    refusals: [GatewayError],
  })
}

const CONFIG = readConfig(ENVIRONMENT)
const PORTAL = (['payouts', 'charges', 'airtime'] as const).map((chapter) =>
  createPortalAddress(chapter, CONFIG),
)
attackParser({
  name: 'body of a callback to the portal address',
  near: {
    examples: [
      ...ANSWERS.getPayoutStatus,
      ...ANSWERS.getCheckoutStatus,
      Object(ANSWERS.getAirtimeStatus[0])[0],
    ],
  },
  parse: (text, luck) => luck.pick(PORTAL).readReference(parseJson(text)),
})

function dataOf({ data, error }: z.ZodSafeParseResult<unknown>): unknown {
  if (error && error.issues.some(({ message }) => message.length > 1_000))
    throw new Error('A message is too long.')
  return data ?? null
}
