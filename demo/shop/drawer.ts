/** Keeps the drawer open on the next page of this tab, because a new order or a return from the payment page loads one. */
export function rememberOpen(drawer: HTMLDetailsElement): void {
  try {
    drawer.open = sessionStorage.getItem('drawer') === 'open'
  } catch {
    return // Storage may be blocked: the drawer is then closed on each page.
  }
  drawer.addEventListener('toggle', () => sessionStorage.setItem('drawer', drawer.open ? 'open' : 'closed'))
}
