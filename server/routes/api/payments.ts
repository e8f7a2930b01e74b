/**
 * Declares `GET /api/payments`, which finds payments, and the day: its table `/api/payments.csv` and its sums and
 * disagreements `/api/days/{day}`. MERCHANT_READ_KEY opens these, and nothing else.
 */

import { z } from 'zod'

import { DayOfPayments, FoundPage, PaymentFilters } from '../../api/payments.ts'
import { invalid, NO_TIME_ZONE } from '../../api/refusal.ts'
import { field, text } from '../../contract/openapi-field.ts'
import { csvLine } from '../../payments/csv.ts'
import { cellsOf, COLUMNS, createTotals, readDay } from '../../payments/day.ts'
import { createDisagreements } from '../../payments/disagreements.ts'
import { findPayments, personalFilters } from '../../payments/find.ts'
import { MOVED } from '../../store/movements.ts'
import { createZone, isDate } from '../../work/zone.ts'
import { CURSOR_EXAMPLE, decodeCursor, encodeCursor } from '../listing.ts'
import { ProblemError } from '../problem.ts'
import { json, route } from '../route.ts'

import type { DayRow } from '../../payments/day.ts'
import type { Zone } from '../../work/zone.ts'
import type { RouteDeps } from '../route.ts'
import type { Hono } from 'hono'

const Place = z.tuple([z.int(), z.string(), z.string(), z.enum(MOVED), z.string()])

const FindQuery = PaymentFilters.extend({
  cursor: field(
    decodeCursor(Place).optional(),
    'The next_cursor of the previous page. Default: the first page.',
    CURSOR_EXAMPLE,
  ),
})

const day = text('A day in TIME_ZONE.', '2026-11-21')
const TABLE = 'text/csv'

export type PaymentDeps = Pick<RouteDeps, 'store' | 'account' | 'config' | 'fingerprints' | 'kinds' | 'log'>

export function declarePayments(app: Hono, deps: PaymentDeps): void {
  const { config, log } = deps
  const zone = config.timeZone === null ? null : createZone(config.timeZone)

  route(app, 'GET', '/api/payments', {
    id: 'findPayments',
    tag: 'Records',
    summary: 'Find payments, the newest first',
    description:
      'By one or several of the parameters, of which all count. Finds what the gateway has confirmed, also if it went back since. If there is none, the problem unknown_payment says so in words that can be read out. MERCHANT_READ_KEY opens it.',
    query: FindQuery,
    answers: [json(200, 'One page, newest first.', FoundPage)],
    problems: ['unknown_payment', 'no_time_zone', 'store_unavailable'],
    handle: async ({ c, query: { cursor, ...filters } }) => {
      const by = personalFilters(filters)
      if (by.length > 0) {
        log.info({ by }, 'Payments were looked up by the data of a person.')
      }

      const after = cursor && placeOf(cursor)
      const found = await findPayments({ ...deps, zone }, filters, after)
      if (found.kind === 'refused') {
        throw new ProblemError(found)
      }

      const { items, next, reachesSince } = found
      const last = next && [next.at, next.transaction_id, next.part, next.moved, next.currency]
      return c.json({
        items,
        next_cursor: last && encodeCursor(last),
        reaches_since: reachesSince,
      } satisfies FoundPage)
    },
  })

  route(app, 'GET', '/api/payments.csv', {
    id: 'listDay',
    tag: 'Records',
    summary: 'List the movements of a day as CSV',
    description: `A line for each payment, reversal, refund, payout and recipient of airtime of the day, oldest first, in these columns: ${COLUMNS.join(', ')}. amount is what was paid, change what it changes for you, without the gateway's fees. Commas, semicolons, bars, quotes and control characters within a text, and what is normalized to one of them, are spaces, and a text that begins with neither a letter nor a digit has an apostrophe before it, so that no spreadsheet runs a part of it as a formula, whichever of these or a tab separates its cells. MERCHANT_READ_KEY opens it.`,
    query: z.object({ day }),
    answers: [
      {
        status: 200,
        description: 'The table, with a line of headings.',
        content: { type: TABLE, schema: z.string().meta({ description: 'CSV after RFC 4180, in UTF-8.' }) },
      },
    ],
    problems: ['no_time_zone', 'store_unavailable'],
    handle: ({ query }) => {
      const { times, here } = readDayOf(query.day, zone)
      const headers = {
        'content-type': `${TABLE}; charset=utf-8; header=present`,
        'content-disposition': `attachment; filename="payments-${query.day}.csv"`,
        'cache-control': 'no-store',
      }
      return new Response(streamLines(readDay(deps, times), here), { headers })
    },
  })

  route(app, 'GET', '/api/days/:day', {
    id: 'closeDay',
    tag: 'Records',
    summary: 'Close a day: its sums, and what does not agree',
    description:
      'Sums by currency, and by currency, operator and service. What does not agree is one item for each order, with every reason. MERCHANT_READ_KEY opens it.',
    params: z.object({ day }),
    answers: [json(200, 'The day.', DayOfPayments)],
    problems: ['no_time_zone', 'store_unavailable'],
    handle: async ({ c, params }) => {
      const { times, here } = readDayOf(params.day, zone)
      const totals = createTotals()
      const disagreements = createDisagreements(deps)
      for await (const page of readDay(deps, times)) {
        for (const row of page) {
          totals.add(row.movement)
          await disagreements.look(row)
        }
      }

      await disagreements.addAlarms(times)
      return c.json({
        day: params.day,
        time_zone: here.timeZone,
        closes_at: here.write(here.closingOf(params.day)),
        sums: totals.sums(),
        totals: totals.totals(),
        disagreements: disagreements.all(),
      } satisfies DayOfPayments)
    },
  })
}

function placeOf([at, transaction_id, part, moved, currency]: z.output<typeof Place>) {
  return { at, transaction_id, part, moved, currency }
}

/** @throws {ProblemError} if the text is no day, or TIME_ZONE is not set. */
function readDayOf(text: string, zone: Zone | null) {
  if (!isDate(text)) {
    throw new ProblemError(invalid([{ path: 'day', message: 'must be a date such as 2026-11-21' }]))
  }
  if (zone === null) {
    throw new ProblemError(NO_TIME_ZONE)
  }
  return { times: zone.timesOf(text), here: zone }
}

/** Returns the lines of a table, each page of which is read when the client has taken the one before. */
function streamLines(pages: AsyncGenerator<DayRow[]>, zone: Zone): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(csvLine(COLUMNS))),
    async pull(controller) {
      const { done, value } = await pages.next()
      if (done) {
        return controller.close()
      }

      controller.enqueue(encoder.encode(value.map((row) => csvLine(cellsOf(row, zone))).join('')))
    },
    cancel: async () => void (await pages.return(undefined)),
  })
}
