/** Returns an element of the page that a script needs. Throws if it is not there: the page is broken. */
export function element<T extends Element>(selector: string, kind: abstract new () => T): T {
  const found = document.querySelector(selector)
  if (found instanceof kind) {
    return found
  }
  throw new TypeError(`The page has no ${selector}.`)
}
