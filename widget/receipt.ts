/**
 * What can be done with the receipt of a payment that was made: its reference copied, and all of it printed by
 * itself. Fetched once something is paid; without it, the reference is there to be read and selected. As all that is
 * fetched later it imports nothing: it brings its words, and draws by hand.
 */

import type { CheckoutView } from '../server/api/view.ts'
import type { Words } from './locales/en.ts'

/** Puts the tools into the receipt that is shown, if there is one, or their words right if they are there. */
export default function furnish(root: ParentNode, view: CheckoutView, words: Words) {
  const { copy, copied, print } = words.receipt
  const place = root.querySelector('[part=receipt]')
  if (place === null) return
  const [copier, printer] = place.querySelector('button') ? place.querySelectorAll('button') : addTools(place)
  if (!copier || !printer) return
  copier.textContent = copy
  copier.onclick = () => void copyReference(copier, view.merchant_transaction_id, copied)
  printer.textContent = print
  printer.onclick = () => printCard(place, view, words)
}

function addTools(place: Element): HTMLButtonElement[] {
  const tools = place.appendChild(document.createElement('span'))
  Object.assign(tools.style, { display: 'flex', gap: '0.5em', marginBlockStart: '0.5em' })
  return [1, 2].map(() => {
    const button = tools.appendChild(document.createElement('button'))
    button.style.borderColor = 'currentcolor'
    return button
  })
}

/** Where a page may not write to the clipboard, the reference is at least selected. */
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

/** On a page of its own, because no style of ours can hide the rest of the merchant's. */
function printCard(place: Element, view: CheckoutView, { language, reference }: Words) {
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
