/**
 * Writes down what a screen reader says about an element: the changes inside its live regions, in order, and the
 * controls that get the focus, with role, name and description.
 */

import { computeAccessibleDescription, computeAccessibleName, getRole } from 'dom-accessibility-api'

interface ScreenReader {
  /** Returns the lines since the last call. */
  heard(): string[]
  stop(): void
}

const LIVE = '[role=status], [role=alert], [aria-live]'

export function openScreenReader(root: ShadowRoot): ScreenReader {
  const lines: string[] = []
  let focused: Element | null = null
  const observer = new MutationObserver((changes) => {
    const texts = new Map<Element, Set<Node>>()
    for (const { target, addedNodes } of changes) {
      const region = regionOf(target)
      if (region === null || region.getAttribute('aria-live') === 'off') {
        continue
      }

      // A set, because an empty new text node that is filled later is one announcement.
      const changed = texts.get(region) ?? new Set()
      texts.set(region, changed)
      for (const node of addedNodes.length > 0 ? addedNodes : [target]) {
        changed.add(node)
      }
    }

    for (const [region, nodes] of texts) {
      const said = [...nodes].filter((node) => !hasAncestorIn(node, nodes)).map(readable)
      const line = said.filter(Boolean).join(' · ')
      if (line) {
        lines.push(`${getRole(region) ?? 'live text'}: ${line}`)
      }
    }
  })
  observer.observe(root, { subtree: true, childList: true, characterData: true })
  return {
    heard() {
      const now = root.activeElement
      if (now !== null && now !== focused) {
        lines.push(`focus: ${describe(now)}`)
      }

      focused = now
      return lines.splice(0)
    },
    stop: () => observer.disconnect(),
  }
}

function regionOf(node: Node): Element | null {
  return (node instanceof Element ? node : node.parentElement)?.closest(LIVE) ?? null
}

function hasAncestorIn(node: Node, nodes: Set<Node>): boolean {
  for (let parent = node.parentNode; parent; parent = parent.parentNode) {
    if (nodes.has(parent)) {
      return true
    }
  }

  return false
}

/** Returns the text of a node that is rendered and not hidden from screen readers. */
function readable(node: Node): string {
  const element = node instanceof Element ? node : node.parentElement
  if (node.nodeType === Node.COMMENT_NODE || !element?.isConnected) {
    return ''
  }
  if (element.closest('[aria-hidden=true]') !== null || getComputedStyle(element).display === 'none') {
    return ''
  }

  const text =
    node instanceof Element && node.childElementCount > 0
      ? [...node.childNodes]
          .map(readable)
          .filter(Boolean)
          .join(isBlock(node.firstElementChild) ? ' · ' : ' ')
      : node.textContent
  return plain(text ?? '')
}

/** Returns whether an element is a piece of text of its own. */
function isBlock(element: Element | null): boolean {
  return element !== null && getComputedStyle(element).display !== 'inline'
}

function describe(element: Element): string {
  const state = [
    element.getAttribute('aria-invalid') === 'true' ? 'invalid' : '',
    element.getAttribute('aria-busy') === 'true' ? 'busy' : '',
    element.matches(':required') ? 'required' : '',
  ]
  const described = plain(computeAccessibleDescription(element))
  const parts = [
    getRole(element) ?? element.localName,
    plain(computeAccessibleName(element)),
    ...state,
    described,
  ]
  return parts.filter(Boolean).join(', ')
}

/** Engines write amounts with different spaces, direction marks and, in Arabic, digits. They sound the same. */
export function plain(text: string): string {
  return text
    .replaceAll(/[\u200e\u200f\u061c\u2066-\u2069]/g, '')
    .replaceAll(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replaceAll('\u066c', ',')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
