/** Launch options for Chromium and Firefox, which playwright controls. */

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

/**
 * Returns launch options for an unpatched Firefox, controlled over WebDriver BiDi. Playwright's own protocol requires
 * a patched Firefox.
 */
export function firefoxOptions(executablePath: string): LaunchOptions {
  const firefoxUserPrefs = {
    'ui.primaryPointerCapabilities': FINE_AND_HOVERING,
    'ui.allPointerCapabilities': FINE_AND_HOVERING,
  }
  return { executablePath, channel: 'moz-firefox', firefoxUserPrefs }
}

/**
 * Firefox's bit mask for a mouse: fine pointer (2) plus hover (4). Without this setting, headless Firefox reports no
 * mouse.
 */
const FINE_AND_HOVERING = 6
