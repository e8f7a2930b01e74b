import { chromium, firefox } from 'playwright'
import type { Browser as PlaywrightBrowser } from 'playwright'
import type { Engine } from '../../support/browsers.ts'
import type { Browser } from '../browser.ts'
import { browserPath } from '../../support/browsers.ts'
import { chromiumOptions, firefoxOptions } from '../../support/browsers/launch-options.ts'
import { openWebKit } from './webkit.ts'

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
  const options = chromiumOptions(await browserPath('chromium'))
  // By default, playwright disables the pop-up blocker. Shoppers' browsers block pop-ups.
  const ignoreDefaultArgs = ['--disable-popup-blocking', ...(keepsPages ? [FORGETS_PAGES] : [])]
  return chromium.launch({ ...options, ignoreDefaultArgs })
}

// Playwright starts Chromium with this option, because a page from the back/forward cache has no load event.
const FORGETS_PAGES = '--disable-back-forward-cache'
