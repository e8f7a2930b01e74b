import { expect, test } from 'vitest'

import { renderCheckout } from '../../server/checkouts/markup.ts'
import { define, GatewayCheckout } from '../../widget/index.ts'
import { ACCEPTED, EVERY_OPTION } from '../server/checkouts/rendered-table.ts'

import type { Rendering } from '../server/checkouts/rendered-table.ts'

test.each(Object.entries(ACCEPTED))('%s: the texts come out of the HTML as they went in', (_, rendering) => {
  const { tag, root } = parsed(rendering)
  const given: (readonly [string, unknown])[] = Object.entries({
    ...rendering.options,
    order: rendering.order,
  }).flatMap(([name, value]) => {
    if (name === 'nonce' || !value) {
      return []
    }
    return [[name, name === 'server' ? String(value).replace(/\/+$/, '') : value] as const]
  })
  expect(attributesOf(tag)).toEqual(
    Object.fromEntries(given.map(([name, value]) => [separated(name, '-'), value === true ? '' : value])),
  )
  const sent = given.filter(([name]) => /^(order|payer.*|country|returnUrl|method|lang)$/.test(name))
  const form = root.querySelector('form')!
  expect(Object.fromEntries(new FormData(form))).toEqual(
    Object.fromEntries(sent.map(([name, value]) => [separated(name, '_'), value])),
  )
  expect({ method: form.getAttribute('method'), action: form.getAttribute('action') }).toEqual({
    method: 'post',
    action: `${tag.getAttribute('server')}/checkout/initiate`,
  })
  const names = Array.from(root.querySelectorAll('*'), ({ localName }) => localName)
  expect(names.filter((name) => name !== 'input')).toEqual(
    'style form div div div button slot p slot'.split(' '),
  )
  expect(root.querySelector('button')?.form).toBe(form)
})

test('a rendered element has every attribute of the element but state and checkout-id', () => {
  const { tag } = parsed({ order: 'A-1', options: EVERY_OPTION })
  const known = GatewayCheckout.observedAttributes.filter(
    (name) => name !== 'state' && name !== 'checkout-id',
  )
  expect(tag.getAttributeNames().toSorted()).toEqual(known.toSorted())
})

test('the terms and their lock look the same before and after the script, and the lock is solid', async () => {
  const { order, options } = { order: 'A-1', options: { ...EVERY_OPTION, label: 'Buy', nonce: undefined } }
  document.body.setHTMLUnsafe(renderCheckout(order, options))
  const rendered = looksOfTerms(document.body.firstElementChild!.shadowRoot!)
  define('scripted-checkout')
  const tag = document.createElement('scripted-checkout') as GatewayCheckout
  for (const { name, value } of document.body.firstElementChild!.attributes) {
    tag.setAttribute(name, value)
  }

  document.body.replaceChildren(tag)
  await tag.updateComplete
  const scripted = looksOfTerms(tag.shadowRoot!)
  expect(rendered).toEqual(scripted)
  expect(scripted.lock['background-repeat']).toBe('no-repeat')
})

/** Returns the computed styles of the terms and of the lock before them. */
function looksOfTerms(root: ShadowRoot) {
  const terms = root.querySelector('[part=terms]')!
  const looks = (part?: string) => {
    const style = getComputedStyle(terms, part)
    return Object.fromEntries(Array.from(style, (name) => [name, style.getPropertyValue(name)]))
  }

  return { terms: looks(), lock: looks('::before') }
}

/** Parses the HTML in a document without scripts, so that no element is defined. */
function parsed({ order, options }: Rendering): { tag: Element; root: ShadowRoot } {
  const inert = document.implementation.createHTMLDocument()
  // The table has values that the types refuse.
  inert.body.setHTMLUnsafe(Reflect.apply(renderCheckout, undefined, [order, options]))
  const tag = inert.body.firstElementChild!
  expect([inert.body.childNodes.length, tag.childNodes.length]).toEqual([1, 0])
  expect(tag.shadowRoot).toMatchObject({ mode: 'open', delegatesFocus: true })
  return { tag, root: tag.shadowRoot! }
}

function attributesOf(element: Element): Record<string, string> {
  return Object.fromEntries(Array.from(element.attributes, ({ name, value }) => [name, value]))
}

function separated(name: string, separator: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => separator + letter.toLowerCase())
}
