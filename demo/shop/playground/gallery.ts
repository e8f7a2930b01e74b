import type { GatewayCheckout } from '../../../widget/index.ts'
import type { Markup } from '../snippets.ts'
import { applyMarkup, playSituation, withNeeds } from './player.ts'
import { SITUATIONS } from './states.ts'
import type { Situation } from './situation.ts'

export interface Gallery {
  show(markup: Markup): void
  update(markup: Markup): void
  clear(): void
}

export function createGallery(container: Element): Gallery {
  const tags = new Map<Situation, GatewayCheckout>()
  return {
    show(markup) {
      const pictures = [...SITUATIONS].map(([name, situation]) => {
        const picture = document.createElement('figure')
        const caption = document.createElement('figcaption')
        caption.textContent = `${name.split('.')[0]} · ${situation.label}`
        const frame = document.createElement('div')
        frame.className = 'frame'
        // The gallery is only for looking: forty active elements would all take focus and be announced.
        frame.inert = true
        picture.append(caption, frame)
        return { picture, frame, situation }
      })
      container.replaceChildren(...pictures.map(({ picture }) => picture))
      for (const { frame, situation } of pictures)
        tags.set(situation, playSituation({ situation, markup, frame, onRequest: () => {} }))
    },
    update(markup) {
      for (const [situation, tag] of tags) applyMarkup(tag, withNeeds(markup, situation))
    },
    clear() {
      container.replaceChildren()
      tags.clear()
    },
  }
}
