/** Opens the browsers of the end-to-end tests, each by the browser API; `support/browsers/` finds and installs them. */

import { chromium, firefox } from 'playwright'

import { browserPath, SHELL } from '../../support/browsers/browsers.ts'
import { chromiumOptions, firefoxOptions } from '../../support/browsers/launch-options.ts'
import { openWebKit } from './webdriver-browser.ts'

import type { Engine } from '../../support/browsers/browsers.ts'
import type { Browser } from './browser-api.ts'
import type { Browser as PlaywrightBrowser } from 'playwright'

export async function openBrowser(engine: Engine, habits = { keepsPages: false }): Promise<Browser> {
  switch (engine) {
    case 'chromium':
      return openChromium(habits)
    case 'firefox':
      return firefox.launch(firefoxOptions(await browserPath('firefox')))
    case 'webkit':
      return openWebKit(await browserPath('webkit'))
  }
}

export async function openChromium({ keepsPages } = { keepsPages: false }): Promise<PlaywrightBrowser> {
  // The shell keeps no page that was left. With FULL, the tests run in the browser that shoppers have.
  const isShell = !keepsPages && !process.env.FULL
  const { args = [], ...options } = chromiumOptions(await browserPath(isShell ? SHELL : 'chromium'))
  // By default, playwright disables the pop-up blocker. Shoppers' browsers block pop-ups.
  const ignoreDefaultArgs = ['--disable-popup-blocking', ...(keepsPages ? [FORGETS_PAGES] : [])]
  // What turns while a page waits is drawn sixty times a second, and each drawing is sent to the process that draws.
  const manner = isShell ? ['--force-prefers-reduced-motion', '--in-process-gpu'] : []
  const browser = await chromium.launch({ ...options, args: [...args, ...manner], ignoreDefaultArgs })
  if (isShell) {
    browser.on('context', (context) => void context.addInitScript(completeShell))
  }
  return browser
}

/** Does what the shell lacks. */
function completeShell() {
  // Chromium's pop-up blocker: only a press opens a window.
  const open = window.open.bind(window)
  window.open = (...address) => (navigator.userActivation.isActive ? open(...address) : null)
  // The shell draws less often, and does not notice each time that a page has become idle.
  const whenIdle = window.requestIdleCallback.bind(window)
  window.requestIdleCallback = (run, options) => whenIdle(run, { timeout: 100, ...options })
}

// Playwright starts Chromium with this option, because a page from the back/forward cache has no load event.
const FORGETS_PAGES = '--disable-back-forward-cache'
