/**
 * Adds buttons to the receipt: one at each number, which copies it, one that shares the receipt, if the browser can share
 * text, and one that prints it, if the checkout is paid.
 *
 * The element downloads this module when it shows a receipt. This module imports no other module, so that its built file
 * stays unchanged between versions of the element.
 */

import type { CheckoutView } from '../../server/api/view.ts'
import type { Words } from '../words/en.ts'

/**
 * Adds the buttons to the receipt, or updates those that it has. `facts.ts` renders the receipt: a `p` for each number,
 * with the number in a `bdi`, and an empty `div` for the buttons of the whole receipt.
 */
export function addReceiptButtons(root: ParentNode, view: CheckoutView, words: Words) {
  const receipt = root.querySelector<HTMLElement>('[part=receipt]')
  if (receipt === null) {
    return
  }

  for (const [index, row] of receipt.querySelectorAll('p').entries()) {
    const number = row.querySelector('bdi')
    if (number !== null) {
      number.id = `number-${index}`
      const copyButton = buttonIn(row, 0, words.receipt.copy)
      copyButton.onclick = () => void copy(copyButton, number, words.receipt)
      copyButton.setAttribute('aria-describedby', number.id)
    }
  }

  const group = receipt.querySelector('div') ?? receipt
  const shareButton = buttonIn(group, 0, words.share)
  shareButton.onclick = () => void share(receipt)
  // Any text shows whether the browser can share text.
  shareButton.hidden = !('canShare' in navigator && navigator.canShare({ text: words.share }))

  const printButton = buttonIn(group, 1, words.receipt.print)
  printButton.onclick = () => print(receipt, view)
  printButton.hidden = view.outcome !== 'paid'
}

/**
 * The style of the buttons: a link without the width, border and padding of the element's other buttons, and large enough
 * for a finger (44 pixels, WCAG 2.5.5). It is set by this script, because a style sheet would need the page's policy to
 * allow it.
 */
const BUTTON_STYLE =
  'inline-size: auto; overflow-wrap: normal; min-inline-size: 44px; min-block-size: 44px; padding: 0 0.25em; ' +
  'border: 0; text-decoration: underline; text-underline-offset: 0.25em'

/** Returns the button at an index, and creates it if there is none. */
function buttonIn(parent: Element, index: number, text: string): HTMLButtonElement {
  const existing = parent.querySelectorAll('button')[index]
  const button = existing ?? parent.appendChild(document.createElement('button'))
  button.style.cssText = BUTTON_STYLE
  // The text is written only if the words have changed: meanwhile, a page translator may have translated it, or a press may
  // have replaced it.
  if (button.dataset['text'] !== text) {
    button.dataset['text'] = text
    button.textContent = text
  }
  return button
}

/** Copies a number to the clipboard. If the browser refuses the copy, says so, and selects the number instead. */
async function copy(button: HTMLElement, number: Element, { copied, notCopied }: Words['receipt']) {
  button.ariaLive = 'polite'

  // Screen readers announce a text only if it changes, so a repeated one gets a space.
  const say = (text: string) => {
    button.textContent = button.textContent === text ? `${text}\u00a0` : text
  }

  try {
    await navigator.clipboard.writeText(number.textContent ?? '')
    say(`✓ ${copied}`)
  } catch {
    say(notCopied)
    getSelection()?.selectAllChildren(number)
  }
}

async function share(receipt: Element) {
  const lines = [location.host, ...linesOfCard(receipt)]
  try {
    await navigator.share({ text: lines.join('\n') })
  } catch {
    // The shopper has cancelled, or the browser has told them why not.
  }
}

/** Matches the innermost elements with text for people: no buttons, and nothing that is only for the eye. */
const TEXT_ELEMENTS = ':not(button, [aria-hidden], :has(*))'

/** Returns the texts of the card around the receipt, a line for each. The first line is the title. */
function linesOfCard(receipt: Element): string[] {
  const card = receipt.closest('.card')
  const blocks = [...(card?.querySelectorAll('strong, p') ?? [])]
  return blocks.map(textOf).filter((line) => line !== '')
}

function textOf(block: Element): string {
  const hasElements = block.firstElementChild !== null
  const elements = hasElements ? [...block.querySelectorAll(TEXT_ELEMENTS)] : [block]
  return elements
    .map(({ textContent }) => textContent)
    .join(' ')
    .trim()
}

/** Prints the receipt from a hidden frame, because printing the page itself would also print the rest of the page. */
function print(receipt: Element, view: CheckoutView) {
  const frame = document.createElement('iframe')
  frame.ariaHidden = 'true'
  frame.tabIndex = -1
  frame.style.cssText = 'position: fixed; width: 0; height: 0; border: 0'
  frame.onload = () => {
    const { contentDocument, contentWindow } = frame
    if (contentDocument === null || contentWindow === null) {
      return
    }

    writeReceipt(contentDocument, receipt, view)
    contentWindow.onafterprint = () => frame.remove()
    contentWindow.print()
  }
  document.body.append(frame)
}

/** Writes the receipt into an empty document: the page's host, the title of the card, and the other lines. */
function writeReceipt(target: Document, receipt: Element, view: CheckoutView) {
  const { documentElement, body } = target
  const base = receipt.closest<HTMLElement>('.base')
  if (base !== null) {
    documentElement.lang = base.lang
    documentElement.dir = base.dir
  }

  target.title = view.merchant_transaction_id
  body.style.font = '16px/1.5 sans-serif'

  const addLine = (tag: 'h1' | 'p', text: string) => {
    const line = target.createElement(tag)
    line.textContent = text
    body.append(line)
  }

  const [title = '', ...others] = linesOfCard(receipt)
  addLine('p', location.host)
  addLine('h1', title)
  for (const text of others) {
    addLine('p', text)
  }
}
