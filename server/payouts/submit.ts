/**
 * Sends a payout for the merchant, once.
 *
 * The merchant's reference is the idempotency key, over local, international and B2B payouts together: the same
 * request again brings the same payout, another under its reference is refused.
 */

import type { Clock } from '../clock.ts'
import type { Randomness } from '../randomness.ts'
import type { Home, Store } from '../store.ts'
import type { Door } from '../transactions/door.ts'
import type { Payout, PayoutRecord, Variant } from './record.ts'
import { readPayout, Submission } from './record.ts'
import { askAt } from './kind.ts'

export type Submitted =
  | { kind: 'begun' | 'known'; payout: Payout }
  | { kind: 'invalid'; errors: { path: string; message: string }[] }
  | { kind: 'reference_reused' }

export interface SubmitDeps {
  store: Store
  home: Home
  door: Door
  clock: Clock
  randomness: Randomness
  callbackUrl: (variant: Variant, reference: string) => string
}

export type Submit = (variant: Variant, body: unknown) => Promise<Submitted>

export function createSubmit({ store, home, door, clock, randomness, callbackUrl }: SubmitDeps): Submit {
  return async function submit(variant, body) {
    const parsed = readSubmission(variant, body, callbackUrl)
    if ('errors' in parsed) return { kind: 'invalid', errors: parsed.errors }
    const { submission } = parsed
    const reference = submission.request.payout_reference

    const created_at = clock.now()
    const record: PayoutRecord = { phase: 'intended', submission, missing: { since: created_at, times: 0 } }
    const isNew = await store.insert({
      id: randomness.token(),
      kind: 'payout',
      home,
      reference,
      group: reference,
      attempt: 1,
      outcome: 'sending',
      record,
      created_at,
      due_at: askAt({ record, created_at }, created_at),
    })
    const row = await store.findByReference(home, 'payout', reference)
    if (!row) throw new Error(`Payout ${reference} is gone from the store.`)
    const payout = readPayout(row)
    if (!isNew)
      return isSame(payout.record.submission, submission)
        ? { kind: 'known', payout }
        : { kind: 'reference_reused' }
    // Unclear is no failure: it is stored, and settled by asking.
    const { transaction } = await door.send(row.id)
    return { kind: 'begun', payout: readPayout(transaction) }
  }
}

function readSubmission(variant: Variant, body: unknown, callbackUrl: SubmitDeps['callbackUrl']) {
  const given = typeof body === 'object' && body !== null ? body : {}
  const reference = 'payout_reference' in given ? String(given.payout_reference) : ''
  const parsed = Submission.safeParse({
    variant,
    request: { ...given, callback_url: callbackUrl(variant, reference) },
  })
  if (parsed.success) return { submission: parsed.data }
  const errors = parsed.error.issues.map(({ path, message }) => ({
    path: path.slice(1).join('.') || 'body',
    message,
  }))
  return { errors }
}

/** The callback's address is ours, and may have another key by now. */
function isSame(a: Submission, b: Submission): boolean {
  const comparable = ({ variant, request }: Submission) =>
    JSON.stringify({ variant, ...request, callback_url: null })
  return comparable(a) === comparable(b)
}
