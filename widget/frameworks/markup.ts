/**
 * Derives the types of the element's attributes, properties and events from the element's class. The frameworks' type
 * files in this folder use these types.
 */

import type { LitElement } from 'lit'
import type { CheckoutEventMap, GatewayCheckout } from '../index.ts'

type Own = Exclude<keyof GatewayCheckout, keyof LitElement>

type TextOrFlag<Name extends Own> = Name extends Own
  ? GatewayCheckout[Name] extends string | boolean
    ? Name
    : never
  : never

/** The names of the text and boolean properties that a page can set. `state` is read-only. */
type Settable = Exclude<TextOrFlag<Own>, 'state'> | 'lang'

/** The properties that a page can set. Only `words` has no attribute. */
export type Properties = { [Name in Settable | 'words']?: GatewayCheckout[Name] | undefined }

export type Attributes = { [Name in Settable as Kebab<Name>]?: Properties[Name] }

export type Events = CheckoutEventMap

/** Event listeners named as in React, Preact and Svelte, such as `oncheckout-paid`. */
export type Listeners = {
  [Type in keyof Events as `on${Type}`]?: ((event: Events[Type]) => void) | undefined
}

type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : ''
