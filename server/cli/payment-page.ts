/** Retrieves a payment page and the content of its scripts, for the command `pci`. */

import type { FetchAnswer, RawExchange } from '../exchange.ts'
import type { Finding, Inventory, RetrievedScript } from '../scripts/inventory.ts'
import type { PageScript } from '../scripts/page-scripts.ts'
import type { Shell } from './shell.ts'
import { exchangeBytes } from '../exchange.ts'
import { mapLimit } from '../map-limit.ts'
import { version } from '../package.json'
import { isScript, readBuiltWidget } from '../scripts/built-widget.ts'
import { describeScript, findFaults, SECURITY_HEADERS, withoutNonces } from '../scripts/inventory.ts'
import { findScripts } from '../scripts/page-scripts.ts'
import { CommandFailure, EXIT } from './exit-code.ts'
import { isHttpUrl } from '../contract/parse-url.ts'

/** The HTML of a page. `headers` is `null` if the HTML comes from a file. */
interface PaymentPage {
  address: string
  html: string
  headers: Record<string, string> | null
}

interface Retrieved {
  script: RetrievedScript
  /** Why the content could not be retrieved; `null` if it was. */
  failure: string | null
}

type Get = (url: string, accept: string, maxBytes: number) => Promise<RawExchange>

const DEADLINE_MS = 15_000
const MAX_PAGE_BYTES = 8_000_000
const MAX_SCRIPT_BYTES = 16_000_000
const CONCURRENT_REQUESTS = 4
const WIDGET_PURPOSE = `Shows the payment button and follows the checkout (gateway-checkout ${version}).`

/**
 * Resolves with the inventory of a page, and with what is wrong with its scripts.
 *
 * @param page The URL of the page, or the HTML of a page and the address of its relative URLs.
 * @throws {CommandFailure} if the page does not respond with status 200.
 */
export async function takeInventory(
  shell: Shell,
  page: string | { bytes: Buffer; address: string },
): Promise<{ inventory: Inventory; findings: Finding[] }> {
  const address = typeof page === 'string' ? page : page.address
  const get = createGet(shell, address)
  const { html, headers }: PaymentPage =
    typeof page === 'string'
      ? await receivePage(get, page)
      : { address, html: decode(page.bytes, ''), headers: null }
  const found = findScripts(html, address)
  const retrieve = createRetrieve(get)
  const listed = await mapLimit(found.scripts, CONCURRENT_REQUESTS, retrieve)
  const later = await mapLimit(loadedByWidget(listed), CONCURRENT_REQUESTS, retrieve)
  const all = [...listed, ...later]
  const scripts = all.map(({ script }) => script)
  const policies = [headers?.['content-security-policy'] ?? '', ...found.policies]
  const inventory: Inventory = {
    page: address,
    headers,
    meta_policies: found.policies,
    scripts: scripts.map((script) => describeScript(script, policies)),
  }
  const unreadable = all.flatMap(({ script, failure }): Finding[] =>
    failure === null ? [] : [{ kind: 'unreadable', subject: script.address, detail: failure }],
  )
  return { inventory, findings: [...unreadable, ...findFaults(scripts)] }
}

async function receivePage(get: Get, address: string): Promise<PaymentPage> {
  const response = await get(address, 'text/html', MAX_PAGE_BYTES)
  if (response.kind !== 'answer' || response.status !== 200)
    throw new CommandFailure(EXIT.unavailable, `${address} ${describeFailure(response)}`)
  const { bytes, headers } = response
  return {
    address,
    html: decode(bytes, headers?.get('content-type') ?? ''),
    headers: securityHeaders(headers),
  }
}

function securityHeaders(headers: FetchAnswer['headers']): Record<string, string> {
  const present = SECURITY_HEADERS.flatMap((name) => {
    const value = headers?.get(name)
    return value ? [[name, withoutNonces(value)] as const] : []
  })
  return Object.fromEntries(present)
}

