/** The settings of one endpoint of the gateway, as the client uses them. */

import type { Family } from '../contract/endpoints.ts'
import type { z } from 'zod'

/**
 * The settings of an endpoint of the gateway. `contract/endpoints.ts` explains these fields, and defines all endpoints.
 */
export interface Endpoint<Answer> {
  family: Family | null
  method: 'GET' | 'POST'
  path: string
  token: string | null
  decides: 'http' | 'body'
  refusal: 'any' | '4xx' | 'listed'
  response: z.ZodType<Answer>
  retryable: boolean
  unknownCode: number | null
  echoes: Readonly<Record<string, string>>
}

/** Returns the name of an endpoint in messages, such as `GET /v1/payouts/:payout_reference/status`. */
export function nameOf({ method, path }: Pick<Endpoint<unknown>, 'method' | 'path'>): string {
  return `${method} ${path}`
}
