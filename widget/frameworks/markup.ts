/** Derives the types of attributes, properties and listeners that the frameworks' type files in this folder use. */

import type { CheckoutAttributes } from '../button/attributes.ts'
import type { CheckoutEventMap, GatewayCheckout } from '../index.ts'

type Settable = keyof CheckoutAttributes

/** The properties that a page can set. Only `words` has no attribute. */
export type Properties = { [Name in Settable | 'words']?: GatewayCheckout[Name] | undefined }

export type Attributes = { [Name in Settable as Kebab<Name>]?: Properties[Name] }

/** Event listeners named as in React, Preact and Svelte, such as `oncheckout-paid`. */
export type Listeners = {
  [Type in keyof CheckoutEventMap as `on${Type}`]?: ((event: CheckoutEventMap[Type]) => void) | undefined
}

type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : ''
