/**
 * The access token of all requests: when it is renewed, and what follows when the gateway refuses it. [spec:
 * Authentication]
 */

import { endpoints } from '../contract/endpoints.ts'
import { backoffDelay } from '../work/backoff.ts'
import { GatewayError } from './errors.ts'

import type { Credentials } from '../contract/authentication.ts'
import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'
import type { Endpoint } from './endpoint.ts'
import type { Call, Transport } from './transport.ts'

/** Sends a request with the access token. */
export type CallWithToken = ReturnType<typeof withAccessToken>['call']

/** An endpoint that requires an access token. `token` is the name of the HTTP header for the access token. */
export type TokenEndpoint<Answer> = Endpoint<Answer> & { token: string }

/**
 * The maximum time for which an access token is used, in seconds, even if the gateway states a longer lifetime. [spec:
 * Authentication, 3: "valid for up to one hour"]
 */
const LONGEST_LIFE_S = 3600
/** An access token is renewed this many seconds before it expires, so that it does not expire during a request. */
const RENEW_EARLY_S = 60

/**
 * How often a request is sent whose access token the gateway refuses, each time with another token. [assumed] A new
 * access token may end the previous one.
 */
const TOKEN_ATTEMPTS = 5
const TOKEN_PAUSE = { baseMs: 100, capMs: 1_000 }

/**
 * Returns a `call` function that adds the access token to each request. All requests use one access token, which is
 * renewed before it expires. At most one request for a new access token is in flight. [spec: Authentication] If the
 * gateway refuses the access token, the request is sent again with a new one: a new token may end the previous one, and
 * other replicas ask for tokens, too.
 */
export function withAccessToken(
  transport: Transport,
  credentials: Credentials,
  { clock, randomness }: { clock: Clock; randomness: Pick<Randomness, 'fraction'> },
) {
  let current: { token: string; renewAt: number } | null = null
  let pending: Promise<string> | null = null
  const validToken = () => (current && clock.now() < current.renewAt ? current.token : null)

  async function renew({ family }: Endpoint<unknown>): Promise<string> {
    const requestedAt = clock.now()
    // A failed renewal shows that the queries of this family are not answered.
    const endpoint = { ...endpoints.authenticate, family }
    const { access_token, expiresIn } = await transport(endpoint, { body: credentials })
    const life = Math.min(expiresIn ?? LONGEST_LIFE_S, LONGEST_LIFE_S)
    // A token that lives for less than two minutes is used for half of its life.
    const renewAt = requestedAt + Math.max(life - RENEW_EARLY_S, life / 2) * 1000
    current = { token: access_token, renewAt }
    return access_token
  }

  /** Resolves with an access token for a request to the endpoint. */
  async function tokenFor(endpoint: Endpoint<unknown>): Promise<string> {
    return validToken() ?? (pending ??= renew(endpoint).finally(() => (pending = null)))
  }

  async function callWithToken<Answer>(endpoint: TokenEndpoint<Answer>, call: Call): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const token = await tokenFor(endpoint)
      try {
        return await transport(endpoint, { ...call, headers: { [endpoint.token]: token } })
      } catch (error) {
        const isRefused = error instanceof GatewayError && error.code === 'gateway_unauthorized'
        if (!isRefused || attempt >= TOKEN_ATTEMPTS) {
          throw error
        }
        // Concurrent refusals of one token cause only one renewal.
        if (current?.token === token) {
          current = null
        }
        // One new token is enough where tokens expire. Where replicas end each other's, chance lets one of them pass.
        if (attempt > 1) {
          await clock.sleep(backoffDelay(attempt, randomness.fraction(), TOKEN_PAUSE), call.signal)
        }
      }
    }
  }

  return {
    call: async <Answer>(endpoint: TokenEndpoint<Answer>, call: Call): Promise<Answer> => {
      let isDoubtful = false

      const onDoubt = () => {
        isDoubtful = true
      }

      return callWithToken(endpoint, { ...call, onDoubt }).catch((error: unknown) => {
        throw error instanceof GatewayError && !isDoubtful ? asUnsent(error) : error
      })
    },
    authenticate: async (): Promise<void> => void (await tokenFor(endpoints.authenticate)),
    isAuthenticated: () => validToken() !== null,
  }
}

/** Returns the error of a call no attempt of which the gateway may have executed: each failed before, or none was made. */
function asUnsent({ code, message, cause, rejection, summary }: GatewayError): GatewayError {
  return new GatewayError(code, message, { cause, rejection, summary, isUnsent: true })
}
