/**
 * Sends requests with an access token. All requests use one access token, which is renewed before it expires. At most
 * one request for a new access token is in flight. [spec: Authentication]
 */

import type { Clock } from '../work/clock.ts'
import type { Credentials } from '../contract/account.ts'
import type { Endpoint } from './answer.ts'
import type { Call, Transport } from './transport.ts'
import { endpoints } from '../contract/endpoints.ts'
import { GatewayError } from './errors.ts'

/** An endpoint that requires an access token. `token` is the name of the HTTP header for the access token. */
export type TokenEndpoint<Answer> = Endpoint<Answer> & { token: string }

/**
 * The maximum time for which an access token is used, in seconds, even if the gateway states a longer lifetime. [spec:
 * Authentication, 3: "valid for up to one hour"]
 */
const LONGEST_LIFE_S = 3600
/**
 * An access token is renewed this many seconds before it expires, so that it does not expire during a request.
 */
const RENEW_EARLY_S = 60

/**
 * Returns a `call` function that adds the access token to each request. If the gateway refuses the access token, the
 * request is sent once more, with a new access token.
 */
export function withToken(transport: Transport, credentials: Credentials, clock: Clock) {
  const tokens = createTokenSource(transport, credentials, clock)

  async function call<Answer>(endpoint: TokenEndpoint<Answer>, call: Call): Promise<Answer> {
    const token = await tokens.get(endpoint)
    try {
      return await transport(endpoint, { ...call, headers: { [endpoint.token]: token } })
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'gateway_unauthorized') throw error
      tokens.drop(token)
      return await transport(endpoint, { ...call, headers: { [endpoint.token]: await tokens.get(endpoint) } })
    }
  }
  return {
    call,
    authenticate: async () => void (await tokens.get(endpoints.authenticate)),
    isAuthenticated: () => tokens.isFresh(),
  }
}

function createTokenSource(transport: Transport, credentials: Credentials, clock: Clock) {
  let current: { token: string; renewAt: number } | null = null
  let pending: Promise<string> | null = null

  async function renew({ family }: Endpoint<unknown>): Promise<string> {
    const requestedAt = clock.now()
    const endpoint = { ...endpoints.authenticate, family }
    const { access_token, expiresIn } = await transport(endpoint, { body: credentials })
    const life = Math.min(expiresIn ?? LONGEST_LIFE_S, LONGEST_LIFE_S)
    const renewAt = requestedAt + Math.max(life - RENEW_EARLY_S, life / 2) * 1000
    current = { token: access_token, renewAt }
    return access_token
  }

  const fresh = () => (current && clock.now() < current.renewAt ? current.token : null)

  return {
    isFresh: () => fresh() !== null,
    /** @param endpoint The endpoint whose request needs the access token. */
    async get(endpoint: Endpoint<unknown>): Promise<string> {
      const token = fresh()
      if (token !== null) return token
      pending ??= renew(endpoint).finally(() => {
        pending = null
      })
      return pending
    },
    /**
     * Discards an access token that the gateway refused, unless this token was already replaced. Concurrent refusals
     * therefore cause only one renewal.
     */
    drop(token: string): void {
      if (current?.token === token) current = null
    },
  }
}
