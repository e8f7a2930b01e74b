/** How every test starts an engine that playwright drives: as root in a container, and without calling home. */

import type { LaunchOptions } from 'playwright'

export function chromiumOptions(executablePath: string): LaunchOptions {
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ]
  return { executablePath, args }
}

/** Firefox as it is shipped, over WebDriver BiDi: playwright's own protocol needs a Firefox that it has patched. */
export function firefoxOptions(executablePath: string): LaunchOptions {
  const firefoxUserPrefs = {
    'ui.primaryPointerCapabilities': FINE_AND_HOVERING,
    'ui.allPointerCapabilities': FINE_AND_HOVERING,
  }
  return { executablePath, channel: 'moz-firefox', firefoxUserPrefs }
}

/** Without a screen Firefox believes that nobody has a mouse; this is how it writes that somebody does. */
const FINE_AND_HOVERING = 6
