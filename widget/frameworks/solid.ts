/** Types of `<gateway-checkout>` in the JSX of Solid. This module has no code. */

import type { CheckoutEventMap, GatewayCheckout } from '../index.ts'
import type { Attributes, Properties } from './markup.ts'
import type { JSX } from 'solid-js'

/**
 * The element's attributes, properties and events in the JSX of Solid. Properties need the prefix `prop:`, because
 * Solid converts other names to lower case.
 */
type Markup = JSX.HTMLAttributes<GatewayCheckout> &
  Attributes & { [Name in keyof Properties as `prop:${Name}`]: Properties[Name] } & {
    [Type in keyof CheckoutEventMap as `on:${Type}`]?:
      | JSX.EventHandlerWithOptionsUnion<GatewayCheckout, CheckoutEventMap[Type]>
      | undefined
  }

declare module 'solid-js' {
  namespace JSX {
    interface IntrinsicElements {
      'gateway-checkout': Markup
    }
  }
}
