/** Types of `<gateway-checkout>` in the JSX of Preact. This module has no code. */

import type { HTMLAttributes } from 'preact'
import type { GatewayCheckout } from '../index.ts'
import type { Attributes, Listeners, Properties } from './markup.ts'

type Markup = HTMLAttributes<GatewayCheckout> & Attributes & Properties & Listeners

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'gateway-checkout': Markup
    }
  }
}
