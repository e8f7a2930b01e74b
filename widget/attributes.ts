/**
 * Properties that are their attributes, so that markup, scripts and frameworks cannot disagree: a text is empty
 * without one, a flag is whether there is one.
 */

export interface Attributes {
  texts: readonly string[]
  flags: readonly string[]
}

/** "payerName" is the attribute `payer-name`. */
export function attributeOf(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

export function defineAttributes(prototype: HTMLElement, { texts, flags }: Attributes): void {
  for (const property of [...texts, ...flags]) {
    const name = attributeOf(property)
    const isFlag = flags.includes(property)
    Object.defineProperty(prototype, property, {
      get(this: HTMLElement) {
        return isFlag ? this.hasAttribute(name) : (this.getAttribute(name) ?? '')
      },
      set(this: HTMLElement, value: string | boolean | null | undefined) {
        if (isFlag) this.toggleAttribute(name, Boolean(value))
        else this.setAttribute(name, String(value ?? ''))
      },
    })
  }
}

/** What a script set before the element was defined lies in its way: it is moved into the attributes. */
export function adoptEarlyProperties(element: HTMLElement, { texts, flags }: Attributes): void {
  for (const property of [...texts, ...flags]) {
    const early = Object.getOwnPropertyDescriptor(element, property)
    if (early === undefined) continue
    Reflect.deleteProperty(element, property)
    Reflect.set(element, property, early.value)
  }
}
