/** Returns the first element that matches the selector. Throws a TypeError if there is none or it is not a `kind`. */
export function element<T extends Element>(selector: string, kind: abstract new () => T): T {
  const found = document.querySelector(selector)
  if (found instanceof kind) return found
  throw new TypeError(`The page has no ${selector}.`)
}
