// The people who use the portal for a merchant, and their passwords.

import { scryptSync } from 'node:crypto'

import { isEqual } from '../credentials/secret.ts'

import type { Environment } from '../environment.ts'
import type { Clock } from '../journal/state-clock.ts'
import type { Randomness } from '../randomness.ts'
import type { Role } from './roles.ts'

export interface User {
  readonly email: string
  /** The client code of the merchant that the user works for. */
  readonly merchant: string
  readonly name: string
  readonly role: Role
  readonly password: ReturnType<typeof hashPassword>
}

/** The length of new passwords, in hexadecimal digits. */
export const PASSWORD_DIGITS = 24

export const SEEDED_PASSWORD = 'sandbox-password'

type Profile = Omit<User, 'password'>

export const SEEDED_USERS: Readonly<Record<Environment, readonly Profile[]>> = {
  sandbox: [
    { merchant: 'SANDBOX', email: 'owner@sandbox.test', name: 'Amina Owner', role: 'owner' },
    { merchant: 'SANDBOX', email: 'developer@sandbox.test', name: 'Dennis Developer', role: 'developer' },
    { merchant: 'SANDBOX', email: 'finance@sandbox.test', name: 'Faith Finance', role: 'finance' },
    { merchant: 'SANDBOX', email: 'viewer@sandbox.test', name: 'Victor Viewer', role: 'viewer' },
    { merchant: 'SANDBOX-2', email: 'owner@second.test', name: 'Sam Second', role: 'owner' },
  ],
  production: [{ merchant: 'LIVE', email: 'owner@production.test', name: 'Amina Owner', role: 'owner' }],
}

/** Returns the users of an environment, who all have this password. */
export function seededUsers(environment: Environment, password: string): readonly User[] {
  const hashed = hashPassword(password, environment)
  return SEEDED_USERS[environment].map((profile) => ({ ...profile, password: hashed }))
}

// Is compared if no user has the address, so that an unknown address takes as long as a wrong password.
const PASSWORD_OF_NOBODY = hashPassword('', 'nobody')

export function createUsers(seeded: readonly User[], randomness: Randomness, clock: Clock) {
  const attempts = createAttempts(clock)
  const users = new Map(seeded.map((user) => [user.email, user]))
  const save = (user: User) => void users.set(user.email, user)

  const resetPassword = (user: Profile) => {
    const password = randomness.hex(PASSWORD_DIGITS)
    save({ ...user, password: hashPassword(password, randomness.hex(16)) })
    return password
  }

  return {
    /**
     * Returns the user who has both the e-mail address and the password. Otherwise returns for how long the answer is
     * held back, in milliseconds. The right password is always accepted: a stranger cannot shut an account to its user.
     */
    check(address: string, password: string): { user: User } | { delayMs: number } {
      const email = emailOf(address)
      const user = users.get(email)
      const { salt, hash } = user?.password ?? PASSWORD_OF_NOBODY
      const isRight = isEqual(hashPassword(password, salt).hash, hash)
      if (!user || !isRight) {
        return { delayMs: attempts.addFailure(email) }
      }

      attempts.forget(email)
      return { user }
    },
    find: (email: string) => users.get(email),
    listOf: (merchant: string): readonly User[] =>
      [...users.values()].filter((user) => user.merchant === merchant),
    /** Adds a user and returns the new password; `null` if a user has the e-mail address already. */
    add: (user: Profile) => (users.has(user.email) ? null : resetPassword(user)),
    /** Replaces the user with the same e-mail address. */
    save,
    /** Returns the new password. */
    resetPassword,
    remove: (email: string) => void users.delete(email),
    /** Returns whether the user is the only owner of the merchant. */
    isLastOwner({ email, merchant, role }: User): boolean {
      const owners = [...users.values()].filter((user) => user.merchant === merchant && user.role === 'owner')
      return role === 'owner' && owners.every((user) => user.email === email)
    },
  }
}

// [assumed] After five wrong passwords in 15 minutes, each further one is answered a second later than the one before.
const FREE_FAILURES = 5
const STEP_MS = 1_000
const MAX_STEPS = 10
const WINDOW_MS = 15 * 60_000
// Whoever invents addresses fills no more memory.
const MAX_ADDRESSES = 10_000

/** Remembers the wrong passwords of each e-mail address, whether a user has the address or not. */
function createAttempts(clock: Clock) {
  const failures = new Map<string, readonly number[]>()

  const recentOf = (email: string) => {
    const since = clock.now() - WINDOW_MS
    return (failures.get(email) ?? []).filter((time) => time > since)
  }

  return {
    /** Remembers a wrong password. Returns for how long its answer is held back, in milliseconds. */
    addFailure(email: string): number {
      const recent = [...recentOf(email), clock.now()].slice(-FREE_FAILURES - MAX_STEPS)
      // The address moves to the end: a Map keeps the order in which its keys were added.
      failures.delete(email)
      failures.set(email, recent)
      const [oldest] = failures.keys()
      if (failures.size > MAX_ADDRESSES && oldest !== undefined) {
        failures.delete(oldest)
      }
      return Math.max(0, recent.length - FREE_FAILURES) * STEP_MS
    },
    forget: (email: string) => void failures.delete(email),
  }
}

/** E-mail addresses are compared without regard to case. */
export const emailOf = (text: string) => text.trim().toLowerCase()

// A low cost: nothing is secret in the sandbox, and each of a thousand sandboxes of a test run hashes its passwords.
function hashPassword(password: string, salt: string) {
  return { salt, hash: scryptSync(password, salt, 32, { N: 16 }).toString('hex') }
}
