/**
 * Moves the keyboard focus inside the element after an update.
 *
 * If the update opened the form or marked invalid fields, the first invalid input gets the focus. Otherwise, if the
 * update removed the focused node, the button gets the focus. If there is no such input or button, the status text gets
 * the focus.
 *
 * @param isNewForm Whether the update opened the form or marked invalid fields.
 * @param hadFocus Whether a node in `root` had the focus before the update.
 */
export function placeFocus(root: ShadowRoot, isNewForm: boolean, hadFocus: boolean): void {
  const isLost = hadFocus && !root.activeElement?.matches('a, input, select, summary, button:not([hidden])')
  const find = (selector: string) => root.querySelector<HTMLElement>(selector)
  const target = isNewForm ? '[aria-invalid=true], input:invalid' : '[part=button]:not([hidden])'
  if (isNewForm || isLost) (find(target) ?? find('[role=status]'))?.focus()
}
