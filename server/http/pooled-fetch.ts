/** Sends HTTP requests over pooled connections, which is faster than the platform's `fetch`. */

import { pipeline } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
// Bun replaces the module `undici`, but not this file of it, with a part of it that ignores `lookup` and has no pool.
import { Agent, buildConnector, EnvHttpProxyAgent } from 'undici/index.js'

import { isPrivateHost } from '../contract/private-host.ts'
import { NotConnectedError } from './exchange.ts'
import { clearLookup, publicLookup, refusal, refuseInClear } from './lookup.ts'
import { sharedLookup } from './resolver.ts'

import type { Config } from '../config/config.ts'
import type { Fetch } from './exchange.ts'
import type { LookupFunction } from 'node:net'
import type { Transform } from 'node:stream'

/**
 * The maximum number of connections to one origin. Further requests wait until a connection is free. If no delivery of an
 * event is answered, deliveries use about 1,200 connections to the merchant's backend (`outbox/deliver.ts`). The others
 * remain for looking up orders.
 */
export const MAX_CONNECTIONS = 2_048

/**
 * The time for the TCP handshake with one of several addresses of a host. Node's default of 250 ms is shorter than many
 * mobile networks need. A SYN is sent again after 1 s and 3 s, and the deadlines leave time for another address.
 */
const HANDSHAKE_MS = 3_500

interface PooledFetchOptions {
  /** The hosts that requests may reach at a private IP address; `any` means all hosts. */
  privateHosts: Config['privateHosts']
  /** The proxy for public hosts. Default: none. */
  proxy?: Config['proxy']
  /** Resolves host names. Default: the lookup function of this process. */
  lookup?: LookupFunction
}

/**
 * Creates a `fetch` function that never follows redirects.
 *
 * It connects to a private address only if `privateHosts` allows the host. Without TLS, a host that is listed there is
 * reached at a private address only (`http/lookup.ts`). The resolved address of each new connection is checked, so that a
 * change in DNS cannot bypass the check. If there is a proxy, the proxy resolves the names of public hosts.
 */
export function createPooledFetch({
  privateHosts,
  proxy = null,
  lookup = sharedLookup,
}: PooledFetchOptions): Fetch {
  const options = { connections: MAX_CONNECTIONS, pipelining: 1 }
  const anywhere = new Agent({ ...options, connect: createConnector(lookup) })
  const publicOnly = new Agent({ ...options, connect: createConnector(publicLookup(lookup)) })
  const privateOnly = new Agent({ ...options, connect: createConnector(clearLookup(lookup)) })
  const direct = privateHosts === 'any' ? anywhere : publicOnly
  const outside = proxy ? createProxied(proxy) : direct
  return async (url, { method, headers, body, signal }) => {
    const { origin, pathname, search, hostname, protocol } = new URL(url)
    // If the host is an IP address, no lookup takes place. The address is therefore checked here.
    const isPrivate = isPrivateHost(hostname)
    const isListed = privateHosts !== 'any' && privateHosts.includes(hostname)
    if (isPrivate && !isListed && privateHosts !== 'any') {
      throw refusal(hostname)
    }

    const isClear = isListed && protocol === 'http:'
    if (isClear) {
      refuseInClear(hostname)
    }

    const inside = isClear ? privateOnly : anywhere
    const dispatcher = isPrivate || isListed ? inside : outside
    const answer = await dispatcher.request({
      origin,
      path: pathname + search,
      method,
      headers,
      body: body ?? null,
      signal,
    })
    // A repeated header is a list of its values.
    const get = (name: string) => [answer.headers[name] ?? []].flat().join(', ') || null
    return { status: answer.statusCode, headers: { get }, body: decode(answer.body, get('content-encoding')) }
  }

  function createProxied({ url, except }: NonNullable<Config['proxy']>): EnvHttpProxyAgent {
    // Without these three options, the agent would take the proxy from the variables of the process.
    const proxies = { httpsProxy: url.reveal(), httpProxy: '', noProxy: except }
    const allowed = privateHosts === 'any' ? lookup : publicLookup(lookup)
    return new EnvHttpProxyAgent({ ...options, ...proxies, connect: createConnector(allowed) })
  }
}

/** The values of Content-Encoding that can be decoded. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ['gzip', createUnzip],
  ['x-gzip', createUnzip],
  ['deflate', createUnzip],
  ['br', createBrotliDecompress],
])

/**
 * Yields the decoded body, as the platform's `fetch` does. Some servers and CDNs compress a body although the request
 * asks for `identity`. The body is decoded piece by piece, so that the reader can stop at its limit of decoded bytes.
 *
 * @throws {Error} if the coding is not known, or the body cannot be decoded or ends too early.
 */
async function* decode(
  body: AsyncIterable<Uint8Array>,
  contentEncoding: string | null,
): AsyncGenerator<Uint8Array> {
  const coding = contentEncoding?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity') {
    yield* body
    return
  }

  const createDecoder = DECODERS.get(coding)
  if (!createDecoder) {
    throw new Error(`its Content-Encoding is ${coding}, which is not known`)
  }

  const bytes = body[Symbol.asyncIterator]()
  const first = await bytes.next()
  // Decoders fail for an empty body, which responses without content have whatever their headers say.
  if (first.done) {
    return
  }

  const allBytes = async function* () {
    yield first.value
    yield* { [Symbol.asyncIterator]: () => bytes }
  }
  yield* pipeline(allBytes, createDecoder(), () => {})
}

/** Returns a function that connects. Its error is a {@link NotConnectedError}: no byte of a request was sent. */
function createConnector(lookup: LookupFunction): buildConnector.connector {
  const connect = buildConnector({ autoSelectFamilyAttemptTimeout: HANDSHAKE_MS, lookup })
  return (target, callback) =>
    connect(target, (...made) => {
      const [error] = made
      if (error === null) {
        callback(...made)
      } else {
        callback(new NotConnectedError(error.message, { cause: error }), null)
      }
    })
}
