// The routes of `/_sandbox`, by which tests and people control the sandbox. Those that move time are in `history.ts`.

import { Hono } from 'hono'

import { notPossible } from '../errors/failure.ts'
import { FaultRequest } from '../faults.ts'
import { listScenarios } from '../scenarios.ts'
import { answer, notFound } from './answer.ts'
import { merchantRoutes } from './merchant-routes.ts'
import { CONTROL_ROUTES, FAULTS } from './reference.ts'

import type { Simulation, World } from '../world.ts'
import type { Context } from 'hono'

/** Serves each route about a merchant twice: for the first merchant, and for any below `/merchants/:client_code`. */
export function controlRoutes(simulation: Simulation): Hono {
  const { merchants, world, worlds } = simulation
  const findMerchant = (c: Context) =>
    merchants.find((merchant) => merchant.clientCode === c.req.param('client_code'))

  const routes = sandboxRoutes(simulation)
  routes.get('/merchants', () => Response.json({ merchants: worlds().map(descriptionOf) }))

  const routesOfFirst = merchantRoutes(() => world())
  routes.route('/', routesOfFirst)

  routes.use('/merchants/:client_code/*', async (c, next) => {
    if (!findMerchant(c)) {
      return notFound(`merchant ${JSON.stringify(c.req.param('client_code'))}`)
    }
    return next()
  })
  const routesOfEach = merchantRoutes((c) => world(findMerchant(c)))
  routes.route('/merchants/:client_code', routesOfEach)

  return routes
}

/** Serves what all merchants of the sandbox have in common. */
function sandboxRoutes(simulation: Simulation): Hono {
  const routes = new Hono()
  const { faults, requests } = simulation.world()
  const listFaults = () => ({ faults: faults.list() })

  routes.get('/', () => Response.json({ routes: CONTROL_ROUTES, faults: FAULTS }))
  routes.get('/scenarios', () => Response.json({ scenarios: listScenarios() }))
  routes.get('/requests', () => Response.json({ requests: requests.list() }))

  routes.get('/faults', () => Response.json(listFaults()))

  routes.post('/faults', (c) =>
    answer(c, FaultRequest, (fault) => {
      const isAdded = faults.add(fault)
      return isAdded ? listFaults() : notPossible('There are too many faults; DELETE them first.')
    }),
  )

  routes.delete('/faults', () => {
    faults.clear()
    return Response.json(listFaults())
  })

  return routes
}

/** Returns a merchant without the credentials: a real gateway shows a secret only once. */
function descriptionOf({ merchant, services }: World) {
  return {
    name: merchant.name,
    client_code: merchant.clientCode,
    accounts: merchant.accounts.map(({ number, currency }) => ({ account_number: number, currency })),
    services: services.list().map(({ service }) => ({
      service_code: service.code,
      use: service.use,
      currency: service.currency,
      account_number: service.accountNumber,
    })),
    partners: merchant.partners.map((partner) => ({
      account_number: partner.accountNumber,
      currency: partner.currency,
      is_dynamic: partner.isDynamic,
    })),
  }
}
