/**
 * The skeleton of every card: icon, title, sentence and amount stand in the same places, and only what they say
 * changes. The second file draws it by this function of the first, and so keeps the nodes that the first has drawn:
 * nothing jumps, and screen readers do not announce it again.
 */

import { writeText } from './frame.ts'

const SVG = 'http://www.w3.org/2000/svg' as const

/** What a card says. A missing text leaves its line out. */
export interface CardContent {
  /** One path, drawn with a round pen in a square of 24 units. */
  icon: string
  title: string
  detail: string
  /** That what is shown may be out of date, and what to do meanwhile. */
  note?: string
  warning?: string
  amount?: string
}

/** Draws the part of the card whose changes screen readers announce; nothing if there is nothing to say. */
export function drawContent(status: HTMLElement, content: CardContent | null): void {
  if (!content) {
    return status.replaceChildren()
  }

  const { icon, title, detail, note, warning, amount } = content
  if (!status.firstChild) {
    addNodes(status)
  }

  status.querySelector('path')?.setAttribute('d', icon)
  const texts = [title, detail, note, warning, amount]
  for (const [index, node] of status.querySelectorAll<HTMLElement>('strong, p').entries()) {
    writeText(node, texts[index])
  }
}

/** White space keeps the words of two nodes apart where only the text is read. */
function addNodes(status: HTMLElement): void {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.ariaHidden = 'true'
  svg.append(document.createElementNS(SVG, 'path'))
  const lines = document.createElement('div')
  lines.className = 'said'
  for (const name of ['strong', 'p', 'p', 'p']) {
    lines.append(document.createElement(name), ' ')
  }

  const amount = document.createElement('p')
  amount.part = 'amount'
  status.append(svg, lines, amount)
}
