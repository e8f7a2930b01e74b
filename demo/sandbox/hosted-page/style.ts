// The style of the hosted page alone; what it shares with the portal is in `../page.css`.

import MESSAGES from './messages.css?raw'
import PAGE from './page.css?raw'
import SCENARIO_BUTTONS from './scenario-buttons.css?raw'

export const STYLE = [PAGE, MESSAGES, SCENARIO_BUTTONS].join('\n')
