/** Downloads the console messages about mistakes in the element's markup, if the markup looks unusual. */

import { PROPERTIES } from './attributes.ts'

/** Matches attributes that are common on any element. */
const COMMON = /^(class|id|lang|slot|state|style)$|^(aria|data|on)/

/** Checks the element's markup once the page is complete: until then, a parser may still add content to the tag. */
export function diagnoseLater(
  element: HTMLElement & { country: string },
  window: Window & typeof globalThis,
): void {
  const check = () => {
    const isUnusual =
      element.getAttributeNames().some((name) => !PROPERTIES.has(name) && !COMMON.test(name)) ||
      element.country.length > 2 ||
      // A form is content that pays without JavaScript.
      element.querySelector(':scope > :not(form, [slot])')
    if (isUnusual)
      import('./diagnosis.ts').then(
        ({ diagnose }) => diagnose(element, [...PROPERTIES.keys()], window),
        () => {},
      )
  }
  if (window.document.readyState === 'complete') check()
  else window.addEventListener('load', check, { once: true })
}
