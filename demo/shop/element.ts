/** The page that a script belongs to has each of the elements that it works with. */
export function element<T extends Element>(selector: string, kind: abstract new () => T): T {
  const found = document.querySelector(selector)
  if (found instanceof kind) return found
  throw new TypeError(`The page has no ${selector}.`)
}
