/** Types of `<gateway-checkout>` in the JSX of Preact. This module has no code. */

import type { GatewayCheckout } from '../index.ts'
import type { Attributes, Listeners, Properties } from './markup.ts'
import type { HTMLAttributes } from 'preact'

type Markup = HTMLAttributes<GatewayCheckout> & Attributes & Properties & Listeners

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'gateway-checkout': Markup
    }
  }
}
