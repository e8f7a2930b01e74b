// The style sheets of the shop's page and of the playground.

import BASE from '../sandbox/page.css?raw'
import LOOK from './look.css?raw'
import PLAYGROUND_ALONE from './playground.css?raw'
import STOREFRONT_ALONE from './storefront.css?raw'

export const STOREFRONT = [BASE, LOOK, STOREFRONT_ALONE].join('\n')
export const PLAYGROUND = [BASE, LOOK, PLAYGROUND_ALONE].join('\n')
