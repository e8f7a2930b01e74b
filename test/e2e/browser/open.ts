import { chromium, firefox } from 'playwright'
import type { Browser as PlaywrightBrowser } from 'playwright'
import type { Engine } from '../../support/browsers.ts'
import type { Browser } from '../browser.ts'
import { browsers } from '../../support/browsers.ts'
import { chromiumOptions, firefoxOptions } from '../../support/browsers/launch-options.ts'
import { openWebKit } from './webkit.ts'

export async function openBrowser(engine: Engine): Promise<Browser> {
  const paths = await browsers()
  switch (engine) {
    case 'chromium':
      return openChromium()
    case 'firefox':
      return firefox.launch(firefoxOptions(paths.firefox))
    case 'webkit':
      return openWebKit(paths.webkit)
  }
}

/** For what no other driver can do: to be a phone, to prefer the dark, to run no scripts, to look like no click. */
export async function openChromium(): Promise<PlaywrightBrowser> {
  const options = chromiumOptions((await browsers()).chromium)
  // Playwright lets every pop-up through; a shopper's browser does not.
  return chromium.launch({ ...options, ignoreDefaultArgs: ['--disable-popup-blocking'] })
}
