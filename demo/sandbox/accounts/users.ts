import { scryptSync, timingSafeEqual } from 'node:crypto'
import { createAttempts } from './attempts.ts'
import type { Randomness } from '../randomness.ts'
import type { Clock } from '../timeline/clock.ts'
import type { Environment } from '../environment.ts'
import type { Role } from './roles.ts'

export interface User {
  readonly email: string
  /** The client code of the merchant that the user works for. */
  readonly merchant: string
  readonly name: string
  readonly role: Role
  readonly password: Password
}

export interface Password {
  readonly salt: string
  readonly hash: string
}

export interface Users {
  /**
   * Returns the user who has both the e-mail address and the password. Otherwise returns the minutes until the next
   * password is checked, after too many wrong ones; 0 if the password was checked, and is wrong.
   */
  check(email: string, password: string): { user: User } | { minutes: number }
  find(email: string): User | undefined
  listOf(merchant: string): readonly User[]
  /** Adds a user and returns the new password; `null` if a user has the e-mail address already. */
  add(user: Omit<User, 'password'>): string | null
  /** Replaces the user with the same e-mail address. */
  save(user: User): void
  setPassword(user: User, password: string): void
  /** Returns the new password. */
  resetPassword(user: User): string
  remove(email: string): void
  /** Returns whether the merchant has no other owner than this user. */
  isLastOwner(user: User): boolean
}

const PASSWORD_DIGITS = 24

export const SEEDED_PASSWORD = 'sandbox-password'

// The passwords are equal, so one hash is enough for all worlds of a process.
const seededPassword = hashPassword(SEEDED_PASSWORD, 'sandbox')

export const SEEDED_USERS: readonly User[] = [
  seeded('SANDBOX', 'owner@sandbox.test', 'Amina Owner', 'owner'),
  seeded('SANDBOX', 'developer@sandbox.test', 'Dennis Developer', 'developer'),
  seeded('SANDBOX', 'finance@sandbox.test', 'Faith Finance', 'finance'),
  seeded('SANDBOX', 'viewer@sandbox.test', 'Victor Viewer', 'viewer'),
  seeded('SANDBOX-2', 'owner@second.test', 'Sam Second', 'owner'),
]

const LIVE_OWNER = {
  merchant: 'LIVE',
  email: 'owner@production.test',
  name: 'Amina Owner',
  role: 'owner',
} as const

/** Returns the users of an environment. In production, there is an owner with this password. */
export function seededUsers(environment: Environment, password: string): readonly User[] {
  if (environment === 'sandbox') return SEEDED_USERS
  return [{ ...LIVE_OWNER, password: hashPassword(password, 'production') }]
}

function seeded(merchant: string, email: string, name: string, role: Role): User {
  return { merchant, email, name, role, password: seededPassword }
}

// An unknown address takes as long as a wrong password.
const NOBODY = hashPassword('', 'nobody')

export function createUsers(seeded: readonly User[], randomness: Randomness, clock: Clock): Users {
  const attempts = createAttempts(clock)
  const users = new Map(seeded.map((user) => [user.email, user]))
  const save = (user: User) => void users.set(user.email, user)
  const setPassword = (user: Omit<User, 'password'>, password: string) =>
    save({ ...user, password: hashPassword(password, randomness.hex(16)) })
  const resetPassword = (user: Omit<User, 'password'>) => {
    const password = randomness.hex(PASSWORD_DIGITS)
    setPassword(user, password)
    return password
  }
  return {
    check(given, password) {
      const email = emailOf(given)
      const minutes = attempts.minutesUntilNext(email)
      if (minutes > 0) return { minutes }
      const user = users.get(email)
      const { salt, hash } = user?.password ?? NOBODY
      const isRight = timingSafeEqual(bytesOf(hashPassword(password, salt).hash), bytesOf(hash))
      if (user && isRight) {
        attempts.forget(email)
        return { user }
      }
      attempts.addFailure(email)
      return { minutes: 0 }
    },
    find: (email) => users.get(email),
    listOf: (merchant) => [...users.values()].filter((user) => user.merchant === merchant),
    add: (user) => (users.has(user.email) ? null : resetPassword(user)),
    save,
    setPassword,
    resetPassword,
    remove: (email) => void users.delete(email),
    isLastOwner({ email, merchant, role }) {
      const others = [...users.values()].filter((one) => one.merchant === merchant && one.email !== email)
      return role === 'owner' && !others.some((one) => one.role === 'owner')
    },
  }
}

function bytesOf(digits: string): Buffer {
  return Buffer.from(digits, 'hex')
}

/** E-mail addresses are compared without regard to case. */
export function emailOf(text: string): string {
  return text.trim().toLowerCase()
}

// 1024 is a low cost: nothing is secret in the sandbox, and its tests sign in often.
export function hashPassword(password: string, salt: string): Password {
  return { salt, hash: scryptSync(password, salt, 32, { N: 1_024 }).toString('hex') }
}
