import { chromium, firefox } from 'playwright'
import type { Browser as PlaywrightBrowser } from 'playwright'
import type { Engine } from '../../support/browsers.ts'
import type { Browser } from '../browser.ts'
import { browsers } from '../../support/browsers.ts'
import { chromiumOptions, firefoxOptions } from '../../support/browsers/launch-options.ts'
import { openWebKit } from './webkit.ts'

/** @param habits whether Chromium keeps pages that are left, as the others do, for the back button */
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

/** For what no other driver can do: to be a phone, to prefer the dark, to run no scripts, to look like no click. */
export async function openChromium({ keepsPages } = { keepsPages: false }): Promise<PlaywrightBrowser> {
  const options = chromiumOptions((await browsers()).chromium)
  // Playwright lets every pop-up through; a shopper's browser does not.
  const ignoreDefaultArgs = ['--disable-popup-blocking', ...(keepsPages ? [FORGETS_PAGES] : [])]
  return chromium.launch({ ...options, ignoreDefaultArgs })
}

/** Playwright's own choice, whose navigations wait for a page that loads. */
const FORGETS_PAGES = '--disable-back-forward-cache'
