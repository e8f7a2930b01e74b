// An element of the page that the scripts need: without it, the page is broken.

export function element<T extends Element>(selector: string, kind: abstract new () => T): T {
  const found = document.querySelector(selector)
  if (found instanceof kind) return found
  throw new TypeError(`The page has no ${selector}.`)
}
