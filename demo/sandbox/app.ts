import { Hono } from 'hono'
import { endpoints } from '../../server/contract/endpoints.ts'
import { airtimeRoutes } from './airtime/routes.ts'
import { controlRoutes } from './control/routes.ts'
import { hostedPageRoutes } from './hosted-page/routes.tsx'
import { findAccount } from './merchant.ts'
import { payoutRoutes } from './payouts/routes.ts'
import { portalRoutes } from './portal/routes.ts'
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
import type { Context } from 'hono'
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

  for (const paths of ['/v1/*', '/v2/*', '/transactions/*', '/api/*'])
    app.use(
      paths,
      logRequests(() => simulation.world()),
      applyRequestFaults(() => simulation.world().faults, simulation.timeline),
    )

  app.on(authenticate.method, authenticate.path, async (c) => {
    const body = await readJsonOrForm(c.req.raw)
    logBody(c.req.raw, body)
    const result = 'failure' in body ? body : simulation.authenticate(body.value)
    return 'failure' in result
      ? refuseAuthentication(result.failure)
      : Response.json(result.value, { status: 201 })
  })

  for (const { path, respondTo, success } of [...POSTS, ...charges.posts])
    app.post(path, async (c) => {
      const access = simulation.authorize(c.req.header('x-access-token'))
      if ('failure' in access) return refuse(access.failure)
      const body = await readJson(c.req.raw)
      logBody(c.req.raw, body)
      const origin = publicUrl ?? new URL(c.req.url).origin
      const world = simulation.world(access.value)
      return respond('failure' in body ? body : respondTo(world, body.value, origin), success)
    })

  const find = (c: Context, header: string, found: (world: World) => Result<object>) => {
    const access = simulation.authorize(c.req.header(header))
    return 'failure' in access ? refuse(access.failure) : respond(found(simulation.world(access.value)))
  }

  app.on(getCheckoutStatus.method, getCheckoutStatus.path, (c) =>
    find(c, getCheckoutStatus.token, (world) =>
      findStatus(world, c.req.param('merchant_transaction_id') ?? ''),
    ),
  )

  app.get(charges.status.path, (c) =>
    find(c, 'x-access-token', (world) => charges.status.find(world, c.req.param(charges.status.key) ?? '')),
  )

  app.on(getBalance.method, getBalance.path, (c) =>
    find(c, getBalance.token, (world) => findBalance(world, c.req.param('account_number') ?? '')),
  )

  app.on(getRates.method, getRates.path, (c) =>
    find(c, getRates.token, ({ exchangeRates, clock }) =>
      exchangeRates.ratesFor(c.req.query('base_currency'), clock.now()),
    ),
  )

  app.route('/', payoutRoutes(simulation))
  app.route('/', airtimeRoutes(simulation))
  app.route('/pay', hostedPageRoutes(simulation))
  app.route('/portal', portalRoutes(simulation))
  if (simulation.environment === 'sandbox')
    app.route('/_sandbox', new Hono().use(refuseOtherSites).route('/', controlRoutes(simulation)))
  app.get('/', (c) => c.redirect('/portal'))

  app.notFound((c) => {
    const what = `${c.req.method} ${c.req.path}`
    return refuseAt(c.req.path, { reason: 'not_found', what, hint: HINTS[what] })
  })
  app.onError((_, c) => refuseAt(c.req.path, { reason: 'broken' }))
  return app
}

// [spec: Float account balance]
function findBalance({ merchant, ledger }: World, account_number: string): Result<Balance> {
  const account = findAccount(merchant, account_number)
  if (!account) return { failure: { reason: 'not_found', what: `account ${JSON.stringify(account_number)}` } }
  const { number, currency } = account
  return {
    value: { balance: ledger.balanceOf(`float/${number}/${currency}`), currency, status: 'ACTIVE' },
  }
}