/** Returns the function that retrieves the content of a script. */
function createRetrieve(get: Get): (script: PageScript) => Promise<Retrieved> {
  const ours = new Set([...readBuiltWidget()].filter(([name]) => isScript(name)).map(([, text]) => text))
  return async (script) => {
    const { address, text } = script
    if (text !== null) return withContent(script, text)
    // The address of such a script is its content.
    if (/^(data|javascript):/.test(address)) return withContent(script, address)
    if (!isHttpUrl(address))
      return withoutContent(script, 'The address is relative: pass the URL of the page with --url.')
    const response = await get(address, '*/*', MAX_SCRIPT_BYTES)
    return response.kind === 'answer' && response.status === 200
      ? withContent(script, response.bytes)
      : withoutContent(script, `The script ${describeFailure(response)}`)
  }

  function withContent(script: PageScript, content: string | Buffer): Retrieved {
    const justification = ours.has(content.toString()) ? WIDGET_PURPOSE : null
    return { script: { ...script, content, justification }, failure: null }
  }

  function withoutContent(script: PageScript, failure: string): Retrieved {
    return { script: { ...script, content: null, justification: null }, failure }
  }
}

/** Returns the scripts that the widget's module of this version loads later, if the page contains this module. */
function loadedByWidget(listed: readonly Retrieved[]): PageScript[] {
  const files = readBuiltWidget()
  const module = files.get('gateway-checkout.js')
  const chunks = [...files.keys()].filter((name) => name.startsWith('gateway-checkout/') && isScript(name))
  // The module loads its second file from another address if the first one fails.
  const again = [...(module ?? '').matchAll(/\.\/(gateway-checkout\/[\w.-]+\?\w+)/g)].map(([, name]) => name)
  const known = new Set(listed.map(({ script }) => script.address))
  return listed
    .filter(({ script }) => isHttpUrl(script.address) && script.content?.toString() === module)
    .flatMap(({ script }) => [...chunks, ...again].map((name) => new URL(`./${name}`, script.address).href))
    .filter((address) => !known.has(address))
    .map((address) => ({ address, text: null, integrity: null }))
}

/**
 * Returns the function that sends GET requests. Only the host of the page and the hosts in PRIVATE_HOSTS may have a
 * private address, because whoever can change the page could otherwise send requests into the private network.
 */
function createGet(shell: Shell, page: string): Get {
  const named = (shell.env.PRIVATE_HOSTS ?? '').split(',').map((host) => host.trim())
  const privateHosts = isHttpUrl(page) ? [new URL(page).hostname, ...named] : named
  const fetch = shell.fetchFor({ privateHosts })
  return (url, accept, maxAnswerBytes) => {
    const headers = { accept, 'accept-encoding': 'identity' }
    const limits = { deadlineMs: DEADLINE_MS, maxAnswerBytes }
    return exchangeBytes(fetch, shell.clock, { method: 'GET', url, headers, ...limits })
  }
}

function describeFailure(response: RawExchange): string {
  switch (response.kind) {
    case 'answer':
      return response.status >= 300 && response.status < 400
        ? `redirects (HTTP ${response.status}), and redirects are not followed.`
        : `responds with HTTP ${response.status}.`
    case 'timeout':
      return `does not respond within ${DEADLINE_MS / 1000} seconds.`
    case 'too_large':
      return 'is too large.'
    case 'unreachable': {
      const reason = response.cause instanceof Error ? response.cause.message : String(response.cause)
      return `cannot be reached: ${reason.replace(/\.$/, '')}.`
    }
  }
}

/** Returns the text of a page. As in browsers, a byte order mark takes precedence over the header. */
function decode(bytes: Buffer, contentType: string): string {
  const [, declared = 'utf-8'] = /charset\s*=\s*"?([\w-]+)/i.exec(contentType) ?? []
  const marks: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' }
  const encoding = marks[bytes.subarray(0, 2).toString('hex')] ?? declared
  try {
    return new TextDecoder(encoding).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
