/** The feature `airtime`: the merchant's backend sends airtime to one recipient or many. */

import { airtimeKind } from '../airtime/kind.ts'
import { readAirtime } from '../airtime/record.ts'
import { submitAirtime } from '../airtime/submit.ts'
import { airtimeOf, listedOf, trackedRecipientOf } from '../airtime/view.ts'
import { AirtimeOrder, ListedAirtime, TrackedAirtime, TrackedRecipient } from '../api/airtime.ts'
import { text } from '../contract/openapi-field.ts'
import { declareResolve, ResolveRecipientBody } from '../routes/api/resolve.ts'
import { declareCreate, declareResource } from '../routes/api/resource.ts'

import type { Feature } from '../routes/feature.ts'

/** The maximum size of a list of airtime, in bytes. The longest list, 100,000 recipients, fits in indented JSON. */
const MAX_LIST_BYTES = 16_000_000

export const airtime: Feature = {
  name: 'airtime',
  kind: { name: 'airtime', rules: airtimeKind },
  events: ['airtime'],
  callbacks: ['airtime'],
  routes(app, deps) {
    const { store, account } = deps

    declareCreate(app, deps, '/api/airtime', {
      kind: 'airtime',
      id: 'sendAirtime',
      tag: 'Airtime',
      summary: 'Send airtime',
      description: `All recipients are stored before the first is sent. Each is sent once and queried until it is settled. The same list again returns its state and sends what was never sent; another list under its reference is refused, and so is a list that repeats a phone number.

The outcome of a recipient is "pending" when the gateway accepted the request, "failed" with the gateway's message when it rejected it, and "sending" when its answer was lost. What may have been sent is queried and never sent again.`,
      body: { schema: AirtimeOrder, types: ['application/json'], maxBytes: MAX_LIST_BYTES },
      schema: TrackedAirtime,
      submit: (body, traceId, signal) => submitAirtime(deps, body, signal, traceId),
      toView: ({ rows }) => airtimeOf(rows),
    })

    declareResource(app, deps, {
      kind: 'airtime',
      tag: 'Airtime',
      key: text('Your reference of the list. 1–64 characters.', 'AIRTIME-2026-11-0001'),
      listed: {
        description: 'One item for each request to the gateway, which holds at most 1,000 recipients.',
        schema: ListedAirtime,
        toItem: (row) => listedOf(readAirtime(row)),
      },
      retrieveSummary: 'Retrieve airtime: counts, sums, and each recipient',
      schema: TrackedAirtime,
      toView: ([row, ...others]) => airtimeOf([readAirtime(row), ...others.map(readAirtime)]),
      find: (reference) => store.list(account, 'airtime', reference),
    })

    declareResolve(app, deps, {
      kind: 'airtime',
      tag: 'Airtime',
      noun: 'a recipient of airtime',
      reference: text(
        'Your reference of the list, or the external_reference of one of its requests. 1–64 characters.',
        'AIRTIME-2026-11-0001',
      ),
      body: ResolveRecipientBody,
      answer: TrackedRecipient,
      async find(reference) {
        const rows = await store.list(account, 'airtime', reference)
        if (rows.length > 0) {
          return rows
        }

        const row = await store.findByReference(account, 'airtime', reference)
        return row ? [row] : []
      },
      findSubject(row, people) {
        const airtime = readAirtime(row)
        const recipient = airtime.record.recipients.find(({ fingerprint }) => people.includes(fingerprint))
        if (!recipient) {
          return null
        }

        const { fingerprint: part, resolution } = recipient
        const view = trackedRecipientOf(airtime, recipient)
        return { part, resolution, outcome: view.outcome, view }
      },
    })
  },
}
