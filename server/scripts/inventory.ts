/**
 * The inventory of a payment page's scripts and security headers, which PCI DSS 4.0.1 requires (6.4.3), and the
 * comparison of a page with a stored inventory (11.6.1). Pure.
 */

import type { PageScript } from './page-scripts.ts'
import { z } from 'zod'
import { hashOf } from './page-scripts.ts'
import { parseUrl } from '../contract/parse-url.ts'

const Script = z.object({
  address: z.string(),
  /** The hash of the script's content; `null` if the content could not be retrieved. */
  sha384: z.string().nullable(),
  integrity: z.object({
    method: z.enum(['subresource integrity', 'content security policy', 'comparison with this inventory']),
    value: z.string().nullable(),
  }),
  /** Why the page needs the script, in the words of the person who keeps the inventory. */
  justification: z.string().nullable(),
  /** Who authorized the script, and when, in the words of the person who keeps the inventory. */
  authorization: z.string().nullable(),
})

export const Inventory = z.object({
  page: z.string(),
  /** The security headers by name; `null` for a page from a file. */
  headers: z.record(z.string(), z.string()).nullable(),
  /** The Content Security Policies in `<meta>` elements. */
  meta_policies: z.array(z.string()),
  scripts: z.array(Script),
})

export type Inventory = z.output<typeof Inventory>
export type InventoryScript = z.output<typeof Script>

/** A script whose content was retrieved. */
export interface RetrievedScript extends PageScript {
  /** The content; `null` if it could not be retrieved. */
  content: string | Uint8Array | null
  /** The purpose of a script that this package knows. */
  justification: string | null
}

export interface Finding {
  kind:
    | 'added'
    | 'changed'
    | 'removed'
    | 'header'
    | 'unreadable'
    | 'integrity'
    | 'no_justification'
    | 'no_authorization'
  /** The address of the script, or the name of the header. */
  subject: string
  detail: string
}

/** The response headers that decide which scripts run, and who may frame or read the page. */
export const SECURITY_HEADERS = [
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'content-security-policy',
  'content-security-policy-report-only',
  'content-type',
  'cross-origin-embedder-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
  'integrity-policy',
  'integrity-policy-report-only',
  'link',
  'permissions-policy',
  'referrer-policy',
  'refresh',
  'reporting-endpoints',
  'strict-transport-security',
  'x-content-type-options',
  'x-frame-options',
] as const

/** A nonce differs in each response. */
const NONCE = /'nonce-[^']*'/g

export function withoutNonces(policy: string): string {
  return policy.replaceAll(NONCE, "'nonce-…'")
}

/** Returns the entry of a script. `policies` are the page's Content Security Policies. */
export function describeScript(script: RetrievedScript, policies: readonly string[]): InventoryScript {
  const { address, content, integrity, justification } = script
  const sha384 = content === null ? null : hashOf(content)
  const entry = { address, sha384, justification, authorization: null }
  if (integrity?.trim())
    return { ...entry, integrity: { method: 'subresource integrity', value: integrity.trim() } }
  const allowed = content === null ? undefined : hashInPolicies(content, policies)
  if (allowed !== undefined)
    return { ...entry, integrity: { method: 'content security policy', value: allowed } }
  return { ...entry, integrity: { method: 'comparison with this inventory', value: sha384 } }
}

function hashInPolicies(content: string | Uint8Array, policies: readonly string[]): string | undefined {
  const hashes = (['sha256', 'sha384', 'sha512'] as const).map(
    (algorithm) => `'${hashOf(content, algorithm)}'`,
  )
  return hashes.find((hash) => policies.some((policy) => policy.includes(hash)))
}

/**
 * Returns what is wrong with the scripts themselves: an unreadable script, or one that its integrity value excludes.
 */
export function findFaults(scripts: readonly RetrievedScript[]): Finding[] {
  return scripts.flatMap(({ address, content, integrity }): Finding[] => {
    if (content === null) return []
    const hashes = (integrity ?? '').split(/\s+/).filter((value) => /^sha(256|384|512)-/.test(value))
    if (hashes.length === 0 || hashes.some((value) => isHashOf(content, value))) return []
    const detail = 'The integrity value does not match the content: browsers do not run the script.'
    return [{ kind: 'integrity', subject: address, detail }]
  })
}

