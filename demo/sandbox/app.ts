import { Hono } from 'hono'
import { endpoints } from '../../server/contract/endpoints.ts'
import { airtimeRoutes } from './airtime/routes.ts'
import { controlRoutes } from './control/routes.ts'
import { hostedPageRoutes } from './hosted-page/routes.tsx'
import { MERCHANT } from './merchant.ts'
import { payoutRoutes } from './payouts/routes.ts'
import { findChargeStatus, postCharge } from './sessions/charge.ts'
import { findStatus, initiate } from './sessions/checkout.ts'
import { confirm } from './sessions/confirmation.ts'
import { refuseOtherSites, requireKnownHost } from './wire/access.ts'
import { refuseAt } from './wire/acknowledgement.ts'
import { readJson, readJsonOrForm } from './wire/body.ts'
import { refuse, refuseAuthentication, respond } from './wire/failure.ts'
import { applyRequestFaults } from './wire/faults.ts'
import { logRequests } from './wire/request-log.ts'
import type { MiddlewareHandler } from 'hono'
import type { Balance } from '../../server/contract/account.ts'
import type { Result } from './wire/failure.ts'
import type { Fields } from './wire/fields.ts'
import type { Simulation, World } from './world.ts'

const POSTS = [
  { endpoint: endpoints.initiateCheckout, respondTo: initiate, success: 200 },
  { endpoint: endpoints.postCharge, respondTo: postCharge, success: 201 },
  { endpoint: endpoints.confirmService, respondTo: confirm, success: 200 },
] as const

// [assumed] Endpoints of an older generation of the gateway, as seen in practice.
const OLDER_GENERATION: Readonly<Record<string, string>> = {
  'POST /api/v1/api-auth/access-token':
    'An older generation of the gateway has this path. Use POST /v1/auth.',
  'GET /api/v1/checkout/request/status':
    'An older generation of the gateway has this path. Use GET /v2/checkout/status/{merchant_transaction_id}.',
}

/**
 * Creates the HTTP application of the sandbox.
 *
 * @param publicUrl The origin of the hosted pages' URLs. Default: the origin of the request that creates the session.
 * @param hosts The host names that requests may have in the `Host` header, in addition to loopback names.
 */
export function createApp(
  simulation: Simulation,
  publicUrl: string | undefined,
  hosts: readonly string[] = [],
): Hono {
  const { authenticate, getCheckoutStatus, getChargeStatus, getBalance, getRates } = endpoints
  const app = new Hono()
  const logBody = (request: Request, body: Result<Fields>) => {
    if ('value' in body) simulation.world().requests.addBody(request, body.value)
  }

  app.use(requireKnownHost(hosts))
  app.use('/_sandbox/*', refuseOtherSites)

  for (const paths of ['/v1/*', '/v2/*', '/transactions/*', '/api/*'])
    app.use(
      paths,
      logRequests(() => simulation.world()),
      applyRequestFaults(() => simulation.world().faults, simulation.timeline),
    )

  app.on(authenticate.method, authenticate.path, async (c) => {
    const body = await readJsonOrForm(c.req.raw)
    logBody(c.req.raw, body)
    const result = 'failure' in body ? body : simulation.world().tokens.authenticate(body.value)
    return 'failure' in result
      ? refuseAuthentication(result.failure)
      : Response.json(result.value, { status: 201 })
  })

  for (const { endpoint, respondTo, success } of POSTS)
    app.on(endpoint.method, endpoint.path, requireToken(simulation, endpoint.token), async (c) => {
      const body = await readJson(c.req.raw)
      logBody(c.req.raw, body)
      const origin = publicUrl ?? new URL(c.req.url).origin
      return respond('failure' in body ? body : respondTo(simulation.world(), body.value, origin), success)
    })

  app.on(
    getCheckoutStatus.method,
    getCheckoutStatus.path,
    requireToken(simulation, getCheckoutStatus.token),
    (c) => respond(findStatus(simulation.world(), c.req.param('merchant_transaction_id') ?? '')),
  )

  app.on(getChargeStatus.method, getChargeStatus.path, requireToken(simulation, getChargeStatus.token), (c) =>
    respond(findChargeStatus(simulation.world(), c.req.param('external_reference') ?? '')),
  )

  app.on(getBalance.method, getBalance.path, requireToken(simulation, getBalance.token), (c) =>
    respond(findBalance(simulation.world(), c.req.param('account_number') ?? '')),
  )

  app.on(getRates.method, getRates.path, requireToken(simulation, getRates.token), (c) => {
    const { exchangeRates, clock } = simulation.world()
    return respond(exchangeRates.ratesFor(c.req.query('base_currency'), clock.now()))
  })

  app.route('/', payoutRoutes(simulation))
  app.route('/', airtimeRoutes(simulation))
  app.route('/pay', hostedPageRoutes(simulation))
  app.route('/_sandbox', controlRoutes(simulation))

  app.notFound((c) => {
    const what = `${c.req.method} ${c.req.path}`
    return refuseAt(c.req.path, { reason: 'not_found', what, hint: OLDER_GENERATION[what] })
  })
  app.onError((_, c) => refuseAt(c.req.path, { reason: 'broken' }))
  return app
}

// [spec: Authentication, 1 and 6]
function requireToken(simulation: Simulation, header: string): MiddlewareHandler {
  return async function accessToken(c, next) {
    const failure = simulation.world().tokens.failureOf(c.req.header(header))
    return failure ? refuse(failure) : next()
  }
}

// [spec: Float account balance]
function findBalance({ ledger }: World, account_number: string): Result<Balance> {
  if (account_number !== MERCHANT.accountNumber)
    return { failure: { reason: 'not_found', what: `account ${JSON.stringify(account_number)}` } }
  const { currency } = MERCHANT
  const balance = ledger.balanceOf(`float/${account_number}/${currency}`)
  return { value: { balance, currency, status: 'ACTIVE' } }
}
