/** Every situation at once, for those who change how the tag looks or speaks. */

import type { GatewayCheckout } from '../../../widget/index.ts'
import type { Markup } from '../snippets.ts'
import { dress, perform } from './cast.ts'
import { SITUATIONS } from './states.ts'
import type { Situation } from './situation.ts'

export interface Gallery {
  /** Hangs the pictures anew. */
  hang(markup: Markup): void
  /** The same pictures in other clothes. */
  dress(markup: Markup): void
  clear(): void
}

export function createGallery(wall: Element): Gallery {
  const tags = new Map<Situation, GatewayCheckout>()
  return {
    hang(markup) {
      const pictures = [...SITUATIONS].map(([name, situation]) => {
        const picture = document.createElement('figure')
        const caption = document.createElement('figcaption')
        caption.textContent = `${name.split('.')[0]} · ${situation.label}`
        const frame = document.createElement('div')
        frame.className = 'frame'
        // To be looked at: forty tags would take every key and speak all at once.
        frame.inert = true
        picture.append(caption, frame)
        return { picture, frame, situation }
      })
      wall.replaceChildren(...pictures.map(({ picture }) => picture))
      for (const { frame, situation } of pictures)
        tags.set(situation, perform({ situation, markup: needed(markup, situation), frame, hear: () => {} }))
    },
    dress(markup) {
      for (const [situation, tag] of tags) dress(tag, needed(markup, situation))
    },
    clear() {
      wall.replaceChildren()
      tags.clear()
    },
  }
}

function needed(markup: Markup, { needs = {} }: Situation): Markup {
  const attributes = { ...markup.attributes }
  for (const [name, value] of Object.entries(needs)) {
    if (value === null) delete attributes[name]
    else attributes[name] = value
  }
  return { ...markup, attributes }
}
