/**
 * Declares `POST /api/{kind}/{reference}/resolve`: a person records what the gateway's support said about a transaction
 * that asking cannot find out. A resolution gives the transaction an end. It confirms no service and moves no money.
 */

import { z } from 'zod'

import { readAirtime } from '../../airtime/record.ts'
import { trackedRecipientOf } from '../../airtime/view.ts'
import { TrackedRecipient } from '../../api/airtime.ts'
import { TrackedCharge } from '../../api/charge.ts'
import { KINDS } from '../../api/kinds.ts'
import { TrackedPayout } from '../../api/payout.ts'
import { invalid, refuse } from '../../api/refusal.ts'
import { TrackedCheckout } from '../../api/view-schema.ts'
import { readCharge } from '../../charges/record.ts'
import { chargeOf } from '../../charges/view.ts'
import { readCheckout } from '../../checkouts/record.ts'
import { trackedCheckoutOf } from '../../checkouts/view.ts'
import { oneOf, possibleMsisdn, text } from '../../contract/fields.ts'
import { field, text as textField } from '../../contract/openapi-field.ts'
import { readPayout } from '../../payouts/record.ts'
import { payoutOf } from '../../payouts/view.ts'
import { namesOf } from '../../transactions/record.ts'
import { SAYS } from '../../transactions/resolution.ts'
import { isNewResolution } from '../../transactions/transition.ts'
import { problem, ProblemError } from '../problem.ts'
import { json, parsedBody, route } from '../route.ts'

import type { KindName } from '../../api/kinds.ts'
import type { Refusal } from '../../api/refusal.ts'
import type { Transaction } from '../../store/store.ts'
import type { Resolution } from '../../transactions/resolution.ts'
import type { Resolving } from '../../transactions/transition.ts'
import type { RouteDeps, RouteTexts } from '../route.ts'
import type { Hono } from 'hono'

const said = {
  says: field(
    oneOf(SAYS),
    'What became of the money. paid: received, or delivered to the recipient. not_paid: nothing was paid. returned: it was paid and came back.',
    'not_paid',
  ),
  by: field(text(100), 'Who says so, for the record. 1–100 characters.', 'Asha, finance'),
  note: field(
    text(500),
    "What it rests on, such as the ticket of the gateway's support. No details of a payer. 1–500 characters.",
    'Ticket 4711: the payer was never charged.',
  ),
}

const ResolveBody = z
  .object(said, 'must be an object')
  .meta({ id: 'ResolveRequest', description: 'What a person found out about a transaction.' })

const ResolveRecipientBody = z.object({ phone_number: possibleMsisdn, ...said }, 'must be an object').meta({
  id: 'ResolveRecipientRequest',
  description: 'What a person found out about a recipient of airtime.',
})

type Said = z.output<typeof ResolveBody>

/** What is resolved: a transaction, or one recipient of airtime, whose fingerprint is `part`. */
interface Subject {
  part: string | null
  resolution: Resolution | null
  outcome: string
  view: object
}

/** The transactions of one kind, as a person resolves them. */
interface Resolvable {
  kind: KindName
  /** The id of the operation. */
  id: string
  tag: RouteTexts['tag']
  /** What is resolved, in the summary. */
  noun: string
  reference: z.ZodString
  body: z.ZodType<Said & { phone_number?: string }>
  answer: z.ZodType
  /** Finds the transactions of a reference. By default, finds the one that has it at the gateway. */
  find?: (reference: string) => Promise<readonly Transaction[]>
  /**
   * Returns what is resolved in a transaction; `null` if there is no such part.
   *
   * @param people The fingerprints that the phone number of the recipient may have.
   */
  subjectOf: (row: Transaction, people: readonly string[]) => Subject | null
}

