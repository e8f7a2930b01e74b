import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'

import { renderCheckout } from '../../../server/index.ts'
import { en } from '../../../widget/words/en.ts'
import { LOADERS } from '../../../widget/words/languages.ts'
import { EVERY_OPTION, KNOWN_PAYER, REFUSED } from './rendered-table.ts'

const MAX_BYTES = 1_126

test.each(REFUSED)('%s %s, or an error says so', (option, rule, { order, options }) => {
  // The table has values that the types refuse.
  const render = () => Reflect.apply(renderCheckout, undefined, [order, options])
  expect(render).toThrow(new TypeError(`${option} ${rule}`))
})

test('a text with half a surrogate pair is refused', () => {
  expect(() => renderCheckout('A-\ud800', KNOWN_PAYER)).toThrow(/^order must be at most 4000 characters/)
})

test('it adds at most 1.1 kB with brotli to a page', () => {
  const html = renderCheckout('A', { ...EVERY_OPTION, disabled: false })
  expect(brotliCompressSync(html).byteLength).toBeLessThanOrEqual(MAX_BYTES)
})

test('the button says what the element says in each language', async () => {
  const locales = await Promise.all(Object.values(LOADERS).map(async (load) => (await load()).default))
  for (const { language, pay, dir } of [en, ...locales]) {
    const html = renderCheckout('A-1', { ...KNOWN_PAYER, lang: language })
    expect(html).toContain(`lang="${language}" dir="${dir}"`)
    expect(html).toContain(`>${pay}</slot>`)
  }
})

test('a locale of a system is the language that it names', () => {
  const html = renderCheckout('A-1', { ...KNOWN_PAYER, lang: 'fr_FR' })
  expect(html).toContain(' lang="fr-FR"')
  expect(html).toContain('<input type="hidden" name="lang" value="fr-FR">')
  expect(html).toContain('>Payer</slot>')
})

test('only the style sheet has the nonce', () => {
  const html = renderCheckout('A-1', EVERY_OPTION)
  expect(html.split(EVERY_OPTION.nonce)).toHaveLength(2)
  expect(html).toContain(`<style nonce="${EVERY_OPTION.nonce}">`)
})
