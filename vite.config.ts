/** One file builds everything that ships and runs everything that proves it. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import type { BuildEnvironmentOptions, EnvironmentOptions, LibraryOptions, UserConfig } from 'vite'
import type { TestProjectInlineConfiguration, ViteUserConfig } from 'vitest/config'
import type { BrowserProviderOption } from 'vitest/node'
import type { Engine } from './test/support/browsers.ts'
import { browsers } from './test/support/browsers.ts'
import { firefox } from './test/support/browsers/firefox-provider.ts'
import { chromiumOptions } from './test/support/browsers/launch-options.ts'
import { verdict } from './test/support/verdict.ts'
import { webkit } from './test/support/webkit/provider.ts'

/** A bare module name: an npm package, or one of Node's own. */
const PACKAGES = /^[^./\0]/

/** What is built, as environments of one builder. */
const BUILDS: Record<string, EnvironmentOptions> = {
  widget: forBrowsers(
    { index: 'widget/index.ts', define: 'widget/define.ts' },
    {
      outDir: 'widget/dist',
      rolldownOptions: { external: PACKAGES, output: { chunkFileNames: 'chunks/[name]-[hash].js' } },
    },
  ),
  cdn: forBrowsers(
    { 'gateway-checkout': 'widget/define.ts' },
    {
      outDir: 'widget/dist',
      rolldownOptions: { output: { minify: true, chunkFileNames: 'gateway-checkout/[name]-[hash].js' } },
    },
  ),
  classic: forBrowsers(
    { 'gateway-checkout.classic': 'widget/define.ts' },
    { outDir: 'widget/dist', rolldownOptions: { output: { minify: true, codeSplitting: false } } },
    { formats: ['iife'], name: 'GatewayCheckout' },
  ),
  shop: forBrowsers(
    { playground: 'demo/shop/playground.ts' },
    { outDir: 'demo/dist/shop' },
    { cssFileName: 'storefront' },
  ),
  server: forNode('server/dist', {
    index: 'server/index.ts',
    cli: 'server/cli.ts',
    sandbox: 'demo/sandbox/index.ts',
  }),
  demo: forNode('demo/dist', { dev: 'demo/dev.ts' }),
}

/** The public types of each package, by the entries they are read from. */
const DECLARATIONS = {
  'widget/dist/types': [
    'widget/index.ts',
    'widget/define.ts',
    ...['preact', 'react', 'solid', 'svelte', 'vue'].map((name) => `widget/frameworks/${name}.ts`),
  ],
  'server/dist/types': ['server/index.ts', 'demo/sandbox/index.ts'],
}

export default defineConfig(async ({ command }) => (command === 'build' ? building() : await testing()))

function building(): UserConfig {
  return {
    environments: BUILDS,
    builder: {
      async buildApp(builder) {
        for (const folder of ['widget', 'server', 'demo'])
          rmSync(`${folder}/dist`, { recursive: true, force: true })
        for (const name of Object.keys(BUILDS)) {
          const environment = builder.environments[name]
          if (environment) await builder.build(environment)
        }
        for (const [folder, entries] of Object.entries(DECLARATIONS)) declare(folder, entries)
      },
    },
  }
}

function forBrowsers(
  entry: Record<string, string>,
  build: BuildEnvironmentOptions,
  options: Partial<LibraryOptions> = {},
): EnvironmentOptions {
  const lib: LibraryOptions = {
    entry,
    formats: ['es'],
    fileName: (_, name) => `${name}.js`,
    ...options,
  }
  return {
    consumer: 'client',
    build: { target: 'es2022', sourcemap: true, emptyOutDir: false, copyPublicDir: false, ...build, lib },
  }
}

function forNode(outDir: string, input: Record<string, string>): EnvironmentOptions {
  return {
    consumer: 'server',
    build: {
      outDir,
      target: 'node20',
      sourcemap: true,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: {
        input,
        external: PACKAGES,
        preserveEntrySignatures: 'strict',
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  }
}

/** Types are checked by `npm run check`; here they are only written down. */
function declare(outDir: string, entries: string[]): void {
  const project = `node_modules/.cache/declarations/${outDir.replaceAll('/', '-')}.json`
  const root = '../../..'
  mkdirSync('node_modules/.cache/declarations', { recursive: true })
  writeFileSync(
    project,
    JSON.stringify({
      extends: `${root}/tsconfig.json`,
      compilerOptions: {
        noEmit: false,
        noCheck: true,
        declaration: true,
        emitDeclarationOnly: true,
        rewriteRelativeImportExtensions: true,
        rootDir: root,
        outDir: `${root}/${outDir}`,
      },
      include: [],
      files: entries.map((entry) => `${root}/${entry}`),
    }),
  )
  execFileSync('npx', ['tsc', '-p', project], { stdio: 'inherit' })
}

async function testing(): Promise<ViteUserConfig> {
  const found = await browsers()
  const node: TestProjectInlineConfiguration = {
    test: {
      name: 'node',
      include: ['test/**/*.test.{ts,tsx}'],
      exclude: ['test/**/*.browser.test.ts', 'test/e2e/**'],
      // A busy machine is slow, and slow is not wrong.
      testTimeout: 30_000,
    },
  }
  const endToEnd: TestProjectInlineConfiguration = {
    test: {
      name: 'e2e',
      include: ['test/e2e/**/*.test.ts'],
      fileParallelism: false,
      // Browsers and servers of their own: they get the machine to themselves, after everything else.
      sequence: { groupOrder: 1 },
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  }
  const components = [
    inBrowser('chromium', playwright({ launchOptions: chromiumOptions(found.chromium) })),
    inBrowser('firefox', firefox(found.firefox), ['test/support/browsers/firefox-frame.ts']),
    inBrowser('webkit', webkit(found.webkit)),
  ]
  return { test: { projects: [node, ...components, endToEnd], reporters: ['default', verdict] } }
}

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
