/**
 * Keeps what happens in the element's fields from the scripts of the page, so that what a shopper types arrives on any
 * page.
 *
 * Outside the shadow root, the target of an event is the tag, and a script of the page cannot see that the event comes
 * from a field. Its shortcuts would take letters out of a name, and its protection against copying would forbid the
 * mouse, the selection and the clipboard.
 */

/** The events whose cancelling takes something from a field, and those that belong to them. */
const TYPES = 'keydown keypress keyup mousedown pointerdown touchstart selectstart contextmenu copy cut paste'

/**
 * Keeps these events of the fields in a shadow root inside the root, whose own listeners hear them. A listener of the
 * page in the capture phase hears them before.
 */
export function keepFieldEvents(root: ShadowRoot): void {
  for (const type of TYPES.split(' ')) {
    // However often the same listener is added, a root has it once.
    root.addEventListener(type, keepInside)
  }
}

function keepInside(event: Event & { key?: string }): void {
  const { target, currentTarget, key } = event
  // A field of the page in a slot has another root.
  const isField =
    target instanceof Element && target.matches('input, select') && target.getRootNode() === currentTarget
  // A dialog of the page around the tag closes with Escape, and with Tab keeps the focus. Neither key writes into a field.
  if (isField && !/Escape|Tab/.test(`${key}`)) {
    event.stopPropagation()
  }
}
