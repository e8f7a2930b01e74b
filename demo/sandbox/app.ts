/** The route table, on one page. Paths and methods come from the contract; rules live behind them. */

import { Hono } from 'hono'
import { endpoints } from '../../server/contract/endpoints.ts'
import { findBalance } from './accounts.ts'
import { airtimeRoutes } from './airtime/routes.ts'
import { authenticate, whyNotAllowed } from './wire/tokens.ts'
import { readJson, readJsonOrForm } from './wire/body.ts'
import { findChargeStatus, postCharge } from './sessions/charge.ts'
import { findStatus, initiate } from './sessions/checkout.ts'
import { confirm } from './sessions/confirmation.ts'
import { controlRoutes } from './control/routes.ts'
import { answer, refuse, refuseAuthentication } from './wire/failure.ts'
import { strikeRequests } from './faults/requests.ts'
import { hostedPageRoutes } from './hosted-page/routes.tsx'
import { payoutRoutes } from './payouts/routes.ts'
import { refuseAt } from './refusal.ts'
import { logRequests } from './wire/request-log.ts'
import type { MiddlewareHandler } from 'hono'
import type { Fields } from './wire/body.ts'
import type { Result } from './wire/failure.ts'
import type { Stage } from './world.ts'

/** What takes a body of JSON and a token, and refuses in the shape of the checkout error object. */
const POSTS = [
  { endpoint: endpoints.initiateCheckout, take: initiate },
  { endpoint: endpoints.postCharge, take: postCharge },
  { endpoint: endpoints.confirmService, take: confirm },
] as const

/** @param publicUrl Origin of hosted pages; without it, the origin of the request. */
export function createApp(stage: Stage, publicUrl: string | undefined): Hono {
  const { authenticate: auth, getCheckoutStatus, getChargeStatus, getBalance, getRates } = endpoints
  const app = new Hono()
  const note = (request: Request, body: Result<Fields>) => {
    if ('value' in body) stage.world().requests.noteBody(request, body.value)
  }

  for (const paths of ['/v1/*', '/v2/*', '/transactions/*'])
    app.use(
      paths,
      logRequests(() => stage.world()),
      strikeRequests(stage),
    )

  app.on(auth.method, auth.path, async (c) => {
    const body = await readJsonOrForm(c.req.raw)
    note(c.req.raw, body)
    const result = 'failure' in body ? body : authenticate(stage.world(), body.value)
    return 'failure' in result ? refuseAuthentication(result.failure) : Response.json(result.value)
  })

  for (const { endpoint, take } of POSTS)
    app.on(endpoint.method, endpoint.path, requireToken(stage, endpoint.token), async (c) => {
      const body = await readJson(c.req.raw)
      note(c.req.raw, body)
      const origin = publicUrl ?? new URL(c.req.url).origin
      return answer('failure' in body ? body : take(stage.world(), body.value, origin))
    })

  app.on(
    getCheckoutStatus.method,
    getCheckoutStatus.path,
    requireToken(stage, getCheckoutStatus.token),
    (c) => answer(findStatus(stage.world(), c.req.param('merchant_transaction_id') ?? '')),
  )

  app.on(getChargeStatus.method, getChargeStatus.path, requireToken(stage, getChargeStatus.token), (c) =>
    answer(findChargeStatus(stage.world(), c.req.param('external_reference') ?? '')),
  )

  app.on(getBalance.method, getBalance.path, requireToken(stage, getBalance.token), (c) =>
    answer(findBalance(stage.world(), c.req.param('account_number') ?? '')),
  )

  app.on(getRates.method, getRates.path, requireToken(stage, getRates.token), (c) => {
    const { exchange, agenda } = stage.world()
    return answer(exchange.ratesFor(c.req.query('base_currency'), agenda.now()))
  })

  app.route('/', payoutRoutes(stage))
  app.route('/', airtimeRoutes(stage))
  app.route('/pay', hostedPageRoutes(stage))
  app.route('/_sandbox', controlRoutes(stage))

  app.notFound((c) => refuseAt(c.req.path, { reason: 'not_found', what: `${c.req.method} ${c.req.path}` }))
  app.onError((_, c) => refuseAt(c.req.path, { reason: 'broken' }))
  return app
}

/** [spec: Authentication, 1 and 6] */
function requireToken(stage: Stage, header: string): MiddlewareHandler {
  return async function accessToken(c, next) {
    const failure = whyNotAllowed(stage.world(), c.req.header(header))
    return failure ? refuse(failure) : next()
  }
}
