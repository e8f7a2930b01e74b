/** Finds the language of the page around an element. */

import type { Environment } from './environment.ts'

/**
 * Returns the element's BCP 47 language tag: the nearest `lang` attribute of the element and its ancestors, or the
 * browser's language.
 */
export function langOf(element: Element, { window }: Environment): string {
  return nearestLang(element) || window.navigator.language
}

/** The properties that {@link nearestLang} reads from an element, a shadow root or the document. */
interface TreeNode {
  getAttribute?: (name: string) => string | null
  parentNode?: TreeNode | null
  host?: TreeNode
}

/**
 * Returns the `lang` attribute of the node or of the nearest ancestor that has this attribute; empty text if there is
 * none.
 *
 * The ancestors include those outside a shadow root. The `lang` property is not read, because a form with an input
 * named "lang" has this input as its `lang` property.
 */
function nearestLang(node: TreeNode | null | undefined): string {
  return node ? node.getAttribute?.('lang') || nearestLang(node.parentNode ?? node.host) : ''
}
