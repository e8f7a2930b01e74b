/**
 * Adds the buttons below a receipt: copy the reference, and print. The element downloads this module after payment.
 *
 * The module imports no other module, so that its file stays unchanged between versions of the element.
 */

import type { CheckoutView } from '../server/api/view.ts'
import type { Words } from './locales/en.ts'

/** Adds the buttons to the shown receipt, or updates their text. */
export function addReceiptButtons(root: ParentNode, view: CheckoutView, words: Words) {
  const { copy, copied, print } = words.receipt
  const place = root.querySelector('[part=receipt]')
  if (place === null) return
  const [copyButton, printButton] = place.querySelector('button')
    ? place.querySelectorAll('button')
    : createButtons(place)
  if (!copyButton || !printButton) return
  copyButton.textContent = copy
  copyButton.onclick = () => void copyReference(copyButton, view.merchant_transaction_id, copied)
  printButton.textContent = print
  printButton.onclick = () => printReceipt(place, view, words)
}

function createButtons(place: Element): HTMLButtonElement[] {
  const row = place.appendChild(document.createElement('span'))
  Object.assign(row.style, { display: 'flex', gap: '0.5em', marginBlockStart: '0.5em' })
  return [1, 2].map(() => {
    const button = row.appendChild(document.createElement('button'))
    button.style.borderColor = 'currentcolor'
    return button
  })
}

/** Copies the reference. If the page may not write to the clipboard, selects the reference instead. */
async function copyReference(button: HTMLElement, reference: string, copied: string) {
  button.ariaLive = 'polite'
  try {
    await navigator.clipboard.writeText(reference)
    button.textContent = `✓ ${copied}`
  } catch {
    const text = button.closest('[part=receipt]')?.querySelector('bdi')
    if (text) getSelection()?.selectAllChildren(text)
  }
}

/** Prints from a hidden frame, because styles in a shadow root cannot hide the merchant's page. */
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
  Object.assign(frame.style, { position: 'fixed', width: '0', height: '0', border: '0' })
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
