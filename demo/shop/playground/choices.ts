// The choices are stored in the page's URL, so that the URL can be shared.

import type { Markup } from '../snippets.ts'
import type { Control } from './controls.ts'
import { ATTRIBUTE_CONTROLS, PROPERTIES, SLOTS, slotOf } from './controls.ts'

export interface Choices {
  get(name: string): string
  set(name: string, value: string): void
  /**
   * Restores the controls that the previous call disabled. Then sets each control named in `needs` to the given value
   * (`null` clears the control) and disables the control.
   */
  hold(needs: Record<string, string | null>): void
  markup(): Markup
  address(): string
}

const NAMES = [
  'situation',
  'snippet',
  ...[...ATTRIBUTE_CONTROLS, ...SLOTS, ...PROPERTIES].map(({ name }) => name),
]

export function readChoices(form: HTMLFormElement): Choices {
  const held = new Map<string, string>()
  const get = (name: string) => {
    const control = find(form, name)
    return isFlag(control) ? (control.checked ? 'on' : '') : control.value
  }
  const set = (name: string, value: string) => {
    const control = find(form, name)
    if (isFlag(control)) control.checked = value === 'on'
    else control.value = value
  }
  const enable = (name: string, isEnabled: boolean) => {
    const control = find(form, name)
    if (!(control instanceof RadioNodeList)) control.disabled = !isEnabled
  }
  const defaults = new Map(NAMES.map((name) => [name, get(name)]))
  for (const [name, value] of new URLSearchParams(location.search)) if (defaults.has(name)) set(name, value)

  return {
    get,
    set,
    hold(needs) {
      for (const [name, value] of held) {
        set(name, value)
        enable(name, true)
      }
      held.clear()
      for (const [name, value] of Object.entries(needs)) {
        held.set(name, get(name))
        set(name, value ?? '')
        enable(name, false)
      }
    },
    markup() {
      const said = (controls: readonly Control[]) => controls.filter(({ name }) => get(name) !== '')
      return {
        attributes: Object.fromEntries(
          said(ATTRIBUTE_CONTROLS).map(({ name, isFlag }) => [name, isFlag ?? get(name)]),
        ),
        slots: Object.fromEntries(said(SLOTS).map(({ name }) => [slotOf(name), get(name)])),
        properties: Object.fromEntries(said(PROPERTIES).map(({ name }) => [name, get(name)])),
      }
    },
    address() {
      const changed = NAMES.map((name) => [name, held.get(name) ?? get(name)] as const).filter(
        ([name, value]) => value !== defaults.get(name),
      )
      return `${location.pathname}?${new URLSearchParams(changed.map(([name, value]) => [name, value]))}`
    },
  }
}

function find(form: HTMLFormElement, name: string): HTMLInputElement | HTMLSelectElement | RadioNodeList {
  const found = form.elements.namedItem(name)
  if (
    found instanceof HTMLInputElement ||
    found instanceof HTMLSelectElement ||
    found instanceof RadioNodeList
  )
    return found
  throw new TypeError(`The page has no control called ${name}.`)
}

function isFlag(control: EventTarget | RadioNodeList): control is HTMLInputElement {
  return control instanceof HTMLInputElement && control.type === 'checkbox'
}
