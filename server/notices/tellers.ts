/** The ways in which people are told, as the configuration names them. */

import { tellByEmail } from './email.ts'
import { tellByHttp } from './http.ts'

import type { Config } from '../config/config.ts'
import type { Fetch } from '../http/exchange.ts'
import type { Clock } from '../work/clock.ts'
import type { Teller } from './tell.ts'

export function tellersOf(config: Config, { fetch, clock }: { fetch: Fetch; clock: Clock }): Teller[] {
  const { email = null, http = null } = config.notices ?? {}
  return [
    ...(email ? [{ way: 'email' as const, tell: tellByEmail({ settings: email, config, clock }) }] : []),
    ...(http ? [{ way: 'http' as const, tell: tellByHttp({ service: http, fetch, clock }) }] : []),
  ]
}
