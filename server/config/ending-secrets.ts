/**
 * Secrets whose previous value ends some time after it was replaced: whoever has it could name a price, move money, or
 * look up people. The previous values of the other secrets never end: they open what was made with them, however old it
 * is.
 */

import type { Secrets } from './secret.ts'

/** A secret whose previous value ends. */
export interface EndingSecrets {
  readonly secrets: Secrets
  /** When the previous value was replaced, in milliseconds since the Unix epoch; `null` if there is none. */
  readonly previousSince: number | null
  /** How long the previous value is accepted after that, in milliseconds. */
  readonly previousForMs: number
}

/** Returns the values that are accepted at a time. */
export function acceptedAt({ secrets, previousSince, previousForMs }: EndingSecrets, now: number): Secrets {
  const [current] = secrets
  const age = previousSince === null ? Infinity : now - previousSince
  return age < previousForMs ? secrets : [current]
}

/** The longest time by which a secret may be replaced ahead, in milliseconds: its day may be of another time zone. */
const MAX_AHEAD_MS = 24 * 3_600_000

/** Returns whether a secret would be replaced only later: its previous value would be accepted for too long. */
export function liesAhead({ previousSince }: EndingSecrets, now: number): boolean {
  return previousSince !== null && previousSince > now + MAX_AHEAD_MS
}

/** Returns a secret with the end of its previous value; `null` if it is not set. */
export function endingOf(
  secrets: Secrets | undefined,
  previousSince: number | undefined,
  previousForMs: number,
): EndingSecrets | null {
  return secrets ? { secrets, previousSince: previousSince ?? null, previousForMs } : null
}
