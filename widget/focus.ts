/**
 * Moves the focus inside the element. A form that has just opened, or came back with a problem, focuses the field to
 * fill in. Otherwise focus moves only when the focused node was removed: to the button, or to the status where there
 * is no button.
 *
 * @param hadFocus Whether a node in `root` had the focus before the last update.
 */
export function placeFocus(root: ShadowRoot, isNewForm: boolean, hadFocus: boolean): void {
  const isLost = hadFocus && !root.activeElement?.matches('a, input, button:not([hidden])')
  const find = (selector: string) => root.querySelector<HTMLElement>(selector)
  const target = isNewForm ? '[aria-invalid=true], input:invalid' : '[part=button]:not([hidden])'
  if (isNewForm || isLost) (find(target) ?? find('[role=status]'))?.focus()
}
