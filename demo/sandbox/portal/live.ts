/**
 * The script of pages with an element `data-live`: it asks for the page again every three seconds, and shows what has
 * changed. It leaves alone what the user is typing in or has opened. Without it, the user reloads the page.
 */
export const LIVE_SCRIPT = `
const liveOf = (root) => root.querySelector('[data-live]')
const isInUse = (part) =>
  part.querySelector('details[open]') !== null || (part !== document.activeElement && part.contains(document.activeElement))
setInterval(async () => {
  const [main, shown] = [document.querySelector('main'), liveOf(document)]
  if (shown === null || document.hidden) return
  const response = await fetch(location.href, { headers: { 'x-live': '1' } }).catch(() => null)
  if (response === null || !response.ok || response.redirected) return
  const next = new DOMParser().parseFromString(await response.text(), 'text/html')
  const fresh = liveOf(next)
  if (fresh !== null && fresh.innerHTML === shown.innerHTML) return
  if (!isInUse(main)) main.replaceChildren(...next.querySelector('main').childNodes)
  else if (fresh !== null && !isInUse(shown)) shown.replaceWith(fresh)
}, 3000)
`
