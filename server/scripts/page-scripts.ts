/** Finds the scripts in the HTML of a page, as a browser would. Pure. */

import type { DefaultTreeAdapterTypes } from 'parse5'
import { createHash } from 'node:crypto'
import { parse } from 'parse5'
import { parseUrl } from '../contract/parse-url.ts'

type Node = DefaultTreeAdapterTypes.Node
type Element = DefaultTreeAdapterTypes.Element

export interface PageScript {
  /** The absolute URL of a script that the page loads; for other scripts, the place in the page. */
  address: string
  /** The text of a script that is part of the page; `null` for a script that the page loads. */
  text: string | null
  /** The value of the attribute `integrity`, or the value for this script in an import map. */
  integrity: string | null
}

export interface Page {
  scripts: PageScript[]
  /** The Content Security Policies in `<meta>` elements. */
  policies: string[]
}

/** A script of another type is data, which browsers do not run. */
const SCRIPT_TYPE = /^$|^module$|^importmap$|^speculationrules$|(java|ecma|j|live)script/i
/** The attributes of SVG animations that give a value to another attribute. */
const ANIMATION_ATTRIBUTES: readonly string[] = ['values', 'to', 'from', 'by']
const URL_ATTRIBUTES: readonly string[] = ['href', 'src', 'action', 'formaction', 'data']
/** The number of `srcdoc` documents, one in another, whose scripts are listed. A deeper document counts as a script. */
const MAX_DEPTH = 8

/**
 * Returns the scripts of a page: `<script>` elements, event handlers in attributes, and `javascript:` URLs, also those
 * in templates and in frames with `srcdoc`. Scripts that other scripts load are not part of the HTML.
 */
export function findScripts(html: string, address: string): Page {
  const page: Page = { scripts: [], policies: [] }
  collect(html, address, page, 0)
  return { ...page, scripts: distinct(page.scripts) }
}

function collect(html: string, address: string, page: Page, depth: number): void {
  const root = parse(html)
  const elements = listElements(root, { withTemplates: true })
  // Browsers ignore `base` in templates and in SVG.
  const base = listElements(root, { withTemplates: false }).find(
    (element) => element.tagName === 'base' && isHtml(element) && element.attrs.some(isNamed('href')),
  )
  const baseUrl = resolve(valueOf(base, 'href') ?? '', address) ?? address
  const pinned = integrityInImportMaps(elements, baseUrl)
  for (const element of elements) {
    const script = element.tagName === 'script' ? scriptOf(element, baseUrl, pinned) : null
    if (script) page.scripts.push(script)
    // Browsers run the text of a script in SVG, also if the script has the attribute `src`.
    const text = script?.text === null && isSvg(element) ? textOf(element) : ''
    if (text.trim() !== '') page.scripts.push({ address: 'inline', text, integrity: null })
    page.scripts.push(...scriptsInAttributes(element))
    const policy = policyOf(element)
    if (policy !== null) page.policies.push(policy)
    const document = element.tagName === 'iframe' ? valueOf(element, 'srcdoc') : null
    if (document === null) continue
    if (depth < MAX_DEPTH) collect(document, baseUrl, page, depth + 1)
    else page.scripts.push({ address: '<iframe srcdoc>', text: document, integrity: null })
  }
}

/** Returns all elements in the order of the page. Deep pages would exhaust the stack of a recursive function. */
function listElements(root: Node, { withTemplates }: { withTemplates: boolean }): Element[] {
  const elements: Element[] = []
  const rest: Node[] = [root]
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    if ('tagName' in node) elements.push(node)
    const children = 'childNodes' in node ? node.childNodes : []
    if (withTemplates && 'content' in node) rest.push(node.content)
    // A call with so many arguments would exhaust the stack.
    for (const child of children.toReversed()) rest.push(child)
  }
  return elements
}

function scriptOf(element: Element, baseUrl: string, pinned: ReadonlyMap<string, string>): PageScript | null {
  const type = valueOf(element, 'type') ?? ''
  if (!SCRIPT_TYPE.test(type.trim())) return null
  const source = valueOf(element, isSvg(element) ? 'href' : 'src')
  if (source === null) {
    const kind = type === '' || /script$/i.test(type) ? '' : ` ${type}`
    return { address: `inline${kind}`, text: textOf(element), integrity: null }
  }
  const address = resolve(source, baseUrl) ?? source
  return { address, text: null, integrity: valueOf(element, 'integrity') ?? pinned.get(address) ?? null }
}

function scriptsInAttributes(element: Element): PageScript[] {
  return element.attrs
    .filter(
      ({ name, value }) =>
        name.startsWith('on') ||
        (URL_ATTRIBUTES.includes(name) && resolve(value, '')?.startsWith('javascript:')) ||
        (ANIMATION_ATTRIBUTES.includes(name) &&
          isSvg(element) &&
          /javascript:/i.test(value.replace(/\s/g, ''))),
    )
    .map(({ name, value }) => ({
      address: `<${element.tagName} ${name}>`,
      text: value,
      integrity: null,
    }))
}

function integrityInImportMaps(elements: readonly Element[], baseUrl: string): Map<string, string> {
  const maps = elements.filter(
    (element) => element.tagName === 'script' && /^importmap$/i.test(valueOf(element, 'type') ?? ''),
  )
  return new Map(
    maps.flatMap((element) =>
      Object.entries(integrityOf(textOf(element))).flatMap(([source, value]) => {
        const address = resolve(source, baseUrl)
        return address !== null && typeof value === 'string' ? [[address, value]] : []
      }),
    ),
  )
}

function integrityOf(importMap: string): object {
  try {
    const { integrity }: { integrity?: unknown } = JSON.parse(importMap) ?? {}
    return typeof integrity === 'object' && integrity !== null ? integrity : {}
  } catch {
    return {}
  }
}

function policyOf(element: Element): string | null {
  const isPolicy =
    element.tagName === 'meta' &&
    valueOf(element, 'http-equiv')?.trim().toLowerCase() === 'content-security-policy'
  return isPolicy ? valueOf(element, 'content') : null
}

function textOf({ childNodes }: Element): string {
  return childNodes.map((node) => ('value' in node ? node.value : '')).join('')
}

function valueOf(element: Element | undefined, name: string): string | null {
  return element?.attrs.find(isNamed(name))?.value ?? null
}

function isNamed(wanted: string): (attribute: Element['attrs'][number]) => boolean {
  return ({ name }) => name === wanted
}

function isHtml({ namespaceURI }: Element): boolean {
  return namespaceURI.endsWith('/xhtml')
}

function isSvg({ namespaceURI }: Element): boolean {
  return namespaceURI.endsWith('/svg')
}

function resolve(source: string, base: string): string | null {
  return parseUrl(source, base || undefined)?.href ?? null
}

function distinct(scripts: readonly PageScript[]): PageScript[] {
  const keyOf = ({ address, text, integrity }: PageScript) => JSON.stringify([address, text, integrity])
  return [...new Map(scripts.map((script) => [keyOf(script), script])).values()]
}

/** Returns a hash in the syntax of Subresource Integrity and of Content Security Policy, such as "sha384-…". */
export function hashOf(
  content: string | Uint8Array,
  algorithm: 'sha256' | 'sha384' | 'sha512' = 'sha384',
): string {
  return `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`
}
