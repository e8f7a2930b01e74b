/**
 * Declares the routes below `/api` that every kind of transaction has: they create a transaction, list the transactions
 * of the kind, and retrieve one.
 */

import { z } from 'zod'

import { KINDS } from '../../api/kind-table.ts'
import { readTraceId, TRACEPARENT } from '../../http/exchange.ts'
import { mapLimit } from '../../work/map-limit.ts'
import { answerList, listQuery, pageOf, positionOf } from '../listing.ts'
import { orProblem, problem } from '../problem.ts'
import { json, route, submittedBody } from '../route.ts'

import type { KindName } from '../../api/kind-table.ts'
import type { ProblemCode } from '../../api/problem-codes.ts'
import type { Refusal } from '../../api/refusal.ts'
import type { Transaction } from '../../store/transactions.ts'
import type { LimitedBody, Needs, RouteTexts } from '../route.ts'
import type { Hono } from 'hono'

interface Create<Accepted> extends RouteTexts {
  kind: KindName
  body: LimitedBody<z.ZodType>
  schema: z.ZodType
  problems?: readonly ProblemCode[]
  /** @param traceId From the merchant's header `traceparent`; `null` if the new transaction gets a random one. */
  submit: (body: unknown, traceId: string | null, signal: AbortSignal) => Promise<Accepted | Refusal>
  /** Returns the body of the response, which `schema` describes. */
  toView: (accepted: Accepted) => object
}

/** Declares the route that creates a transaction. Its reference is the idempotency key. */
export function declareCreate<Accepted extends { kind: 'created' | 'existing' }>(
  app: Hono,
  { clock }: Needs<'clock'>,
  path: string,
  { kind, body, schema, problems = [], submit, toView, ...texts }: Create<Accepted>,
): void {
  route(app, 'POST', path, {
    ...texts,
    body: submittedBody(clock, body),
    answers: [
      json(201, `The ${kind} was stored and sent.`, schema),
      json(200, `The same ${kind} existed.`, schema),
    ],
    problems: ['reference_reused', 'record_deleted', ...problems, 'store_unavailable'],
    handle: async ({ c, body: readBody }) => {
      const traceId = readTraceId(c.req.header(TRACEPARENT))
      const accepted = orProblem(await submit(await readBody(), traceId, c.req.raw.signal))
      return c.json(toView(accepted), accepted.kind === 'created' ? 201 : 200)
    },
  })
}

/** How the routes of one kind find transactions, and what they return of them. */
interface Resource {
  kind: KindName
  tag: RouteTexts['tag']
  /** The schema of the key, the last segment of the path. */
  key: z.ZodString
  /** The name of the key. Default: `reference`. */
  keyName?: string
  schema: z.ZodType
  /** Returns the body of the response for a key, which `schema` describes. Only a key of airtime has several rows. */
  toView: (rows: readonly [Transaction, ...Transaction[]]) => object
  /** How a transaction appears in the list, if not as it is retrieved. */
  listed?: { description: string; schema: z.ZodType; toItem: (row: Transaction) => object }
  /** The summary of the route that retrieves by key. */
  retrieveSummary?: string
  /** Finds the rows for a key. By default, finds the row whose reference is equal to the key. */
  find?: (key: string) => Promise<readonly Transaction[]>
  /** The `detail` of the problem document that is returned if no row is found. */
  unknownDetail?: string
}

type ResourceDeps = Needs<'store' | 'account' | 'synchronizer' | 'log'>

/** The maximum number of status queries that a request for a list of airtime sends at once. */
const MAX_QUERIED_AT_ONCE = 4

/**
 * Declares the routes that list the transactions of a kind, and that retrieve the transactions of a key. The second
 * queries the gateway, unless the stored state is recent: depending on the transaction, for 2 to 60 seconds.
 */
export function declareResource(app: Hono, deps: ResourceDeps, resource: Resource): void {
  const { store, account, synchronizer, log } = deps
  const { kind, tag, key, keyName = 'reference', schema, toView, find = findByReference } = resource
  const { listed = { schema, toItem: (row: Transaction) => toView([row]) } } = resource
  const { retrieveSummary = `Retrieve a ${kind}`, unknownDetail = `No ${kind} has this reference.` } =
    resource
  const { plural } = KINDS[kind]
  const path = `/api/${plural}`
  const page = { id: `${capitalized(kind)}Page`, description: `A page of ${plural}.` }

  route(app, 'GET', path, {
    id: `list${capitalized(plural)}`,
    tag,
    summary: `List ${plural}`,
    ...('description' in listed && { description: listed.description }),
    query: listQuery(KINDS[kind].outcomes),
    answers: [json(200, 'One page, in the order of the last change.', pageOf(listed.schema).meta(page))],
    problems: ['store_unavailable'],
    handle: async ({ c, query }) =>
      answerList(c, await store.search(account, kind, query), { show: listed.toItem, positionOf }, log),
  })

  route(app, 'GET', `${path}/:${keyName}`, {
    id: `retrieve${capitalized(kind)}`,
    tag,
    summary: retrieveSummary,
    description: 'Queries the gateway when the stored state is no longer fresh.',
    params: z.object({ [keyName]: key }),
    answers: [json(200, `The ${kind} with its state.`, schema)],
    problems: [KINDS[kind].unknown, 'store_unavailable'],
    handle: async ({ c, params }) => {
      const stored = await find(params[keyName] ?? '')
      const synchronized = await mapLimit(stored, MAX_QUERIED_AT_ONCE, ({ id }) =>
        synchronizer.synchronizeWithin(id, 'poll'),
      )
      // A row may have been deleted meanwhile.
      const [row, ...others] = synchronized.filter((each) => each !== null)
      if (!row) {
        throw problem(KINDS[kind].unknown, unknownDetail)
      }
      return c.json(toView([row, ...others]))
    },
  })

  async function findByReference(reference: string): Promise<Transaction[]> {
    const row = await store.findByReference(account, kind, reference)
    return row ? [row] : []
  }
}

export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
