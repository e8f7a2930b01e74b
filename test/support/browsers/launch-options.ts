/**
 * Launch options for the engines that playwright drives. With them, Chromium starts even as root, without background
 * requests.
 */

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

/** Returns options for an unpatched Firefox over WebDriver BiDi. Playwright's own protocol needs a patched Firefox. */
export function firefoxOptions(executablePath: string): LaunchOptions {
  const firefoxUserPrefs = {
    'ui.primaryPointerCapabilities': FINE_AND_HOVERING,
    'ui.allPointerCapabilities': FINE_AND_HOVERING,
  }
  return { executablePath, channel: 'moz-firefox', firefoxUserPrefs }
}

/** Firefox's bit mask for a mouse: fine pointer (2) and hover (4). Headless Firefox assumes that there is no mouse. */
const FINE_AND_HOVERING = 6
