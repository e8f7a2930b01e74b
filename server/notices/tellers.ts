/** The ways in which people are told, as the configuration names them. */

import { tellByEmail } from './email.ts'
import { tellByHttp } from './http.ts'

import type { Config } from '../config/config.ts'
import type { Fetch } from '../http/exchange.ts'
import type { Clock } from '../work/clock.ts'
import type { Teller } from './tell.ts'

/** A service knows whom it tells. */
const THE_SERVICE = ''

export function tellersOf(config: Config, { fetch, clock }: { fetch: Fetch; clock: Clock }): Teller[] {
  const { email = null, http = null } = config.notices ?? {}
  return [
    ...(email
      ? [{ way: 'email' as const, readers: email.to, tell: tellByEmail({ settings: email, config, clock }) }]
      : []),
    ...(http
      ? [{ way: 'http' as const, readers: [THE_SERVICE], tell: tellByHttp({ service: http, fetch, clock }) }]
      : []),
  ]
}
