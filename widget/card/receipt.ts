/**
 * Adds two buttons to the receipt: one copies the reference, and one prints the receipt of a paid checkout. The element
 * downloads this module when it shows a reference.
 *
 * This module imports no other module, so that its built file stays unchanged between versions of the element.
 */

import type { CheckoutView } from '../../server/api/view.ts'
import type { Words } from '../words/en.ts'

/** Adds the buttons to the receipt, or updates the text of existing buttons. */
export function addReceiptButtons(root: ParentNode, view: CheckoutView, words: Words) {
  const { copy, print } = words.receipt
  const place = root.querySelector<HTMLElement>('[part=receipt]')
  if (place === null) return
  const [copyButton, printButton] = place.querySelector('button')
    ? place.querySelectorAll('button')
    : createButtons(place)
  if (!copyButton || !printButton) return
  write(copyButton, copy)
  copyButton.onclick = () => void copyReference(copyButton, view.merchant_transaction_id, words.receipt)
  printButton.hidden = view.outcome !== 'paid'
  write(printButton, print)
  printButton.onclick = () => printReceipt(place, view, words)
}

/** Changes a text only if it is another text: a page translator, or a press, may have written what is there. */
function write(button: HTMLElement, text: string) {
  if (button.dataset['text'] !== text) button.textContent = button.dataset['text'] = text
}

/** A style sheet would need the page's policy to allow it; styles that a script sets do not. */
const ROW =
  'display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.5em; padding-block-start: 0.5em; ' +
  'border-block-start: 1px solid color-mix(in srgb, currentColor 16%, transparent)'
/** Shortens a long reference. The button copies the whole reference. */
const SHORT =
  'display: inline-block; max-inline-size: 6.5em; overflow: hidden; text-overflow: ellipsis; ' +
  'white-space: nowrap; vertical-align: bottom'
const QUIET =
  'inline-size: auto; overflow-wrap: normal; min-inline-size: 44px; min-block-size: 44px; padding: 0 0.25em; ' +
  'border-color: transparent; text-decoration: underline; text-underline-offset: 0.25em'

function createButtons(place: HTMLElement): HTMLButtonElement[] {
  place.style.cssText = ROW
  const reference = place.querySelector('bdi')
  if (reference) reference.style.cssText = SHORT
  const group = place.appendChild(document.createElement('span'))
  group.style.cssText = 'display: flex; flex-wrap: wrap; margin-inline-start: auto'
  return [1, 2].map(() => {
    const button = group.appendChild(document.createElement('button'))
    button.style.cssText = QUIET
    button.setAttribute('aria-describedby', 'reference')
    return button
  })
}

/**
 * Copies the reference to the clipboard. If the browser refuses the copy, says so, and shows and selects the whole
 * reference instead.
 */
async function copyReference(
  button: HTMLElement,
  reference: string,
  { copied, notCopied }: Words['receipt'],
) {
  button.ariaLive = 'polite'
  // A text that stays the same is not announced again.
  const say = (text: string) => {
    button.textContent = button.textContent === text ? `${text}\u00a0` : text
  }
  try {
    await navigator.clipboard.writeText(reference)
    say(`✓ ${copied}`)
  } catch {
    say(notCopied)
    const text = button.closest('[part=receipt]')?.querySelector('bdi')
    if (!text) return
    Object.assign(text.style, { maxInlineSize: 'none', whiteSpace: 'normal' })
    getSelection()?.selectAllChildren(text)
  }
}

/** Prints the receipt from a hidden frame, because printing the page itself would also print the rest of the page. */
function printReceipt(place: Element, view: CheckoutView, { language, reference }: Words) {
  const lines = [...(place.closest('.card')?.querySelectorAll('strong, p') ?? [])]
  const texts = lines.map((line) =>
    line === place ? `${reference} ${view.merchant_transaction_id}` : line.textContent,
  )
  const paidAt = new Date(view.payments.at(-1)?.paid_at ?? view.updated_at)
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(paidAt)
  const frame = document.createElement('iframe')
  frame.ariaHidden = 'true'
  frame.tabIndex = -1
  frame.style.cssText = 'position: fixed; width: 0; height: 0; border: 0'
  frame.onload = () => {
    const { contentDocument: paper, contentWindow: printer } = frame
    if (paper === null || printer === null) return
    const { lang, dir } = place.closest<HTMLElement>('.base') ?? paper.documentElement
    Object.assign(paper.documentElement, { lang, dir })
    paper.title = view.merchant_transaction_id
    paper.body.style.font = '16px/1.5 sans-serif'
    for (const text of [location.host, ...texts, time].filter(Boolean)) {
      const line = paper.createElement(text === texts[0] ? 'h1' : 'p')
      line.textContent = text
      paper.body.append(line)
    }
    printer.onafterprint = () => frame.remove()
    printer.print()
  }
  document.body.append(frame)
}
