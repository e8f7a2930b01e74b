/** Declares the routes that the kinds of transactions have in common: create, list and retrieve. */

import type { Hono } from 'hono'
import type { KindName } from '../../api/kinds.ts'
import type { ProblemCode } from '../../api/problem-codes.ts'
import type { Refusal } from '../../api/refusal.ts'
import type { Transaction } from '../../store/store.ts'
import type { DescribedBody, RouteDeps, RouteTexts } from '../route.ts'
import { KINDS } from '../../api/kinds.ts'
import { json, route, submittedBody } from '../route.ts'
import { z } from 'zod'
import { text } from '../../contract/description.ts'
import { mapLimit } from '../../work/work-loop.ts'
import { answerList, listQuery, pageOf, positionOf } from '../listing.ts'
import { orProblem, problem } from '../problem.ts'
import { readTraceId, TRACEPARENT } from '../../http/exchange.ts'

interface Create<Accepted> extends RouteTexts {
  kind: KindName
  body: DescribedBody<z.ZodType>
  schema: z.ZodType
  problems?: readonly ProblemCode[]
  /** @param traceId From the merchant's header `traceparent`; `null` if the new transaction gets a random one. */
  submit: (body: unknown, traceId: string | null, signal: AbortSignal) => Promise<Accepted | Refusal>
  show: (accepted: Accepted) => object
}

/** Declares the route that creates a transaction. Its reference is the idempotency key. */
export function declareCreate<Accepted extends { kind: 'created' | 'existing' }>(
  app: Hono,
  { clock }: RouteDeps,
  path: string,
  { kind, body, schema, problems = [], submit, show, ...texts }: Create<Accepted>,
): void {
  route(app, 'POST', path, {
    ...texts,
    body: submittedBody(clock, body),
    answers: [
      json(201, `The ${kind} was stored and sent.`, schema),
      json(200, `The same ${kind} existed.`, schema),
    ],
    problems: ['reference_reused', 'record_deleted', ...problems, 'store_unavailable'],
    handle: async ({ c, body: read }) => {
      const traceId = readTraceId(c.req.header(TRACEPARENT))
      const accepted = orProblem(await submit(await read(), traceId, c.req.raw.signal))
      return c.json(show(accepted), accepted.kind === 'created' ? 201 : 200)
    },
  })
}

/** The transactions of one kind, as their routes show them. */
interface Resource {
  kind: KindName
  tag: RouteTexts['tag']
  /** The name, the description and an example of the key, which is the last segment of the path. */
  key: readonly [name: string, description: string, example: string]
  schema: z.ZodType
  /** Shows a transaction. A key of airtime has several. */
  show: (row: Transaction, ...others: Transaction[]) => object
  /** An item of the list, where it differs from what is retrieved. */
  listed?: { description: string; schema: z.ZodType; show: (row: Transaction) => object }
  /** The summary of the route that retrieves. */
  retrieve?: string
  /** Finds the rows for a key. By default, finds the row whose reference is equal to the key. */
  find?: (key: string) => Promise<readonly Transaction[]>
  /** The `detail` of the problem document that is returned if no row is found. */
  unknown?: string
}

type ResourceDeps = Pick<RouteDeps, 'store' | 'account' | 'synchronizer' | 'log'>

const MOST_QUERIED_AT_ONCE = 4

/**
 * Declares the routes that list the transactions of a kind, and retrieve one. The second queries the gateway before it
 * responds, unless the stored state is recent. Depending on the transaction, the state is recent for 2 to 60 seconds.
 *
 * @param path The path of the list, such as `/api/payouts`.
 */
export function declareResource(app: Hono, deps: ResourceDeps, path: string, resource: Resource): void {
  const { store, account, synchronizer, log } = deps
  const { kind, tag, key, schema, show, find = findByReference } = resource
  const { listed = { schema, show }, retrieve = `Retrieve a ${kind}` } = resource
  const { unknown = `No ${kind} has this reference.` } = resource
  const plural = path.split('/').at(-1) ?? kind
  const [name, ...described] = key
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
      answerList(c, await store.search(account, kind, query), listed.show, positionOf, log),
  })

  route(app, 'GET', `${path}/:${name}`, {
    id: `retrieve${capitalized(kind)}`,
    tag,
    summary: retrieve,
    description: 'Queries the gateway when the stored state is no longer fresh.',
    params: z.object({ [name]: text(...described) }),
    answers: [json(200, `The ${kind} with its state.`, schema)],
    problems: [KINDS[kind].unknown, 'store_unavailable'],
    handle: async ({ c, params }) => {
      const stored = await find(params[name] ?? '')
      const synchronized = await mapLimit(stored, MOST_QUERIED_AT_ONCE, ({ id }) =>
        synchronizer.synchronizeWithin(id, 'poll'),
      )
      const [row, ...others] = synchronized.flatMap((each) => each ?? [])
      if (!row) throw problem(KINDS[kind].unknown, unknown)
      return c.json(show(row, ...others))
    },
  })

  async function findByReference(reference: string): Promise<Transaction[]> {
    const row = await store.findByReference(account, kind, reference)
    return row ? [row] : []
  }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
