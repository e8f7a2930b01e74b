import { playwright } from '@vitest/browser-playwright'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

import { browserPath, ENGINES, SHELL } from './support/browsers/browsers.ts'
import { BUILT_ELEMENT } from './support/browsers/build-element.ts'
import { firefox } from './support/browsers/firefox-provider.ts'
import { chromiumOptions } from './support/browsers/launch-options.ts'
import { webkit } from './support/browsers/webkit/provider.ts'
import { LongFirst } from './support/long-first.ts'

import type { Engine } from './support/browsers/browsers.ts'
import type { TestProjectInlineConfiguration } from 'vitest/config'
import type { BrowserProviderOption } from 'vitest/node'

/** Without FULL, everything in a browser runs once, in Chromium, and no other browser is installed. */
const isFull = Boolean(process.env.FULL)
// More than the two cores of a small machine: most files wait for a browser, a server or another process.
const WORKERS = 3

// Every browser that the tests start inherits it.
process.env.FONTCONFIG_FILE = resolve('test/support/browsers/fonts.conf')

export default defineConfig(async () => {
  const node: TestProjectInlineConfiguration = {
    // The server imports the widget's words from the sources, not from the last build.
    resolve: { alias: { 'gateway-checkout/words': resolve('widget/words.ts') } },
    test: {
      name: 'node',
      include: ['test/**/*.test.{ts,tsx}'],
      exclude: ['test/**/*.browser.test.ts'],
      setupFiles: ['test/support/properties.ts'],
      // In Chromium, the end-to-end tests run between the others, and fill their waiting.
      provide: { engine: 'chromium', isFull },
      // No test changes globals or module state, so files share a worker and its loaded modules.
      isolate: false,
      maxWorkers: WORKERS,
      // Otherwise, Vitest makes each style sheet an empty text.
      css: true,
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  }
  // They are installed here, once: every worker inherits their paths.
  const chromium = await browserPath('chromium')
  const launchOptions = chromiumOptions(isFull ? chromium : await browserPath(SHELL))
  const components = [overBuiltFile(inBrowser('chromium', playwright({ launchOptions })))]
  if (isFull) {
    const frame = ['test/support/browsers/firefox-frame.ts']
    components.push(inBrowser('firefox', firefox(await browserPath('firefox')), frame))
    components.push(inBrowser('webkit', webkit(await browserPath('webkit'))))
  }

  const others = ENGINES.filter((engine) => isFull && engine !== 'chromium')
  return {
    test: {
      sequence: { sequencer: LongFirst },
      projects: [node, ...components, ...others.map(endToEnd)],
    },
  }
})

function inBrowser(
  engine: Engine,
  provider: BrowserProviderOption,
  setupFiles: string[] = [],
): TestProjectInlineConfiguration {
  return {
    optimizeDeps: {
      include: [
        'lit',
        'lean-qr/nano',
        'jsqr',
        'axe-core',
        'dom-accessibility-api',
        '@vitest/browser/locators',
      ],
    },
    test: {
      name: engine,
      include: ['test/**/*.browser.test.ts'],
      setupFiles,
      maxWorkers: WORKERS,
      css: true,
      // A page becomes slow after hundreds of tests.
      testTimeout: 60_000,
      provide: { isFull, renewsTranscripts: process.env.TRANSCRIPTS === 'renew' },
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

function overBuiltFile(project: TestProjectInlineConfiguration): TestProjectInlineConfiguration {
  const alias = {
    find: /^(\.\.\/)+widget\/(index|define)\.ts$/,
    replacement: resolve(BUILT_ELEMENT, 'gateway-checkout.js'),
  }
  return {
    ...project,
    resolve: { alias: [alias] },
    test: { ...project.test, globalSetup: ['test/support/browsers/build-element.ts'] },
  }
}

function endToEnd(engine: Engine): TestProjectInlineConfiguration {
  return {
    test: {
      name: `e2e-${engine}`,
      include: ['test/e2e/*.test.ts', `test/e2e/${engine}/*.test.ts`],
      provide: { engine, isFull },
      // One engine at a time.
      sequence: { groupOrder: ENGINES.indexOf(engine) },
      isolate: false,
      maxWorkers: WORKERS,
      css: true,
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    engine: Engine
    isFull: boolean
    renewsTranscripts: boolean
  }
}
