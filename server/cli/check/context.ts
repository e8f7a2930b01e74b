/** What the checks use: whom to ask, and the functions that add a finding. */

import { createGatewayClient } from '../../gateway/client.ts'
import { exchange } from '../../http/exchange.ts'

import type { Config } from '../../config/config.ts'
import type { GatewayClient } from '../../gateway/client.ts'
import type { GatewayExchange } from '../../gateway/transport.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Shell } from '../shell.ts'
import type { FindingKind } from './finding.ts'

/** What all checks share. */
export interface SharedContext {
  shell: Shell
  config: Config
  client: GatewayClient
  /** Returns how far this machine's clock is ahead of the gateway's, in milliseconds; `null` if no answer shows it. */
  skewMs: () => number | null
  /** Sends a request to the merchant's backend. */
  askBackend: Ask
  /** Sends a request to PUBLIC_URL, whose host may resolve to a private address inside the merchant's network. */
  askServer: Ask
}

type Ask = (method: string, url: string, headers?: Record<string, string>) => Promise<Exchange>

/** Adds a finding, by default under the name of the check. */
type Add = (detail: string, what?: string) => void

export type Context = SharedContext & Record<FindingKind, Add>

export type Check = (context: Context) => void | Promise<unknown>

/** Of a request to the merchant's backend or to this server. */
const LIMITS = { deadlineMs: 8_000, maxAnswerBytes: 64_000 }

export function createSharedContext(shell: Shell, config: Config): SharedContext {
  const { clock } = shell
  const { baseUrl, fxBaseUrl, consumerKey, consumerSecret } = config.gateway

  let skew: number | null = null
  const onExchange = ({ skew_ms }: GatewayExchange) => {
    skew = skew_ms ?? skew
  }

  const credentials = { consumer_key: consumerKey, consumer_secret: consumerSecret.reveal() }
  const fetch = shell.fetchFor(config)
  const client = createGatewayClient({ baseUrl, fxBaseUrl, credentials, fetch, clock, onExchange })

  const askThrough = (privateHosts: Config['privateHosts']): Ask => {
    const fetch = shell.fetchFor(config, privateHosts)
    return (method, url, headers = {}) => exchange(fetch, clock, { method, url, headers, ...LIMITS })
  }

  return {
    shell,
    config,
    client,
    skewMs: () => skew,
    askBackend: askThrough(config.privateHosts),
    askServer: askThrough('any'),
  }
}
