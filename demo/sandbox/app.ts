import { Hono } from 'hono'
import { endpoints } from '../../server/contract/endpoints.ts'
import { airtimeRoutes } from './airtime/routes.ts'
import { controlRoutes } from './control/routes.ts'
import { hostedPageRoutes } from './hosted-page/routes.tsx'
import { MERCHANT } from './merchant.ts'
import { payoutRoutes } from './payouts/routes.ts'
import { findChargeStatus, postCharge } from './sessions/charge.ts'
import { findStatus, initiate } from './sessions/checkout.ts'
import { findFlatStatus, FLAT_PATHS, postCardCharge, postMobileCharge } from './sessions/flat-charge.ts'
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
  { path: endpoints.initiateCheckout.path, respondTo: initiate, success: 200 },
  { path: endpoints.confirmService.path, respondTo: confirm, success: 200 },
] as const

const CHARGES = {
  spec: {
    posts: [{ path: endpoints.postCharge.path, respondTo: postCharge, success: 201 }],
    status: { path: endpoints.getChargeStatus.path, key: 'external_reference', find: findChargeStatus },
  },
  flat: {
    posts: [
      { path: FLAT_PATHS.mobile, respondTo: postMobileCharge, success: 201 },
      { path: FLAT_PATHS.cards, respondTo: postCardCharge, success: 201 },
    ],
    status: { path: FLAT_PATHS.status, key: 'charge_request_id', find: findFlatStatus },
  },
} as const
const OF_SPEC = 'Start the sandbox with --charges spec, or with the option charges: "spec", for this path.'
const OF_FLAT = 'Start the sandbox with --charges flat, or with the option charges: "flat", for this path.'

// [assumed] Endpoints of an older generation of the gateway, as seen in practice.
const HINTS: Readonly<Record<string, string>> = {
  [`POST ${endpoints.postCharge.path}`]: OF_SPEC,
  [`POST ${FLAT_PATHS.mobile}`]: OF_FLAT,
  [`POST ${FLAT_PATHS.cards}`]: OF_FLAT,
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
  const { authenticate, getCheckoutStatus, getBalance, getRates } = endpoints
  const charges = CHARGES[simulation.chargeDialect]
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

  for (const { path, respondTo, success } of [...POSTS, ...charges.posts])
    app.post(path, requireToken(simulation, 'x-access-token'), async (c) => {
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

  app.get(charges.status.path, requireToken(simulation, 'x-access-token'), (c) =>
    respond(charges.status.find(simulation.world(), c.req.param(charges.status.key) ?? '')),
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
    return refuseAt(c.req.path, { reason: 'not_found', what, hint: HINTS[what] })
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
