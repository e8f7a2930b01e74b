/** The access token of the gateway's calls: when it is renewed, and what is sent again when it is refused. */

import type { Credentials } from '../contract/authentication.ts'
import type { Clock } from '../work/clock.ts'
import type { Call, Endpoint, Transport } from './transport.ts'
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
 * Returns a `call` function that adds the access token to each request. All requests use one access token, which is
 * renewed before it expires. At most one request for a new access token is in flight. [spec: Authentication] If the
 * gateway refuses the access token, the request is sent once more, with a new access token.
 */
export function withToken(transport: Transport, credentials: Credentials, clock: Clock) {
  let current: { token: string; renewAt: number } | null = null
  let pending: Promise<string> | null = null
  const fresh = () => (current && clock.now() < current.renewAt ? current.token : null)

  async function renew({ family }: Endpoint<unknown>): Promise<string> {
    const requestedAt = clock.now()
    const endpoint = { ...endpoints.authenticate, family }
    const { access_token, expiresIn } = await transport(endpoint, { body: credentials })
    const life = Math.min(expiresIn ?? LONGEST_LIFE_S, LONGEST_LIFE_S)
    const renewAt = requestedAt + Math.max(life - RENEW_EARLY_S, life / 2) * 1000
    current = { token: access_token, renewAt }
    return access_token
  }

  /** Resolves with an access token for a request to the endpoint. */
  async function tokenFor(endpoint: Endpoint<unknown>): Promise<string> {
    return fresh() ?? (pending ??= renew(endpoint).finally(() => (pending = null)))
  }

  return {
    call: async <Answer>(endpoint: TokenEndpoint<Answer>, call: Call): Promise<Answer> => {
      const token = await tokenFor(endpoint)
      try {
        return await transport(endpoint, { ...call, headers: { [endpoint.token]: token } })
      } catch (error) {
        if (!(error instanceof GatewayError) || error.code !== 'gateway_unauthorized') throw error
        // Concurrent refusals of one token cause only one renewal.
        if (current?.token === token) current = null
        return await transport(endpoint, { ...call, headers: { [endpoint.token]: await tokenFor(endpoint) } })
      }
    },
    authenticate: async (): Promise<void> => void (await tokenFor(endpoints.authenticate)),
    isAuthenticated: () => fresh() !== null,
  }
}
