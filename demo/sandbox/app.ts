// The HTTP application of the sandbox: a table of the gateway's endpoints, and the pages beside them.

import { Hono } from 'hono'

import { endpoints } from '../../server/contract/endpoints.ts'
import { ACKNOWLEDGEMENT_CODE } from '../../server/contract/status.ts'
import { POLICY } from '../../server/openapi/page.ts'
import { controlRoutes } from './control/routes.ts'
import { refuseAt } from './errors/error-response.ts'
import { Failure, transactionUnknown } from './errors/failure.ts'
import { applyRequestFaults } from './faults.ts'
import { hostedPageRoutes } from './hosted-page/routes.tsx'
import { LARGEST_BODY_BYTES, readJson, readJsonOrForm } from './http/request-body.ts'
import { logRequests } from './http/request-log.ts'
import { findAccount } from './merchants/merchant.ts'
import { sendAirtime } from './money-out/airtime-acceptance.ts'
import { entryOf } from './money-out/airtime-recipient.ts'
import { initiateB2b, initiatePayout, initiateTransfer } from './money-out/payout-acceptance.ts'
import { payoutPayloadOf } from './money-out/payout.ts'
import { createDocument, documentPage } from './openapi.ts'
import { BACKGROUND, respondWithNotFound } from './portal/layout.ts'
import { portalRoutes } from './portal/routes.ts'
import { findStatus, initiate } from './sessions/acceptance.ts'
import { confirm, findFlatStatus, FLAT_STATUS_PATH, PATHS, postCharge } from './sessions/charge.ts'

import type { Result } from './errors/failure.ts'
import type { Fields } from './http/request-body.ts'
import type { Payout } from './money-out/payout.ts'
import type { ChargeDialect } from './sessions/session.ts'
import type { Simulation, World } from './world.ts'
import type { Context } from 'hono'

type RespondTo = (world: World, body: Fields, origin: string) => Result<object>
/** Returns the reference of what was accepted. */
type Accept = (world: World, body: Fields) => Result<string>
type Post = readonly [{ path: string; family: string | null; token: string | null }, RespondTo]

const POSTS: readonly Post[] = [
  [endpoints.initiateCheckout, initiate],
  [endpoints.confirmService, confirm],
  [endpoints.initiatePayout, acknowledging('payout_reference', initiatePayout)],
  [endpoints.initiateTransfer, acknowledging('payout_reference', initiateTransfer)],
  [endpoints.initiateB2b, acknowledging('payout_reference', initiateB2b)],
  [endpoints.sendAirtime, acknowledging('reference', sendAirtime)],
]

/** The parameters of the path and of the query. */
type Params = Readonly<Record<string, string>>
type Find = (world: World, params: Params) => Result<object>
type Get = readonly [path: string, find: Find]

const GETS: readonly Get[] = [
  [endpoints.getCheckoutStatus.path, (world, params) => findStatus(world, 'checkout', params)],
  [endpoints.getBalance.path, findBalance],
  [
    endpoints.getRates.path,
    ({ exchangeRates, clock }, params) => exchangeRates.ratesFor(params, clock.now()),
  ],
  [endpoints.getPayoutStatus.path, findPayout('local', 'transfer')],
  [endpoints.getB2bStatus.path, findPayout('b2b')],
  [endpoints.getAirtimeStatus.path, findAirtime],
]

const CHARGES: Readonly<Record<ChargeDialect, { posts: readonly Post[]; gets: readonly Get[] }>> = {
  spec: {
    posts: [[endpoints.postCharge, postCharge('spec')]],
    gets: [[endpoints.getChargeStatus.path, (world, params) => findStatus(world, 'charge', params)]],
  },
  flat: {
    posts: [
      [{ ...endpoints.postCharge, ...PATHS.mobile }, postCharge('mobile')],
      [{ ...endpoints.postCharge, ...PATHS.cards }, postCharge('cards')],
    ],
    gets: [[FLAT_STATUS_PATH, (world, { charge_request_id: id = '' }) => findFlatStatus(world, id)]],
  },
}

