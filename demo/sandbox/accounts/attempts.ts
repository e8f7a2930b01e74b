import type { Clock } from '../timeline/clock.ts'

// [assumed] Both limits. A person who mistypes a password five times waits; a program cannot try many passwords.
const MOST_FAILURES = 5
const WINDOW_MS = 15 * 60_000
const MOST_ADDRESSES = 10_000

/** The wrong passwords of each e-mail address, whether a user has the address or not. */
export interface Attempts {
  /** Returns the whole minutes until the next password is checked; 0 if it is checked now. */
  minutesUntilNext(email: string): number
  addFailure(email: string): void
  forget(email: string): void
}

export function createAttempts(clock: Clock): Attempts {
  const failures = new Map<string, readonly number[]>()
  const recentOf = (email: string) => {
    const since = clock.now() - WINDOW_MS
    return (failures.get(email) ?? []).filter((time) => time > since)
  }
  return {
    minutesUntilNext(email) {
      const recent = recentOf(email)
      const [first] = recent
      if (first === undefined || recent.length < MOST_FAILURES) return 0
      return Math.ceil((first + WINDOW_MS - clock.now()) / 60_000)
    },
    addFailure(email) {
      const recent = [...recentOf(email), clock.now()].slice(-MOST_FAILURES)
      failures.delete(email)
      failures.set(email, recent)
      const [oldest] = failures.keys()
      if (failures.size > MOST_ADDRESSES && oldest !== undefined) failures.delete(oldest)
    },
    forget: (email) => void failures.delete(email),
  }
}
