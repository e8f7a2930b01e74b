import { resolve } from 'node:path'

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

// Playwright's own protocol requires a patched Firefox, so WebDriver BiDi is used.
export function firefoxOptions(executablePath: string): LaunchOptions {
  const firefoxUserPrefs = {
    // The sandbox of Firefox hides the fonts of the tests otherwise.
    'security.sandbox.content.read_path_whitelist': resolve('node_modules/dejavu-fonts-ttf') + '/',
    'ui.primaryPointerCapabilities': FINE_AND_HOVERING,
    'ui.allPointerCapabilities': FINE_AND_HOVERING,
  }
  return { executablePath, channel: 'moz-firefox', firefoxUserPrefs }
}

// Firefox's bit mask for a mouse: fine pointer (2) plus hover (4). By default, headless Firefox reports no mouse.
const FINE_AND_HOVERING = 6
