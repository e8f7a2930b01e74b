import type { CheckoutView } from '../../server/api/view.ts'
import type { Transaction } from '../../server/store.ts'
import type { InstantServer } from './instant-server.ts'
import { routes } from '../support/described.ts'
import { API_KEY, BFF, PAYER } from '../support/world.ts'
import { openInstantServer } from './instant-server.ts'

/** The routes that create a transaction of the API, with their examples. */
export const BEGUN = routes.flatMap(({ path, body, needsKey }) =>
  body && needsKey && !path.includes(':') ? [{ path, example: body.example }] : [],
)
export const ORDERS = ['A-1', 'A-2', 'nobody']

/** Opens a server with a transaction of each kind. After that, its gateway turns hostile. */
export async function openStockedServer() {
  const server = openInstantServer()
  for (const { path, example } of BEGUN) {
    await ask(server, path, example)
    await ask(server, `${path.replace(/\/(imt|b2b)$/, '')}/${referencesIn(example)[0]}`)
  }
  const views: CheckoutView[] = []
  for (const order of ORDERS.slice(0, 2))
    views.push(await ask(server, '/checkout/initiate', { order, ...PAYER }))
  const { items } = await ask(server, '/api/events')
  const events: { id: string }[] = items
  server.turnHostile()
  return { server, views, events }
}

/** Resolves with the rows that the server has stored. */
export async function rowsOf({ store, account }: InstantServer): Promise<Transaction[]> {
  const kinds = ['checkout', 'payout', 'charge', 'airtime'] as const
  return (await Promise.all(kinds.map((kind) => store.search(account, kind, { limit: 100 })))).flat()
}

export function referencesIn(example: object): string[] {
  return Object.entries(example).flatMap(([name, value]) =>
    name.endsWith('reference') ? [String(value)] : [],
  )
}

function ask(server: InstantServer, path: string, body?: object) {
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${API_KEY}`,
    'content-type': 'application/json',
  }
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
  return server.wait(1, async () => {
    const response = await server.app.request(`${BFF}${path}`, init)
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
    return response.json()
  })
}
