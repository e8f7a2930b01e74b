/**
 * Defines the properties that reflect the element's attributes. Each property stores its value only in its attribute,
 * so that an element with few attributes needs little memory.
 */

import type { ReactiveElement } from '@lit/reactive-element'

/**
 * The properties that are attributes, too. `custom-elements.json`, and through it editors and the reference, take the
 * descriptions from here.
 */
export interface CheckoutAttributes {
  /** The order: a reference that the payment server resolves, or a signed order. Another value resets the element. */
  order: string
  /**
   * Address of the payment server, absolute or relative to the page. Default: the origin of the script, when its path
   * is `/gateway-checkout.js`.
   */
  server: string
  /** The payer's full name. A form asks for a missing or invalid value. */
  payerName: string
  /** The payer's e-mail address. A form asks for a missing or invalid value. */
  payerEmail: string
  /** The payer's phone number. A form asks for a missing or invalid value. */
  payerMsisdn: string
  /** The country whose calling code completes national phone numbers: ISO 3166-1 alpha-2, such as `KE`. */
  country: string
  /**
   * Where the shopper returns to. Default: this page, with its query. Set it if the page's address holds a secret:
   * whoever knows the order can read it.
   */
  returnUrl: string
  /**
   * `auto` (default): a pop-up on a wide screen with a mouse, else a redirect in this window. `redirect`, `popup`:
   * always.
   */
  launch: '' | 'auto' | 'redirect' | 'popup'
  /** `page` (default): the gateway's payment page. `prompt`: the phone is asked at once. */
  method: '' | 'page' | 'prompt'
  /** The button's text. */
  label: string
  /**
   * How much is paid, shown before a checkout and never sent. `KES 1500` is written in the shopper's language, any
   * other text as it is. It follows the built-in text of the button, or stands under a button with a `label`, and gives
   * way to the terms that the payment server confirms.
   */
  amount: string
  /**
   * Whom the shopper pays, shown before a checkout and never sent. Gives way to the confirmed terms, as `amount` does.
   */
  payee: string
  /**
   * How a shopper can pay, such as `M-Pesa, Airtel Money, card`: shown before a checkout, after the payee, and never
   * sent.
   */
  methods: string
  /**
   * Where a shopper reaches the shop: a `tel:`, `mailto:` or `https:` address, or several with `|` between them, such
   * as `tel:+254700000001 | https://wa.me/254700000001`. Each link is named by its address. In view after an error and
   * where money needs the shop; folded while the payment can be made or is checked, and on the receipt.
   */
  help: string
  /** Address of a square picture of the payee. Default: the first letter of `payee`. */
  logo: string
  /** `auto` (default): the page's `color-scheme`. `light`, `dark`: always. */
  theme: '' | 'auto' | 'light' | 'dark'
  /**
   * Dims the page while the pop-up is open, with a button that brings the pop-up to the front, and one that leaves the
   * overlay.
   */
  overlay: boolean
  /** Whether the button cannot be pressed, as for any form control. */
  disabled: boolean
  /** The name under which a form submits the checkout id. */
  name: string
  /** Whether the surrounding form is valid only once the checkout is paid. */
  required: boolean
  /** Resumes this checkout. */
  checkoutId: string
  /**
   * `en`, `ar`, `fr`, `pt` or `sw`; a region (`sw-TZ`) is ignored. Default: the nearest `lang` around the tag, across
   * shadow roots, then the browser's. English when there are no words for the language, or when their download failed.
   */
  lang: string
}

/**
 * The names of the properties with text values, in one text, which is smaller than a list. A property is empty text if
 * its attribute is missing. Every property of {@link CheckoutAttributes} is here or in `FLAGS`, except `lang`, which
 * every HTML element has.
 */
const TEXTS =
  'order server payerName payerEmail payerMsisdn country returnUrl launch method label amount payee methods help logo theme name checkoutId'
const FLAGS = ['disabled', 'required', 'overlay']

/** The property name for each attribute name, for example `payerName` for `payer-name`. */
export const PROPERTIES = new Map(
  [...TEXTS.split(' '), ...FLAGS].map((property) => [
    property.replace(/[A-Z]/g, '-$&').toLowerCase(),
    property,
  ]),
)

/** Defines the properties. Lit would read each of them at the first drawing of each element. */
export function defineProperties(prototype: ReactiveElement): void {
  for (const [attribute, property] of PROPERTIES) {
    const isFlag = FLAGS.includes(property)
    Object.defineProperty(prototype, property, {
      get(this: HTMLElement) {
        return isFlag ? this.hasAttribute(attribute) : (this.getAttribute(attribute) ?? '')
      },
      set(this: HTMLElement, value?: string | boolean | null) {
        if (value) {
          this.setAttribute(attribute, isFlag ? '' : String(value))
        } else {
          this.removeAttribute(attribute)
        }
      },
      configurable: true,
      enumerable: true,
    })
  }
}

/** Assigns anew what a page assigned before the element was defined: such a value hides the property with this name. */
export function assignEarly(element: ReactiveElement): void {
  for (const property of PROPERTIES.values()) {
    if (Object.hasOwn(element, property)) {
      const value: unknown = Reflect.get(element, property)
      Reflect.deleteProperty(element, property)
      Reflect.set(element, property, value)
    }
  }
}
