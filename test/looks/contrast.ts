import type { Locator } from 'playwright'

/** The contrast of two colours, such as "rgb(0 0 0)" or the result of `color-mix`: from 1 to 21. [WCAG 2.2: 1.4.3] */
export interface Contrasts {
  /** Of the text to its own background. */
  text: number
  /** Of the outline to the ground around the element. */
  outline: number
}

/** Returns the contrasts of an element as it is shown now, hovered or pressed or focused. */
export function contrastsOf(shown: Locator): Promise<Contrasts> {
  return shown.evaluate((element) => {
    const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d')
    if (context === null) {
      throw new Error('Nothing to draw on.')
    }

    /** Returns the relative luminance of colours that are painted one over the other, the last one on top. */
    const luminanceOf = (colours: readonly string[]) => {
      for (const colour of ['#fff', ...colours]) {
        context.fillStyle = colour
        context.fillRect(0, 0, 1, 1)
      }

      const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data].map((channel) => {
        const part = channel / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    const groundsOf = (node: Element | null): string[] => {
      if (node === null) {
        return []
      }

      const root = node.getRootNode()
      const parent = node.parentElement ?? (root instanceof ShadowRoot ? root.host : null)
      return [...groundsOf(parent), getComputedStyle(node).backgroundColor]
    }

    const contrast = (one: number, other: number) =>
      (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    const { color, outlineColor } = getComputedStyle(element)
    const around = groundsOf(element).slice(0, -1)
    return {
      text: contrast(luminanceOf([...groundsOf(element), color]), luminanceOf(groundsOf(element))),
      outline: contrast(luminanceOf([...around, outlineColor]), luminanceOf(around)),
    }
  })
}