export function declareResolve(app: Hono, deps: RouteDeps): void {
  const { store, account, clock } = deps

  declare(app, deps, {
    kind: 'payout',
    id: 'resolvePayout',
    tag: 'Payouts',
    noun: 'a payout',
    reference: textField('The payout_reference. 1–64 characters.', 'WAGES-2026-11-0001'),
    body: ResolveBody,
    answer: TrackedPayout,
    subjectOf: (row) => subjectIn(readPayout(row), payoutOf),
  })

  declare(app, deps, {
    kind: 'charge',
    id: 'resolveCharge',
    tag: 'Charges',
    noun: 'a charge',
    reference: textField('The external_reference. 1–64 characters.', 'BILL-2026-11-0001'),
    body: ResolveBody,
    answer: TrackedCharge,
    subjectOf: (row) => subjectIn(readCharge(row), chargeOf),
  })

  declare(app, deps, {
    kind: 'airtime',
    id: 'resolveAirtime',
    tag: 'Airtime',
    noun: 'a recipient of airtime',
    reference: textField(
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
    subjectOf(row, people) {
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

  declare(app, deps, {
    kind: 'checkout',
    id: 'resolveCheckout',
    tag: 'Records',
    noun: 'a checkout',
    reference: textField('The merchant_transaction_id.', '7f9c2ba4-e88f-427d-9161-9b2b4a5c1e07'),
    body: ResolveBody,
    answer: TrackedCheckout,
    subjectOf: (row) => subjectIn(readCheckout(row), (checkout) => trackedCheckoutOf(checkout, clock.now())),
  })
}

function subjectIn<Row extends { record: { resolution: Resolution | null } }>(
  row: Row,
  show: (row: Row) => { outcome: string },
): Subject {
  const view = show(row)
  return { part: null, resolution: row.record.resolution, outcome: view.outcome, view }
}

const DESCRIPTION = `For what asking cannot find out: an outcome needs_attention, review or jammed, or an event needs_attention. paid gives the outcome succeeded or paid, not_paid failed or unpaid, returned refunded. It causes one event, and the history keeps it with by and note. It confirms no service and moves no money.

The gateway is asked first, unless the stored state is fresh, and later as about every settled transaction. A report that contradicts the resolution needs a person again. The same says again is answered alike, and records nothing.`

function declare(app: Hono, deps: RouteDeps, resolvable: Resolvable): void {
  const { store, account, clock, log, fingerprints, kinds, synchronizer } = deps
  const { kind, id, tag, noun, reference, body, answer, subjectOf } = resolvable
  const { plural, unknown } = KINDS[kind]
  const find = resolvable.find ?? findByReference

  route(app, 'POST', `/api/${plural}/:reference/resolve`, {
    id,
    tag,
    summary: `Resolve ${noun}: record what the gateway's support said`,
    description: DESCRIPTION,
    params: z.object({ reference }),
    body: parsedBody(clock, { schema: body }),
    answers: [json(200, 'It is resolved, now or before.', answer)],
    problems: [unknown, 'nothing_to_resolve', 'resolved_otherwise', 'store_unavailable'],
    handle: async ({ c, params, body: readBody }) => {
      const { phone_number, ...said } = await readBody()
      const people = phone_number === undefined ? [] : fingerprints.all('phone', phone_number)
      const rows = await find(params.reference)
      if (rows.length === 0) {
        throw problem(unknown, `No ${kind} has this reference.`)
      }

      const subjects: Subject[] = []
      for (const row of rows) {
        const subject = await resolve(row, people, said)
        if (subject) {
          subjects.push(subject)
        }
      }

      const resolved = subjects.find(({ resolution }) => resolution?.says === said.says)
      if (resolved) {
        return c.json(resolved.view)
      }

      const [subject] = subjects
      throw new ProblemError(subject ? refusalOf(subject) : NO_RECIPIENT)
    },
  })

  /** Resolves what needs a person. What needs nobody is left as it is. */
  async function resolve(row: Transaction, people: readonly string[], said: Said): Promise<Subject | null> {
    // The gateway may have found it out meanwhile.
    const asked = subjectOf(row, people) && (await synchronizer.synchronizeWithin(row.id, 'poll'))
    const before = asked && subjectOf(asked, people)
    if (!before) {
      return null
    }

    const observation: Resolving = {
      kind: 'resolved',
      resolution: { ...said, at: clock.now() },
      part: before.part,
    }
    const decided = await synchronizer.applyDecision(kinds[kind], row.id, observation)
    const after = decided && subjectOf(decided, people)
    if (after?.resolution && isNewResolution(before, after)) {
      const { says, by } = after.resolution
      log.info({ ...namesOf(row), says, by }, `A person resolved ${noun}: ${says}.`)
    }
    return after
  }

  async function findByReference(wanted: string): Promise<Transaction[]> {
    const row = await store.findByReference(account, kind, wanted)
    return row ? [row] : []
  }
}

const NO_RECIPIENT = invalid([
  { path: 'phone_number', message: 'must be that of a recipient of this airtime' },
])

function refusalOf({ resolution, outcome }: Subject): Refusal {
  if (resolution === null) {
    return refuse('nothing_to_resolve', `Nobody has to check it: it is ${outcome}.`)
  }
  return refuse('resolved_otherwise', `It was resolved as ${resolution.says} before.`)
}
