/** Types of `<gateway-checkout>` in the templates of Svelte 5. This module has no code. */

import type { GatewayCheckout } from '../index.ts'
import type { Attributes, Listeners, Properties } from './markup.ts'
import type { HTMLAttributes } from 'svelte/elements'

type Markup = HTMLAttributes<GatewayCheckout> & Attributes & Properties & Listeners

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'gateway-checkout': Markup
  }
}
