// The browsers in which somebody uses the portal, and who has signed in there.

import { createHmac } from 'node:crypto'

import { isEqual } from '../credentials/secret.ts'

import type { Clock } from '../journal/state-clock.ts'
import type { Randomness } from '../randomness.ts'

// [assumed] A person signs in once a working day.
const LIFETIME_MS = 12 * 3_600_000
// More are from a script; the oldest ends.
const MAX_SIGN_INS = 1_000
/** The forms of a sign-in that are remembered, so that a second submission has no second effect. */
const MAX_SUBMISSIONS = 100

export interface SignIn {
  readonly email: string
  /** Milliseconds since the Unix epoch. */
  readonly expiresAt: number
  /** What the next page tells about the last form, such as "The key was revoked." */
  notice: string | null
  /** New keys and passwords that were not shown yet, by what they belong to. */
  readonly secrets: Map<string, string>
  /** By form id: where a submitted form leads; `null` if the form was refused. */
  readonly submissions: Map<string, Promise<string | null>>
}

export type SignIns = ReturnType<typeof createSignIns>

/** A browser has an id in a cookie before its user signs in, and another id afterwards. */
export function createSignIns(clock: Clock, randomness: Randomness) {
  const secret = randomness.hex(64)
  const signIns = new Map<string, SignIn>()
  const csrfOf = (id: string) => createHmac('sha256', secret).update(id).digest('hex')

  return {
    newBrowser: () => randomness.hex(48),
    begin(email: string): string {
      const id = randomness.hex(48)
      const expiresAt = clock.now() + LIFETIME_MS
      signIns.set(id, { email, expiresAt, notice: null, secrets: new Map(), submissions: new Map() })
      const [oldest] = signIns.keys()
      if (signIns.size > MAX_SIGN_INS && oldest !== undefined) {
        signIns.delete(oldest)
      }
      return id
    },
    find(id: string): SignIn | undefined {
      const signIn = signIns.get(id)
      return signIn && clock.now() < signIn.expiresAt ? signIn : undefined
    },
    end: (id: string) => void signIns.delete(id),
    endAllOf(email: string) {
      for (const [id, signIn] of signIns) {
        if (signIn.email === email) {
          signIns.delete(id)
        }
      }
    },
    /** Returns the token that every form of this browser contains. */
    csrfOf,
    isCsrfOf: (id: string, token: string) => isEqual(token, csrfOf(id)),
    newForm: () => randomness.hex(24),
  }
}

/**
 * Runs `submit` once for each form id: a repeated submission gets the address of the first. A refused form may be
 * submitted again.
 */
export async function submitOnce(
  { submissions }: SignIn,
  form: string,
  submit: () => Promise<string | null>,
): Promise<string | null> {
  for (let earlier = submissions.get(form); earlier; earlier = submissions.get(form)) {
    const address = await earlier
    if (address !== null) {
      return address
    }
    // The first that waited for a refusal forgets it; the others wait for the next submission.
    if (submissions.get(form) === earlier) {
      submissions.delete(form)
    }
  }

  const submission = submit()
  submissions.set(form, submission)
  const [oldest] = submissions.keys()
  if (submissions.size > MAX_SUBMISSIONS && oldest !== undefined) {
    submissions.delete(oldest)
  }
  return submission
}
