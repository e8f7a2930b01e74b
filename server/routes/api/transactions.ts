/**
 * Declares the routes that list and retrieve transactions, for every kind of transaction. Also responds to requests
 * that create transactions.
 */

import type { Context, Hono } from 'hono'
import type { Refusal } from '../../api/refusal.ts'
import type { Transaction } from '../../store/store.ts'
import type { RouteDeps, RouteTexts } from '../route.ts'
import { z } from 'zod'
import { text } from '../../api/field.ts'
import { mapLimit } from '../../work/map-limit.ts'
import { readTraceId, TRACEPARENT } from '../../http/trace.ts'
import { answerList, listQuery, pageOf, positionOf } from '../listing.ts'
import { orProblem, ProblemError } from '../problem.ts'
import { json, route } from '../route.ts'

interface List extends RouteTexts {
  kind: Transaction['kind']
  outcomes: readonly string[]
  item: z.ZodType
  /** The name and the description that the OpenAPI document gives to the schema of one page of the list. */
  page: { ref: string; description: string }
  show: (row: Transaction) => object
}

export function declareList(app: Hono, deps: RouteDeps, path: string, declared: List): void {
  const { kind, outcomes, item, page, show, ...texts } = declared
  const { store, account, log } = deps
  route(app, 'GET', path, {
    ...texts,
    query: listQuery(outcomes),
    answers: [json(200, 'One page, in the order of the last change.', pageOf(item).meta(page))],
    problems: ['store_unavailable'],
    handle: async ({ c, query }) =>
      answerList(c, await store.search(account, kind, query), show, positionOf, log),
  })
}

interface Retrieve extends RouteTexts {
  kind: Transaction['kind']
  /** The description and an example of the key. The key is the last segment of the path. */
  key: readonly [description: string, example: string]
  schema: z.ZodType
  /** Finds the rows for a key. By default, finds the row whose reference is equal to the key. */
  find?: (key: string) => Promise<readonly Transaction[]>
  show: (row: Transaction, ...others: Transaction[]) => object
  /** The `detail` of the problem document that is returned if no row is found. */
  unknown: string
}

const MOST_QUERIED_AT_ONCE = 4

/**
 * Declares the route that retrieves one resource by its key. The route queries the gateway before it responds, unless
 * the stored state is recent. Depending on the transaction, the state is recent for 2 to 60 seconds.
 */
export function declareRetrieve(
  app: Hono,
  deps: Pick<RouteDeps, 'store' | 'account' | 'synchronizer'>,
  path: string,
  declared: Retrieve,
): void {
  const { store, account, synchronizer } = deps
  const { kind, key, schema, find = findByReference, show, unknown, ...texts } = declared
  const name = path.split(':').at(-1) ?? ''
  route(app, 'GET', path, {
    description: 'Queries the gateway when the stored state is no longer fresh.',
    ...texts,
    params: z.object({ [name]: text(...key) }),
    answers: [json(200, `The ${kind} with its state.`, schema)],
    problems: [`unknown_${kind}`, 'store_unavailable'],
    handle: async ({ c, params }) => {
      const stored = await find(params[name] ?? '')
      const synchronized = await mapLimit(stored, MOST_QUERIED_AT_ONCE, ({ id }) =>
        synchronizer.synchronizeWithin(id, 'poll'),
      )
      const [row, ...others] = synchronized.flatMap((each) => each ?? [])
      if (!row) throw new ProblemError(`unknown_${kind}`, unknown)
      return c.json(show(row, ...others))
    },
  })

  async function findByReference(reference: string): Promise<Transaction[]> {
    const row = await store.findByReference(account, kind, reference)
    return row ? [row] : []
  }
}

/**
 * Responds to a request that creates a transaction: with status 201 for a new transaction, or 200 for an existing one.
 *
 * @throws {ProblemError} if `submitted` is a refusal.
 */
export function answerSubmitted<Accepted extends { kind: 'created' | 'existing' }>(
  c: Context,
  submitted: Accepted | Refusal,
  show: (accepted: Accepted) => object,
): Response {
  const accepted = orProblem(submitted)
  return c.json(show(accepted), accepted.kind === 'created' ? 201 : 200)
}

/**
 * Returns the trace id from the `traceparent` header of the merchant's request; `null` if the header contains no trace
 * id. If `null`, the new transaction gets a random trace id.
 */
export function givenTraceId(c: Context): string | null {
  return readTraceId(c.req.header(TRACEPARENT))
}
