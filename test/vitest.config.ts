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
import { runSummary } from './support/run-summary.ts'
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
      // No file changes a global or the state of a module, so files share a worker and what it has imported.
      isolate: false,
      maxWorkers: WORKERS,
      // A loaded machine may be slow without being wrong.
      testTimeout: 30_000,
    },
  }
  const components = [
    overBuiltFile(inBrowser('chromium', playwright({ launchOptions: chromiumOptions(found.chromium) }))),
    inBrowser('firefox', firefox(found.firefox), ['test/support/browsers/firefox-frame.ts']),
    inBrowser('webkit', webkit(found.webkit)),
  ]
  return {
    test: { projects: [node, ...components, ...ENGINES.map(endToEnd)], reporters: ['default', runSummary] },
  }
})

/** On a loaded machine an engine fails now and then; a fault of ours fails twice. The summary names such tests. */
const SECOND_TRY = 1
/** Vitest alone would leave one of two cores to itself. */
const WORKERS = 2
/** Files that test the element's logic and sentences, in which engines do not differ. */
const ONE_ENGINE = ['test/widget/{errors,words}.browser.test.ts']
const isFull = Boolean(process.env.FULL)

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
      exclude: engine === 'chromium' || isFull ? [] : ONE_ENGINE,
      setupFiles,
      maxWorkers: WORKERS,
      css: true,
      // A page that has run hundreds of tests is slow, too.
      testTimeout: 60_000,
      retry: SECOND_TRY,
      provide: { isFull },
      browser: {
        enabled: true,
        headless: true,
        fileParallelism: false,
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

/** The whole checkout, across three origins, in one engine. What engines do not differ in runs in Chromium alone. */
function endToEnd(engine: Engine): TestProjectInlineConfiguration {
  const anyEngine = engine === 'chromium' || isFull ? ['test/e2e/any-engine/*.test.ts'] : []
  return {
    test: {
      name: `e2e-${engine}`,
      include: ['test/e2e/*.test.ts', `test/e2e/${engine}/*.test.ts`, ...anyEngine],
      provide: { engine, isFull },
      // Browsers and servers of their own: they get the machine to themselves, after everything else.
      sequence: { groupOrder: 1 },
      isolate: false,
      maxWorkers: WORKERS,
      testTimeout: 60_000,
      retry: SECOND_TRY,
      hookTimeout: 60_000,
    },
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    engine: Engine
    /** Whether every combination is tried, and not a sample. */
    isFull: boolean
  }
}
