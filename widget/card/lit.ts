/**
 * Gives the second file the Lit of the first file. The second file cannot contain Lit itself, because a page may have
 * only one Trusted Types policy of Lit, and cannot import the first file, which may have any address.
 *
 * A page translator replaces text nodes, also in open shadow roots, and Lit would go on writing into those that it knows.
 * So no template gives Lit a text node: each text is the `textContent` of an element, and a comment stands between
 * an expression and white space, because Lit takes the next node as the end of what the expression renders.
 */

import type * as Lit from 'lit'
import type { Said } from './skeleton.ts'

export type RenderingLit = Pick<typeof Lit, 'html' | 'render'>
/** With the template that both files draw: Lit takes that of another module for another template. */
export type SharedLit = RenderingLit & { skeleton: (said: Said) => unknown }

let lit: SharedLit
export let render: RenderingLit['render']
export let skeleton: SharedLit['skeleton']

/** Sets the exports of this module, before the first template is rendered. */
export function setLit(given: SharedLit): void {
  lit = given
  render = lit.render
  skeleton = lit.skeleton
}

/** The texts of each template, with the comments. */
const fenced = new WeakMap<TemplateStringsArray, TemplateStringsArray>()

export const html: RenderingLit['html'] = (strings, ...values) => {
  let texts = fenced.get(strings)
  if (!texts) {
    const { raw } = strings
    texts = Object.assign(
      strings.map((text) => text.replace(/^\s+(?=<|$)/, '<!---->$&')),
      { raw },
    )
    fenced.set(strings, texts)
  }
  return lit.html(texts, ...values)
}
