/**
 * Creates and draws the nodes that the element has in every state: the container, the status, the button, the terms and
 * the footer.
 *
 * Lit never renders these nodes, only what stands beside them (`card/`). So the button is never replaced, and keeps
 * the focus and a press that has begun. {@link frameIn} is the only place that creates the button.
 */

import type { CheckoutState } from '../state/state.ts'

/** The nodes that the element has in every state. */
export interface Frame {
  base: HTMLElement
  /** The parent of the status and the button. */
  card: HTMLElement
  /** A live region: screen readers announce only changes inside a region that already exists. */
  status: HTMLElement
  button: HTMLButtonElement
  label: HTMLSlotElement
  terms: HTMLElement
}

/** What the frame shows in every state. */
export interface Look {
  state: CheckoutState
  language: string
  dir: string
  /** The button's text; empty text hides the button. */
  text: string
  /** How much is paid, and to whom, beside the button; empty text if the page does not say it. */
  terms: string
  isDisabled: boolean
  isBusy: boolean
}

/**
 * A copy of the first frame, which other elements copy. Copying takes a third of the time of creating. If a server has
 * rendered the first frame, the copy also has its texts, which `drawFrame` replaces, and its `form="form"`, which names
 * no form: only an empty shadow root gets a copy.
 */
let model: Node | undefined

/**
 * Returns the frame in a shadow root. Nodes that are already there are kept; missing nodes are created. It has to be
 * called before anything else is drawn: each node is the first of its kind in its parent, except the footer.
 */
export function frameIn(root: ShadowRoot): Frame {
  if (model && !root.firstChild) {
    root.append(model.cloneNode(true))
  }

  const base = nodeIn(root, 'div', { part: 'base', class: 'base' })
  const card = nodeIn(base, 'div', {})
  // Screen readers announce only the lines that have changed. By default, they announce a whole status.
  const status = nodeIn(card, 'div', { part: 'status', role: 'status', 'aria-atomic': 'false' })
  const button = nodeIn(card, 'button', { part: 'button' })
  const label = nodeIn(button, 'slot', { part: 'label', name: 'label' })
  const terms = nodeIn(base, 'p', { part: 'terms', class: 'soft' })
  nodeIn(base, 'slot', { name: 'footer' }, '[name=footer]')
  model ??= base.cloneNode(true)
  return { base, card, status, button, label, terms }
}

/** Returns the first node in `parent`, at any depth, that matches `selector`; if there is none, appends a new node. */
function nodeIn<Name extends keyof HTMLElementTagNameMap>(
  parent: ParentNode & Node,
  name: Name,
  attributes: Record<string, string>,
  selector: string = name,
): HTMLElementTagNameMap[Name] {
  const existing = parent.querySelector<HTMLElementTagNameMap[Name]>(selector)
  if (existing) {
    return existing
  }

  const node = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) {
    node.setAttribute(attribute, value)
  }

  return parent.appendChild(node)
}

export function drawFrame(frame: Frame, look: Look): void {
  const { base, status, button, label, terms } = frame
  base.lang = look.language
  base.dir = look.dir
  status.className = look.state
  writeAttribute(button, 'aria-busy', look.isBusy && 'true')
  button.disabled = look.isDisabled
  button.hidden = !look.text
  writeText(label, look.text)
  writeText(terms, look.terms)
}

/** The text that was written last into each node. */
const written = new WeakMap<Node, string>()

/** Writes a text, whatever a page translator has made of the text before. What does not change stays translated. */
export function writeText(node: HTMLElement, text = ''): void {
  if (written.get(node) === text) {
    return
  }

  written.set(node, text)
  // WebKit drops a click whose text node is replaced while the button is pressed.
  if (node.firstChild) {
    node.firstChild.nodeValue = text
  }
  if (node.textContent !== text) {
    node.textContent = text
  }
}

/** Sets an attribute; `false` removes the attribute. */
export function writeAttribute(node: Element, attribute: string, value: string | false): void {
  if (value === false) {
    node.removeAttribute(attribute)
  } else {
    node.setAttribute(attribute, value)
  }
}
