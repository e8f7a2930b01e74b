/**
 * Adds buttons to the receipt: each of its numbers can be copied, the receipt can be shared where the browser can, and
 * that of a paid checkout printed. The element downloads this module when it shows a receipt.
 *
 * This module imports no other module, so that its built file stays unchanged between versions of the element.
 */

import type { CheckoutView } from '../../server/api/view.ts'
import type { Words } from '../words/en.ts'

/** Adds the buttons to the receipt, or updates the text of existing buttons. */
export function addReceiptButtons(root: ParentNode, view: CheckoutView, words: Words) {
  const place = root.querySelector<HTMLElement>('[part=receipt]')
  if (place === null) {
    return
  }

  for (const [index, row] of place.querySelectorAll('p').entries()) {
    const number = row.querySelector('bdi')
    if (number === null) {
      continue
    }

    number.id = `number-${index}`
    const button = buttonIn(row, 0, words.receipt.copy, () => void copy(button, number, words.receipt))
    button.setAttribute('aria-describedby', number.id)
  }

  const group = place.querySelector('div') ?? place
  const share = () => void navigator.share({ text: linesOf(place).join('\n') }).catch(() => {})
  const canShare = 'canShare' in navigator && navigator.canShare({ text: words.share })
  buttonIn(group, 0, words.share, share).hidden = !canShare
  buttonIn(group, 1, words.receipt.print, () => print(place, view)).hidden = view.outcome !== 'paid'
}

/** A style sheet would need the page's policy to allow it; styles that a script sets do not. */
const QUIET =
  'inline-size: auto; overflow-wrap: normal; min-inline-size: 44px; min-block-size: 44px; padding: 0 0.25em; ' +
  'border: 0; text-decoration: underline; text-underline-offset: 0.25em'

/** Returns the button at an index, and creates it if there is none. */
function buttonIn(place: Element, index: number, text: string, press: () => void): HTMLButtonElement {
  const existing = place.querySelectorAll('button')[index]
  const button = existing ?? place.appendChild(document.createElement('button'))
  button.style.cssText = QUIET
  button.onclick = press
  // Only another text is written: a page translator, or a press, may have written what is there.
  if (button.dataset['text'] !== text) {
    button.textContent = button.dataset['text'] = text
  }
  return button
}

/** Copies a number to the clipboard. If the browser refuses the copy, says so, and selects the number instead. */
async function copy(button: HTMLElement, number: Element, { copied, notCopied }: Words['receipt']) {
  button.ariaLive = 'polite'

  // A text that stays the same is not announced again.
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

/** Returns what the card says, in lines, without the texts of buttons. */
function linesOf(place: Element): string[] {
  const nodes = [...(place.closest('.card')?.querySelectorAll('strong, p') ?? [])]

  const textOf = (node: Element) => {
    const leaves = node.firstElementChild
      ? [...node.querySelectorAll(':not(button, [aria-hidden], :has(*))')]
      : [node]
    return leaves.map(({ textContent }) => textContent).join(' ')
  }

  return [location.host, ...nodes.map(textOf)].map((line) => line.trim()).filter(Boolean)
}

/** Prints the receipt from a hidden frame, because printing the page itself would also print the rest of the page. */
function print(place: Element, view: CheckoutView) {
  const frame = document.createElement('iframe')
  frame.ariaHidden = 'true'
  frame.tabIndex = -1
  frame.style.cssText = 'position: fixed; width: 0; height: 0; border: 0'
  frame.onload = () => {
    const { contentDocument: paper, contentWindow: printer } = frame
    if (paper === null || printer === null) {
      return
    }

    const { lang, dir } = place.closest<HTMLElement>('.base') ?? paper.documentElement
    Object.assign(paper.documentElement, { lang, dir })
    paper.title = view.merchant_transaction_id
    paper.body.style.font = '16px/1.5 sans-serif'
    // The line after the page's host is the title of the card.
    for (const [index, text] of linesOf(place).entries()) {
      const line = paper.createElement(index === 1 ? 'h1' : 'p')
      line.textContent = text
      paper.body.append(line)
    }

    printer.onafterprint = () => frame.remove()
    printer.print()
  }
  document.body.append(frame)
}
