/**
 * One access token for everybody: at most one request for a token is under way, it is renewed before it ends,
 * and a token that the gateway refused is dropped once, however many requests were refused with it.
 * [spec: Authentication]
 */

import type { Token } from '../contract/account.ts'
import type { Clock } from '../clock.ts'

interface TokenSource {
  get(): Promise<string>
  /** Forgets the token, if it is still the one in use. */
  drop(token: string): void
}

/** [spec: Authentication, 3] "valid for up to one hour": a longer promise is not believed. */
const LONGEST_LIFE_S = 3600
/** Renewed this much before its end, so that no request travels with a dying token. */
const RENEW_EARLY_S = 60

export function createTokenSource(authenticate: () => Promise<Token>, clock: Clock): TokenSource {
  let current: { token: string; renewAt: number } | null = null
  let underWay: Promise<string> | null = null

  async function renew(): Promise<string> {
    const askedAt = clock.now()
    const { access_token, expiresIn } = await authenticate()
    const life = Math.min(expiresIn ?? LONGEST_LIFE_S, LONGEST_LIFE_S)
    current = { token: access_token, renewAt: askedAt + Math.max(life - RENEW_EARLY_S, life / 2) * 1000 }
    return access_token
  }

  return {
    async get() {
      if (current && clock.now() < current.renewAt) return current.token
      underWay ??= renew().finally(() => {
        underWay = null
      })
      return underWay
    },
    drop(token) {
      if (current?.token === token) current = null
    },
  }
}
