/**
 * Draws the address of the hosted page as a QR code, so that the shopper can pay with a phone. The code is made in the
 * browser. The element downloads this module when the shopper asks for the code; `phoneCode` in `draw-checkout.ts` offers
 * it.
 */

import { correction, generate } from 'lean-qr/nano'

import type { Words } from '../words/en.ts'
import type { Bitmap2D } from 'lean-qr/nano'

const SVG = 'http://www.w3.org/2000/svg' as const
/** The width of the empty border that scanners need, in modules (ISO/IEC 18004). */
const QUIET_ZONE = 4

/**
 * The colours are the same in every theme, because many scanners read only dark modules on a light ground. A style
 * sheet would need the page's policy to allow it; styles that a script sets do not.
 */
const STYLE =
  'display: block; inline-size: 100%; max-inline-size: 13.75em; block-size: auto; margin-inline: auto; padding: 0; ' +
  'border: 1px solid #8884; border-radius: 0.75em; background: #fff; fill: #000; stroke: none; forced-color-adjust: none'

/**
 * Draws the code in `place`, or updates the code that is there. Draws nothing if the address is too long for a code.
 */
export function drawCode(place: Element, url: string, words: Words['phone']): void {
  let svg = place.querySelector('svg')
  if (svg?.dataset['url'] !== url) {
    const modules = encode(url)
    if (modules === null) {
      return
    }

    svg = createCode(modules)
    svg.dataset['url'] = url
    place.replaceChildren(svg)
  }

  svg.ariaLabel = words.code
}

function encode(url: string): Bitmap2D | null {
  try {
    return generate(url, { minCorrectionLevel: correction.M })
  } catch {
    return null
  }
}

/** Returns a path with a bar for each run of dark modules, so that no gaps show between modules. */
function pathOfRow({ size, get }: Bitmap2D, y: number): string {
  let path = ''
  for (let x = 0; x < size; x++) {
    const start = x
    while (get(x, y)) {
      x++
    }

    if (x > start) {
      path += `M${start + QUIET_ZONE} ${y + QUIET_ZONE}h${x - start}v1h${start - x}z`
    }
  }

  return path
}

function createCode(modules: Bitmap2D): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  const size = modules.size + 2 * QUIET_ZONE
  const rows = Array.from({ length: modules.size }, (_, y) => pathOfRow(modules, y))
  svg.appendChild(document.createElementNS(SVG, 'path')).setAttribute('d', rows.join(''))
  svg.setAttribute('viewBox', `0 0 ${size} ${size}`)
  svg.setAttribute('shape-rendering', 'crispEdges')
  svg.setAttribute('role', 'img')
  svg.style.cssText = STYLE
  return svg
}
