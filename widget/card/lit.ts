/**
 * Lit's templates, as all modules of the second file use them. The first file has only Lit's element, without
 * templates, so that a page needs little before the first press.
 *
 * A page translator replaces text nodes, also in open shadow roots, and Lit would go on writing into those that it
 * knows. So no template gives Lit a text node: each text is the `textContent` of an element, and a comment stands
 * between an expression and white space, because Lit takes the next node as the end of what the expression renders.
 */

import { html as unfenced, render } from 'lit/html.js'

export { render }

/** The texts of each template, with the comments. */
const fenced = new WeakMap<TemplateStringsArray, TemplateStringsArray>()

export const html: typeof unfenced = (strings, ...values) => {
  let texts = fenced.get(strings)
  if (!texts) {
    const { raw } = strings
    texts = Object.assign(
      strings.map((text) => text.replace(/^\s+(?=<|$)/, '<!---->$&')),
      { raw },
    )
    fenced.set(strings, texts)
  }
  return unfenced(texts, ...values)
}
