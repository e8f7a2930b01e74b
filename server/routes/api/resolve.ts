/**
 * Declares `POST /api/{kind}/{reference}/resolve`: a person records what the gateway's support said about a transaction
 * that asking cannot find out. A resolution gives the transaction an end. It confirms no service and moves no money.
 */

import { z } from 'zod'

import { KINDS } from '../../api/kind-table.ts'
import { invalid, refuse } from '../../api/refusal.ts'
import { oneOf, possibleMsisdn, text } from '../../contract/fields.ts'
import { field } from '../../contract/openapi-field.ts'
import { namesOf } from '../../transactions/log-names.ts'
import { SAYS } from '../../transactions/resolution.ts'
import { isNewResolution } from '../../transactions/resolution.ts'
import { problem, ProblemError } from '../problem.ts'
import { json, parsedBody, route } from '../route.ts'
import { capitalized } from './resource.ts'

import type { KindName } from '../../api/kind-table.ts'
import type { Refusal } from '../../api/refusal.ts'
import type { Transaction } from '../../store/transactions.ts'
import type { Resolving } from '../../transactions/observation.ts'
import type { Resolution } from '../../transactions/resolution.ts'
import type { Needs, RouteTexts } from '../route.ts'
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

export const ResolveBody = z
  .object(said, 'must be an object')
  .meta({ id: 'ResolveRequest', description: 'What a person found out about a transaction.' })

export const ResolveRecipientBody = z
  .object({ phone_number: possibleMsisdn, ...said }, 'must be an object')
  .meta({
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

/** How the route of one kind finds what a person resolves. */
interface Resolvable {
  kind: KindName
  tag: RouteTexts['tag']
  /** What is resolved, in the summary of the route. Default: `a` and the kind. */
  noun?: string
  /** The schema of the reference in the path. */
  reference: z.ZodString
  body: z.ZodType<Said & { phone_number?: string }>
  /** The schema of the response. */
  answer: z.ZodType
  /** Finds the transactions of a reference. By default, finds the one that has it at the gateway. */
  find?: (reference: string) => Promise<readonly Transaction[]>
  /**
   * Returns what is resolved in a transaction; `null` if there is no such part.
   *
   * @param people The fingerprints that the phone number of the recipient may have.
   */
  findSubject: (row: Transaction, people: readonly string[]) => Subject | null
}

/** Returns a whole transaction as the subject of a resolution. */
export function wholeTransaction<Row extends { record: { resolution: Resolution | null } }>(
  row: Row,
  toView: (row: Row) => { outcome: string },
): Subject {
  const view = toView(row)
  return { part: null, resolution: row.record.resolution, outcome: view.outcome, view }
}

const DESCRIPTION = `For what asking cannot find out: an outcome needs_attention, review or jammed, or an event needs_attention. paid gives the outcome succeeded or paid, not_paid failed or unpaid, returned refunded. It causes one event, and the history keeps it with by and note. It confirms no service and moves no money.

The gateway is asked first, unless the stored state is fresh, and later as about every settled transaction. A report that contradicts the resolution needs a person again. The same says again is answered alike, and records nothing.`

type ResolveDeps = Needs<'store' | 'account' | 'clock' | 'log' | 'fingerprints' | 'kinds' | 'synchronizer'>

export function declareResolve(app: Hono, deps: ResolveDeps, resolvable: Resolvable): void {
  const { store, account, clock, log, fingerprints, kinds, synchronizer } = deps
  const { kind, tag, noun = `a ${kind}`, reference, body, answer, findSubject } = resolvable
  const { plural, unknown } = KINDS[kind]
  const find = resolvable.find ?? findByReference

  route(app, 'POST', `/api/${plural}/:reference/resolve`, {
    id: `resolve${capitalized(kind)}`,
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
    const asked = findSubject(row, people) && (await synchronizer.synchronizeWithin(row.id, 'poll'))
    const before = asked && findSubject(asked, people)
    if (!before) {
      return null
    }

    const observation: Resolving = {
      kind: 'resolved',
      resolution: { ...said, at: clock.now() },
      part: before.part,
    }
    const decided = await synchronizer.applyWithoutQuery(kinds.of(kind), row.id, observation)
    const after = decided && findSubject(decided, people)
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
