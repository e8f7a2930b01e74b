/** The earliest words of an element in a language that has not been downloaded yet. */

import { expect, test } from 'vitest'

import { loadWords } from '../../../widget/words.ts'
import { openScreenReader } from '../../support/browsers/screen-reader.ts'
import { PAID } from '../../support/worlds/scripted-bff.ts'
import { calm, createTag, PAYER, shopPage } from '../../support/worlds/shop-page.ts'

const PATIENCE = { timeout: 30_000 }
const LANGUAGES = ['ar', 'fr', 'pt', 'sw']
// A page downloads each language once, so a second try would find it there.
const ONCE = { retry: 0 }

/** Adds an element to a page whose other elements have no words in `lang`. */
async function addTag(lang: string, attributes: Record<string, string>) {
  const page = await shopPage({ view: PAID })
  page.tag.remove()
  const tag = createTag({ ...PAYER, lang, ...attributes })
  document.body.append(tag)
  const root = tag.shadowRoot
  if (!root) {
    throw new Error('The element has no shadow root.')
  }
  return { page, tag, root, reader: openScreenReader(root) }
}

test.each(LANGUAGES)(
  '%s: who comes back hears the check and the outcome once, in this language',
  ONCE,
  async (lang) => {
    const { tag, root, reader } = await addTag(lang, { 'checkout-id': 'checkout-01-of-the-tests' })
    await expect.poll(() => root.querySelector('[part=status].paid'), PATIENCE).toBeTruthy()
    await calm(tag)
    // Imported only now, because the element must download the words itself.
    const words = await loadWords(lang)
    expect(reader.heard()).toEqual([
      `status: ${words?.sentence.checking.join(' · ')}`,
      expect.stringMatching(`^status: ${words?.sentence.paid[0]} · [^·]+ · [^·]+$`),
    ])
    expect(root.querySelector<HTMLElement>('.base')).toMatchObject({ lang, dir: words?.dir })
    reader.stop()
  },
)
