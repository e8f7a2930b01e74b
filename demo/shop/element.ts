/** Returns the element that matches the selector. Throws a TypeError if there is none, or if it is not of this kind. */
export function element<T extends Element>(selector: string, kind: abstract new () => T): T {
  const found = document.querySelector(selector)
  if (found instanceof kind) return found
  throw new TypeError(`The page has no ${selector}.`)
}
