/** What markup may say to the tag and hear from it, read off the element itself. Frameworks only spell it. */

import type { GatewayCheckout } from '../index.ts'

/** What a page may set. All of it is text or a flag, and has an attribute. */
export type Properties = {
  [Name in keyof typeof GatewayCheckout.properties]?: GatewayCheckout[Name] | undefined
}

export type Attributes = {
  [Name in keyof Properties as Kebab<Name>]: Properties[Name]
}

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
