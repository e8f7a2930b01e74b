/** Declares the routes of `/api/links`, which create, list and close reusable links. */

import { z } from 'zod'

import { invalid, isRefusal } from '../../api/refusal.ts'
import { moment } from '../../api/tracked.ts'
import { readRequestedTerms } from '../../checkouts/terms.ts'
import { field, text } from '../../contract/openapi-field.ts'
import { addressOfLink, amountsOf, isOpen, LinkTerms, readLink } from '../../links/link.ts'
import { answerList, EventQuery, PAGE_SIZE, pageOf, sequenceOf } from '../listing.ts'
import { problem, ProblemError } from '../problem.ts'
import { json, parsedBody, route } from '../route.ts'

import type { StoredLink } from '../../store/links.ts'
import type { Needs } from '../route.ts'
import type { Hono } from 'hono'

const linkId = text('Id of the link. Whoever knows it can pay.', 'pZ0R4uXbTn2vM8kQwY6sLg3f')

const LinkSchema = z
  .object({
    id: linkId,
    url: text('The address that payers open.', 'https://pay.shop.example/link/pZ0R4uXbTn2vM8kQwY6sLg3f'),
    ...LinkTerms.shape,
    created_at: moment('When the link was created.'),
    closed_at: field(
      z.iso.datetime().nullable(),
      'When the link was closed. Null if it was not.',
      '2026-11-21T09:05:00.000Z',
    ),
  })
  .meta({ id: 'Link', description: 'A link that many may pay.' })

const Page = pageOf(LinkSchema).meta({ id: 'LinkPage', description: 'A page of links.' })

export function declareLinks(
  app: Hono,
  deps: Needs<'config' | 'store' | 'account' | 'clock' | 'randomness' | 'log'>,
): void {
  const { config, store, account, clock, randomness, log } = deps

  const show = (row: StoredLink) => {
    const { id, terms, created_at, closed_at } = readLink(row)
    const createdAt = new Date(created_at).toISOString()
    const closedAt = closed_at === null ? null : new Date(closed_at).toISOString()
    return {
      id,
      url: addressOfLink(config.publicUrl, id),
      ...terms,
      created_at: createdAt,
      closed_at: closedAt,
    }
  }

  route(app, 'POST', '/api/links', {
    id: 'createLink',
    tag: 'Links',
    summary: 'Create a link that many may pay',
    description:
      'Each payer gets an order and a receipt of their own. Every request creates another link: after a lost answer, list the links.',
    body: parsedBody(clock, { schema: LinkTerms, example: { amounts: ['1500'] } }),
    answers: [json(201, 'The link was created.', LinkSchema)],
    problems: ['amount_not_whole', 'currency_not_supported', 'store_unavailable'],
    handle: async ({ c, body }) => {
      const terms = await body()
      const now = clock.now()
      if (!isOpen({ closed_at: null, terms }, now)) {
        throw new ProblemError(invalid([{ path: 'ends_at', message: 'must be in the future' }]))
      }

      for (const [, amount] of amountsOf(terms)) {
        const { currency, narration } = terms
        const requested = readRequestedTerms({ order: '', amount, currency, narration }, { config })
        if (isRefusal(requested)) {
          throw new ProblemError(requested)
        }
      }

      const link = { id: randomness.token(), terms, created_at: now }
      return c.json(show(await store.insertLink(account, link)), 201)
    },
  })

  route(app, 'GET', '/api/links', {
    id: 'listLinks',
    tag: 'Links',
    summary: 'List links',
    query: EventQuery,
    answers: [json(200, 'One page, oldest first.', Page)],
    problems: ['store_unavailable'],
    handle: async ({ c, query }) => {
      const rows = await store.listLinks(account, query.cursor, PAGE_SIZE)
      const listed = rows.map((row) => ({ ...row, trace_id: null }))
      return answerList(c, listed, { show, positionOf: sequenceOf }, log)
    },
  })

  route(app, 'POST', '/api/links/:id/close', {
    id: 'closeLink',
    tag: 'Links',
    summary: 'Close a link',
    description:
      'Nobody can start to pay it any more. A checkout that is live can still be paid, and receipts remain.',
    params: z.object({ id: linkId }),
    answers: [json(200, 'The link is closed, now or before.', LinkSchema)],
    problems: ['unknown_link', 'store_unavailable'],
    handle: async ({ c, params }) => {
      const row = await store.closeLink(account, params.id, clock.now())
      if (!row) {
        throw problem('unknown_link', 'No link has this id.')
      }
      return c.json(show(row))
    },
  })
}