const dialectHint = (name: ChargeDialect) =>
  `Start the sandbox with --charges ${name}, or with the option charges: "${name}", for this path.`

/**
 * By method and path: what to do instead. [assumed] An older generation of the gateway has endpoints that were seen in
 * practice.
 */
const HINTS: Readonly<Record<string, string>> = {
  [`POST ${PATHS.spec.path}`]: dialectHint('spec'),
  [`POST ${PATHS.mobile.path}`]: dialectHint('flat'),
  [`POST ${PATHS.cards.path}`]: dialectHint('flat'),
  'POST /api/v1/api-auth/access-token':
    'An older generation of the gateway has this path. Use POST /v1/auth.',
  'GET /api/v1/checkout/request/status':
    'An older generation of the gateway has this path. Use GET /v2/checkout/status/{merchant_transaction_id}.',
}

/**
 * Creates the HTTP application of the sandbox.
 *
 * @param publicUrl The origin of the hosted pages' URLs. Default: the origin of the request that creates the session.
 */
export function createApp(simulation: Simulation, publicUrl: string | undefined): Hono {
  const app = new Hono()
  const { requests, faults, clock } = simulation.world()
  for (const paths of ['/v1/*', '/v2/*', '/transactions/*', '/api/*']) {
    app.use(paths, logRequests(requests, clock), applyRequestFaults(faults, clock))
  }

  addEndpoints(app, simulation, publicUrl)
  const documentFor = (c: Context) =>
    createDocument(simulation.chargeDialect, publicUrl ?? new URL(c.req.url).origin)
  app.get('/openapi.json', async (c) => c.json(await documentFor(c)))
  app.get('/docs', async (c) => {
    c.header('content-security-policy', POLICY)
    return c.html(documentPage(await documentFor(c), simulation.environment))
  })
  app.route('/pay', hostedPageRoutes(simulation))
  app.route('/portal', portalRoutes(simulation))
  if (simulation.environment === 'sandbox') {
    app.route('/_sandbox', controlRoutes(simulation))
  }

  app.get('/', (c) => c.redirect('/portal'))

  app.notFound((c) => {
    const { method, path } = c.req
    const endpoint = `${method} ${path}`
    const withHint = (sentence: string) => [sentence, HINTS[endpoint]].filter(Boolean).join(' ')
    if (c.req.header('accept')?.includes('text/html')) {
      return respondWithNotFound(simulation.world(), withHint(`The address ${path} does not exist.`))
    }
    return refuseAt(path, new Failure('not_found', withHint(`There is no ${endpoint}.`)))
  })
  app.onError((error, c) => {
    // While the journal is repeated, the defect was logged before.
    if (clock.isLive()) {
      // oxlint-disable-next-line no-console -- Whoever reports the defect needs the stack, and this app has no log.
      console.error(error)
    }

    const message = 'The sandbox failed. This is a defect of the sandbox: please report it.'
    return refuseAt(c.req.path, new Failure('broken', message))
  })
  return app
}

// The portal forgets a notice or a secret that it has shown, and a session remembers the language of its page.
const CHANGES_BY_GET = /^\/portal|^\/pay\/.*[?&]lang=/

/** Returns whether a request may change more than the log of requests. */
export function mayChange({ world }: Simulation, request: Request): boolean {
  // A fault counts the requests that it applies to.
  if (!['GET', 'HEAD'].includes(request.method) || world().faults.list().length > 0) {
    return true
  }

  const { pathname, search } = new URL(request.url)
  return CHANGES_BY_GET.test(pathname + search) && !request.headers.has(BACKGROUND)
}

