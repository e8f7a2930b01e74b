/** What markup may say to the tag and hear from it, read off the element itself. Frameworks only spell it. */

import type { LitElement } from 'lit'
import type { GatewayCheckout } from '../index.ts'

type Own = Exclude<keyof GatewayCheckout, keyof LitElement>

type TextOrFlag<Name extends Own> = Name extends Own
  ? GatewayCheckout[Name] extends string | boolean
    ? Name
    : never
  : never

/** The element's own text and flags, of which `state` is only to be read, and `lang`, which every element has. */
type Settable = Exclude<TextOrFlag<Own>, 'state'> | 'lang'

/** The page's own words are a property only. */
export type Properties = { [Name in Settable | 'words']?: GatewayCheckout[Name] | undefined }

export type Attributes = { [Name in Settable as Kebab<Name>]?: Properties[Name] }

export type Events = {
  [Type in keyof HTMLElementEventMap as Extract<Type, `checkout-${string}`>]: HTMLElementEventMap[Type]
}

/** `oncheckout-paid`, as React, Preact and Svelte have it: "on" and the event's name as it is. */
export type Listeners = {
  [Type in keyof Events as `on${Type}`]?: ((event: Events[Type]) => void) | undefined
}

type Kebab<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${Kebab<Rest>}`
  : ''