function isHashOf(content: string | Uint8Array, value: string): boolean {
  const [hash] = value.split('?')
  return (['sha256', 'sha384', 'sha512'] as const).some((algorithm) => hashOf(content, algorithm) === hash)
}

/**
 * Takes over the justification of each script from the stored inventory, and its authorization if the script is
 * unchanged: a changed script has to be authorized again.
 */
export function withStoredEntries(current: Inventory, stored: Inventory): Inventory {
  const scripts = current.scripts.map((script) => {
    const known = findEntry(stored.scripts, script)
    return {
      ...script,
      justification: known?.justification ?? script.justification,
      authorization: known && !isChanged(script, known) ? known.authorization : null,
    }
  })
  return { ...current, scripts }
}

/** Returns the differences between a page and its stored inventory, and the scripts that nobody has authorized. */
export function compare(current: Inventory, stored: Inventory): Finding[] {
  const known = stored.scripts.filter((entry) => findEntry(current.scripts, entry) === undefined)
  return [
    ...current.scripts.flatMap((script) => compareScript(script, findEntry(stored.scripts, script))),
    ...known.map(({ address }): Finding => ({
      kind: 'removed',
      subject: address,
      detail: 'The script is in the inventory, and no longer on the page.',
    })),
    ...compareHeaders(current, stored),
  ]
}

function compareScript(script: InventoryScript, known: InventoryScript | undefined): Finding[] {
  const subject = script.address
  if (!known) return [{ kind: 'added', subject, detail: 'The script is not in the inventory.' }]
  // An unreadable script is a finding of its own.
  if (script.sha384 === null) return []
  if (script.sha384 !== known.sha384)
    return [{ kind: 'changed', subject, detail: `The content was ${known.sha384}, and is ${script.sha384}.` }]
  if (script.integrity.value !== known.integrity.value) {
    const [was, is] = [known, script].map(({ integrity }) => integrity.value ?? 'none')
    return [{ kind: 'changed', subject, detail: `The integrity value was ${was}, and is ${is}.` }]
  }
  const missing: Finding[] = []
  if (!known.justification && !script.justification)
    missing.push({
      kind: 'no_justification',
      subject,
      detail: 'The inventory does not say why it is needed.',
    })
  if (!known.authorization)
    missing.push({
      kind: 'no_authorization',
      subject,
      detail: 'The inventory does not say who authorized it.',
    })
  return missing
}

function compareHeaders(current: Inventory, stored: Inventory): Finding[] {
  const policies = (inventory: Inventory) => ({
    'content-security-policy in <meta>': inventory.meta_policies.join('; '),
  })
  const hasHeaders = current.headers !== null && stored.headers !== null
  const now: Record<string, string> = { ...(hasHeaders && current.headers), ...policies(current) }
  const before: Record<string, string> = { ...(hasHeaders && stored.headers), ...policies(stored) }
  return [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((name) => (before[name] ?? '') !== (now[name] ?? ''))
    .map((name): Finding => ({
      kind: 'header',
      subject: name,
      detail: `The value was ${quoted(before[name])}, and is ${quoted(now[name])}.`,
    }))
}

function quoted(value: string | undefined): string {
  return value ? `"${value}"` : 'absent'
}

/**
 * Returns the entry of the same script: an identical one, or else one with the same URL. A script in the page has no
 * URL, so it is the same only if it is identical.
 */
function findEntry(
  scripts: readonly InventoryScript[],
  wanted: InventoryScript,
): InventoryScript | undefined {
  const named = scripts.filter(({ address }) => address === wanted.address)
  return named.find((entry) => !isChanged(wanted, entry)) ?? (isUrl(wanted.address) ? named[0] : undefined)
}

function isChanged(script: InventoryScript, known: InventoryScript): boolean {
  return script.sha384 !== known.sha384 || script.integrity.value !== known.integrity.value
}

function isUrl(address: string): boolean {
  return parseUrl(address) !== null
}
