/**
 * Defines the properties that reflect the element's attributes. Each property stores its value only in its attribute,
 * so that an element with few attributes needs little memory.
 */

/** The names of the properties with text values. A property is empty text if its attribute is missing. */
const TEXTS = [
  'order',
  'server',
  'payerName',
  'payerEmail',
  'payerMsisdn',
  'country',
  'returnUrl',
  'launch',
  'method',
  'label',
  'amount',
  'payee',
  'theme',
  'name',
  'checkoutId',
]
const FLAGS = ['disabled', 'required']

/** The property name for each attribute name, for example `payerName` for `payer-name`. */
export const PROPERTIES = new Map(
  [...TEXTS, ...FLAGS].map((property) => [
    property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    property,
  ]),
)

export function defineProperties(prototype: HTMLElement): void {
  for (const [attribute, property] of PROPERTIES) {
    const isFlag = FLAGS.includes(property)
    Object.defineProperty(prototype, property, {
      get(this: HTMLElement) {
        return isFlag ? this.hasAttribute(attribute) : (this.getAttribute(attribute) ?? '')
      },
      set(this: HTMLElement, value?: string | boolean | null) {
        if (value) this.setAttribute(attribute, isFlag ? '' : String(value))
        else this.removeAttribute(attribute)
      },
      configurable: true,
      enumerable: true,
    })
  }
}

/**
 * Assigns a property again if the page assigned it before the element was defined. The early assignment created an own
 * property of the element, which hides the class's accessor.
 */
export function rewrite(element: HTMLElement, property: string): void {
  if (!Object.hasOwn(element, property)) return
  const value: unknown = Reflect.get(element, property)
  Reflect.deleteProperty(element, property)
  Reflect.set(element, property, value)
}

/** Matches the values of `launch`, `theme` and `method`, joined by commas, if each value is valid or empty. */
const KNOWN_VALUES = /^(auto|redirect|popup)?,(auto|light|dark)?,(page|prompt)?$/

/** Returns whether an attribute that chooses among words has changed, and one has another word. */
export function hasUnknownValue(
  { launch, theme, method }: Record<'launch' | 'theme' | 'method', string>,
  changed: { has(property: string): boolean },
): boolean {
  const isChanged = ['launch', 'theme', 'method'].some((property) => changed.has(property))
  return isChanged && !KNOWN_VALUES.test(`${launch},${theme},${method}`)
}
