/** Access tokens: given for credentials, asked for on every other call. [spec: Authentication] */

import { endpoints } from '../../../server/contract/endpoints.ts'
import { MERCHANT } from '../merchant.ts'
import type { Fields } from './body.ts'
import type { Failure, Result } from './failure.ts'
import type { World } from '../world.ts'

/** [spec: Limits] A token is valid for up to one hour. */
const TOKEN_LIFETIME_SECONDS = 3_600

/** [spec: Credentials and token] */
export function authenticate(
  world: World,
  body: Fields,
): Result<{ access_token: string; expiresIn: number }> {
  const credentials = endpoints.authenticate.request.safeParse(body)
  if (!credentials.success)
    return {
      failure: { reason: 'body_unreadable', problem: 'consumer_key and consumer_secret are required.' },
    }
  const { consumer_key, consumer_secret } = credentials.data
  if (consumer_key !== MERCHANT.consumerKey || consumer_secret !== MERCHANT.consumerSecret)
    return { failure: { reason: 'credentials_wrong' } }
  return { value: { access_token: issueToken(world), expiresIn: TOKEN_LIFETIME_SECONDS } }
}

/** `null` when the token opens the door. [spec: Authentication, 6] */
export function whyNotAllowed(world: World, token: string | undefined): Failure | null {
  if (token === undefined || token.trim() === '') return { reason: 'token_missing' }
  const endsAt = world.tokens.get(token)
  if (endsAt === undefined) return { reason: 'token_unknown' }
  return world.agenda.now() < endsAt ? null : { reason: 'token_expired' }
}

function issueToken({ tokens, randomness, agenda }: World): string {
  const now = agenda.now()
  // All live equally long, so the oldest end first. An ended one is remembered for another lifetime, to be
  // called expired rather than unknown.
  for (const [token, endsAt] of tokens) {
    if (endsAt + TOKEN_LIFETIME_SECONDS * 1_000 > now) break
    tokens.delete(token)
  }
  const token = randomness.hex(48)
  tokens.set(token, now + TOKEN_LIFETIME_SECONDS * 1_000)
  return token
}