function addEndpoints(app: Hono, simulation: Simulation, publicUrl: string | undefined): void {
  const charges = CHARGES[simulation.chargeDialect]

  app.post(endpoints.authenticate.path, async (c) => {
    const body = await readJsonOrForm(c.req.raw)
    if (body instanceof Failure) {
      return refuseAt(c.req.path, body)
    }

    simulation.world().requests.addBody(c.req.raw, body)
    const token = simulation.authenticate(body)
    return token instanceof Failure ? refuseAt(c.req.path, token) : Response.json(token, { status: 201 })
  })

  for (const [{ path, family, token }, respondTo] of [...POSTS, ...charges.posts]) {
    app.post(path, async (c) => {
      // [assumed] `Authorization`, which the spec names for transfers, alone counts where it is sent. Otherwise the
      // header of the other calls counts.
      const world = simulation.authorize((token === 'authorization' && bearerOf(c)) || tokenOf(c))
      if (world instanceof Failure) {
        return refuseAt(path, world)
      }

      const body = await readJson(c.req.raw, family === 'airtime' ? LARGEST_BODY_BYTES : undefined)
      if (body instanceof Failure) {
        return refuseAt(path, body)
      }

      world.requests.addBody(c.req.raw, body)
      const answer = respondTo(world, body, publicUrl ?? new URL(c.req.url).origin)
      const reference = body['payout_reference'] ?? body['reference']
      if (answer instanceof Failure) {
        return refuseAt(path, answer, typeof reference === 'string' ? reference : null)
      }
      // [assumed] Charges succeed with 201, as seen in practice.
      return Response.json(answer, { status: family === 'charge' ? 201 : 200 })
    })
  }

  for (const [path, find] of [...GETS, ...charges.gets]) {
    app.get(path, (c) => {
      const world = simulation.authorize(tokenOf(c))
      if (world instanceof Failure) {
        return refuseAt(path, world)
      }

      const params: Params = { ...c.req.query(), ...c.req.param() }
      const answer = find(world, params)
      if (!(answer instanceof Failure)) {
        return Response.json(answer)
      }
      return refuseAt(path, answer, params['payout_reference'] ?? params['reference'])
    })
  }
}

// [spec: Authentication, 1]
const tokenOf = (c: Context) => c.req.header('x-access-token')

// [spec: Endpoints, note 4] [assumed] The word "Bearer" before the token is optional.
const bearerOf = (c: Context) => c.req.header('authorization')?.replace(/^\s*(bearer(\s+|$))?/i, '')

/**
 * Answers an accepted request with its reference, in the field `name`. [spec: Payout acknowledgement; Endpoints, notes
 * 5 and 6]
 */
function acknowledging(name: 'payout_reference' | 'reference', accept: Accept): RespondTo {
  return (world, body) => {
    const reference = accept(world, body)
    if (reference instanceof Failure) {
      return reference
    }

    const response_description = 'The request was validated and accepted for processing.'
    const response_code = ACKNOWLEDGEMENT_CODE.accepted
    return { [name]: reference, response_code, response_description }
  }
}

// [spec: Payout acknowledgement codes, 723]
function findPayout(...kinds: readonly Payout['instruction']['kind'][]): Find {
  return ({ payouts }, { payout_reference: reference = '' }) => {
    const payout = payouts.get(reference)
    if (payout && kinds.includes(payout.instruction.kind)) {
      return payoutPayloadOf(payout)
    }
    return transactionUnknown('payout', 'payout_reference', reference)
  }
}

function findAirtime({ airtime }: World, { reference = '' }: Params): Result<object> {
  const request = airtime.get(reference)
  if (request) {
    return [...request.recipients.values()].map(entryOf)
  }
  return transactionUnknown('request for airtime', 'reference', reference)
}

// [spec: Float account balance]
function findBalance({ merchant, ledger }: World, { account_number = '' }: Params): Result<object> {
  const account = findAccount(merchant, account_number)
  if (!account) {
    return new Failure('not_found', `There is no account ${JSON.stringify(account_number)}.`)
  }

  const { number, currency } = account
  const balance = ledger.balanceOf(`float/${number}/${currency}`)
  return { balance, currency, status: 'ACTIVE' }
}
