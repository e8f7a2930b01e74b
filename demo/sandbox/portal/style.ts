// The style of the portal alone; what it shares with the hosted page is in `../page.css`.

import CARD from './card.css?raw'
import FORM from './form.css?raw'
import LAYOUT from './layout.css?raw'
import LIST from './list.css?raw'

export const STYLE = [LAYOUT, CARD, LIST, FORM].join('\n')
