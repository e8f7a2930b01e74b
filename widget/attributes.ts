/**
 * Properties that are attributes, as `href` is of a link: what is written to one is at once what is read from the
 * other, and a tag that says little keeps little.
 */

/** Empty without their attribute, and not written when empty. */
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

/** By attribute: that of "payerName" is `payer-name`. */
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

/** What a page wrote to a tag before it was defined hides what it is defined with, until it is written anew. */
export function rewrite(element: HTMLElement, property: string): void {
  if (!Object.hasOwn(element, property)) return
  const value: unknown = Reflect.get(element, property)
  Reflect.deleteProperty(element, property)
  Reflect.set(element, property, value)
}
