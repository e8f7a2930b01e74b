/**
 * Defines the properties that reflect attributes. Only the attributes store values, so that an element with few
 * attributes needs little memory.
 */

/** Properties that reflect text attributes. A missing attribute reads as empty text. */
const TEXTS = [
  'order',
  'server',
  'payerName',
  'payerEmail',
  'payerMsisdn',
  'country',
  'returnUrl',
  'launch',
  'label',
  'theme',
  'name',
  'checkoutId',
]
const FLAGS = ['disabled', 'required']

/** Property names by attribute name, such as `payerName` by `payer-name`. */
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
 * Reassigns a property that the page assigned before the element was defined. The early value would hide the class's
 * accessor.
 */
export function rewrite(element: HTMLElement, property: string): void {
  if (!Object.hasOwn(element, property)) return
  const value: unknown = Reflect.get(element, property)
  Reflect.deleteProperty(element, property)
  Reflect.set(element, property, value)
}
