/** Returns the first match of a selector. Throws a TypeError if the match is missing or is not a `kind`. */
export function element<T extends Element>(selector: string, kind: abstract new () => T): T {
  const found = document.querySelector(selector)
  if (found instanceof kind) return found
  throw new TypeError(`The page has no ${selector}.`)
}
