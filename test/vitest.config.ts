/** How the tests run: one project for Node, and for each browser engine one with the element and one end to end. */

import { resolve } from 'node:path'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import type { TestProjectInlineConfiguration } from 'vitest/config'
import type { BrowserProviderOption } from 'vitest/node'
import type { Engine } from './support/browsers.ts'
import { browsers, ENGINES } from './support/browsers.ts'
import { firefox } from './support/browsers/firefox-provider.ts'
import { chromiumOptions } from './support/browsers/launch-options.ts'
import { BUILT_ELEMENT } from './support/build-element.ts'
import { verdict } from './support/verdict.ts'
import { webkit } from './support/webkit/provider.ts'

export default defineConfig(async () => {
  const found = await browsers()
  const node: TestProjectInlineConfiguration = {
    // The server's sources take their words from the sources of the widget, not from the last build.
    resolve: { alias: { 'gateway-checkout/words': resolve('widget/words.ts') } },
    test: {
      name: 'node',
      include: ['test/**/*.test.{ts,tsx}'],
      exclude: ['test/**/*.browser.test.ts', 'test/e2e/**'],
      // A busy machine is slow, and slow is not wrong.
      testTimeout: 30_000,
    },
  }
  const components = [
    overBuiltFile(inBrowser('chromium', playwright({ launchOptions: chromiumOptions(found.chromium) }))),
    inBrowser('firefox', firefox(found.firefox), ['test/support/browsers/firefox-frame.ts']),
    inBrowser('webkit', webkit(found.webkit)),
  ]
  return {
    test: { projects: [node, ...components, ...ENGINES.map(endToEnd)], reporters: ['default', verdict] },
  }
})

/** An engine on a busy machine stumbles now and then; a fault of ours comes twice. The verdict names who needed it. */
const SECOND_TRY = 1

/** The tests of the element itself, in one engine. */
function inBrowser(
  engine: Engine,
  provider: BrowserProviderOption,
  setupFiles: string[] = [],
): TestProjectInlineConfiguration {
  return {
    optimizeDeps: { include: ['lit', 'axe-core', '@vitest/browser/locators'] },
    test: {
      name: engine,
      include: ['test/**/*.browser.test.ts'],
      setupFiles,
      css: true,
      // A page that has run hundreds of tests is slow, too.
      testTimeout: 60_000,
      retry: SECOND_TRY,
      provide: { isFull: Boolean(process.env.FULL) },
      browser: {
        enabled: true,
        headless: true,
        ui: false,
        screenshotFailures: false,
        provider,
        instances: [{ browser: engine }],
      },
    },
  }
}

/** The same tests of the file that pages load, minified and with Lit in it. */
function overBuiltFile(project: TestProjectInlineConfiguration): TestProjectInlineConfiguration {
  const alias = {
    find: /^(\.\.\/)+widget\/(index|define)\.ts$/,
    replacement: resolve(BUILT_ELEMENT, 'gateway-checkout.js'),
  }
  return {
    ...project,
    resolve: { alias: [alias] },
    test: { ...project.test, globalSetup: ['test/support/build-element.ts'] },
  }
}

/** The whole checkout, across three origins, in one engine. */
function endToEnd(engine: Engine): TestProjectInlineConfiguration {
  return {
    test: {
      name: `e2e-${engine}`,
      include: ['test/e2e/*.test.ts', `test/e2e/${engine}/*.test.ts`],
      provide: { engine },
      // Browsers and servers of their own: they get the machine to themselves, after everything else.
      sequence: { groupOrder: 1 },
      maxWorkers: 2,
      testTimeout: 60_000,
      retry: SECOND_TRY,
      hookTimeout: 60_000,
    },
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    engine: Engine
    /** Whether everything is tried, and not only a slice. */
    isFull: boolean
  }
}
