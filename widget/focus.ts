/** Where the keyboard's focus goes when the element changes under it. */

/**
 * A form that has just opened, or came back with a fault, takes the focus to where something is to be written.
 * Otherwise focus is left alone, and only caught when the thing that had it is gone.
 */
export function placeFocus(root: ShadowRoot, isNewForm: boolean, hadFocus: boolean): void {
  const first = (...selectors: string[]) =>
    selectors.map((selector) => root.querySelector<HTMLElement>(selector)).find((found) => found !== null)
  if (isNewForm) first('[aria-invalid=true]', 'input')?.focus()
  else if (hadFocus && root.activeElement === null) first('[part=button]', '[role=status]')?.focus()
}
