/** Types of `<gateway-checkout>` in the JSX of React 19 and newer. This module has no code. */

import type { DetailedHTMLProps, HTMLAttributes } from 'react'
import type { GatewayCheckout } from '../index.ts'
import type { Attributes, Listeners, Properties } from './markup.ts'

type Markup = DetailedHTMLProps<HTMLAttributes<GatewayCheckout>, GatewayCheckout> &
  Attributes &
  Properties &
  Listeners

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'gateway-checkout': Markup
    }
  }
}
