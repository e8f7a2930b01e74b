/** Types of `<gateway-checkout>` in the templates and the JSX of Vue 3. This module has no code. */

import type { CheckoutEventMap, GatewayCheckout } from '../index.ts'
import type { Attributes, Properties } from './markup.ts'
import type { HTMLAttributes, ReservedProps } from 'vue'

/** Event listeners with the names that Vue's JSX uses, such as `onCheckoutPaid`. A template writes `@checkout-paid`. */
type Listeners = {
  [Type in keyof CheckoutEventMap as `on${Pascal<Type>}`]?:
    | ((event: CheckoutEventMap[Type]) => void)
    | undefined
}

type Pascal<Type extends string> = Type extends `${infer Word}-${infer Rest}`
  ? `${Capitalize<Word>}${Pascal<Rest>}`
  : Capitalize<Type>

type Markup = HTMLAttributes & Attributes & Properties & Listeners

declare module 'vue' {
  interface GlobalComponents {
    'gateway-checkout': new () => GatewayCheckout & { $props: Markup & ReservedProps }
  }
  interface IntrinsicElementAttributes {
    'gateway-checkout': Markup
  }
}
