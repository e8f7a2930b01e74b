import { chromium, firefox } from 'playwright'
import type { Browser as PlaywrightBrowser } from 'playwright'
import type { Engine } from '../../support/browsers.ts'
import type { Browser } from '../browser.ts'
import { browsers } from '../../support/browsers.ts'
import { chromiumOptions, firefoxOptions } from '../../support/browsers/launch-options.ts'
import { openWebKit } from './webkit.ts'

/**
 * Opens a browser. `habits.keepsPages` enables Chromium's back/forward cache; it is always enabled in other engines.
 */
export async function openBrowser(engine: Engine, habits = { keepsPages: false }): Promise<Browser> {
  const paths = await browsers()
  switch (engine) {
    case 'chromium':
      return openChromium(habits)
    case 'firefox':
      return firefox.launch(firefoxOptions(paths.firefox))
    case 'webkit':
      return openWebKit(paths.webkit)
  }
}

/** Opens Chromium with playwright's full API, for tests that need device emulation, dark mode or disabled scripts. */
export async function openChromium({ keepsPages } = { keepsPages: false }): Promise<PlaywrightBrowser> {
  const options = chromiumOptions((await browsers()).chromium)
  // Playwright disables the pop-up blocker by default; a shopper's browser has one.
  const ignoreDefaultArgs = ['--disable-popup-blocking', ...(keepsPages ? [FORGETS_PAGES] : [])]
  return chromium.launch({ ...options, ignoreDefaultArgs })
}

/**
 * The option that disables the back/forward cache. Playwright sets it by default, because it waits for a page load,
 * which a cached page does not have.
 */
const FORGETS_PAGES = '--disable-back-forward-cache'
