import type { Page } from 'playwright'

/** Busy machines draw and answer slowly. */
const PATIENCE_MS = 60_000
const MOST_TABS = 80

/** The name that a screen reader would give to the focused element. */
const FOCUSED = `(() => {
  const { activeElement: it } = document
  if (!it || it === document.body) return ''
  return (it.ariaLabel || it.labels?.[0]?.textContent || it.textContent || '').trim()
})()`

/** A person who has a keyboard and no mouse. */
export function withKeyboard(page: Page) {
  async function to(name: string | RegExp): Promise<void> {
    const isIt = (focused: string) => (typeof name === 'string' ? focused === name : name.test(focused))
    for (let tabs = 0; tabs < MOST_TABS; tabs++) {
      await page.keyboard.press('Tab')
      const focused = await page.evaluate<string>(FOCUSED)
      if (isIt(focused)) return
    }
    throw new Error(`The key Tab does not lead to ${String(name)}: ${await page.locator('body').innerText()}`)
  }

  const person = {
    page,
    /** Waits for a text. Whoever goes to another page waits for it: keys would reach the page before. */
    sees: (text: string) =>
      page.getByText(text).filter({ visible: true }).first().waitFor({ timeout: PATIENCE_MS }),
    text: () => page.locator('body').innerText(),
    async opens(url: string) {
      await page.goto(url, { timeout: PATIENCE_MS })
    },
    /** Presses a button or follows a link. */
    async presses(name: string | RegExp) {
      await to(name)
      await page.keyboard.press('Enter')
    },
    async types(label: string, text: string) {
      await to(label)
      await page.keyboard.press('Control+A')
      await page.keyboard.insertText(text)
    },
    /** Chooses an option by its first letters, as browsers do. */
    async chooses(label: string, letters: string) {
      await to(label)
      await page.keyboard.type(letters)
    },
    async ticks(label: string | RegExp) {
      await to(label)
      await page.keyboard.press('Space')
    },
  }
  return person
}
export type Person = ReturnType<typeof withKeyboard>
