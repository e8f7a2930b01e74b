/** One file builds everything that ships and runs everything that proves it. */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { playwright } from '@vitest/browser-playwright'
import { minify } from 'terser'
import { minifySync, parseSync, Visitor } from 'vite'
import { defineConfig } from 'vitest/config'
import type { BuildEnvironmentOptions, EnvironmentOptions, LibraryOptions, Rolldown, UserConfig } from 'vite'
import type { TestProjectInlineConfiguration, ViteUserConfig } from 'vitest/config'
import type { BrowserProviderOption } from 'vitest/node'
import type { Engine } from './test/support/browsers.ts'
import { browsers, ENGINES } from './test/support/browsers.ts'
import { firefox } from './test/support/browsers/firefox-provider.ts'
import { chromiumOptions } from './test/support/browsers/launch-options.ts'
import { verdict } from './test/support/verdict.ts'
import { webkit } from './test/support/webkit/provider.ts'

/** A bare module name: an npm package, or one of Node's own. */
const PACKAGES = /^[^./\0]/

/**
 * Names that nobody outside a built file says: what Lit marks as its own (`_$`) or offers to subclasses, and what the
 * element's parts call each other. A name left out costs a few bytes; a public one in here would break a page, and
 * so would one that Lit looks up as text (`elementProperties`, `finalized`).
 */
const INNER_NAMES = new RegExp(
  `^(${[
    '_|_\\$.+|createRenderRoot|creationScope|ctor|elementStyles|enableUpdating|endNode|finalize|finalizeStyles',
    'createProperty|firstUpdated|fromAttribute|getPropertyDescriptor|getPropertyOptions|getUpdateComplete|parts|performUpdate|renderBefore',
    'renderOptions|scheduleUpdate|setConnected|shouldUpdate|startNode|strings|toAttribute|updated|willUpdate|wrapped',
    'clockSkewMs|draft|fields|isDisabled|isFree|isOnline|isUsable|lookAround|openingText|press|problems|reopen',
    'hasUpdated|hostConnected|hostDisconnected|hostUpdate|hostUpdated|isUpdatePending|retryAfterMs|serverNowMs|session|takeUp|trouble',
  ].join('|')})$`,
)

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
      rolldownOptions: forPages({ chunkFileNames: 'gateway-checkout/[name]-[hash].js' }),
    },
  ),
  classic: forBrowsers(
    { 'gateway-checkout.classic': 'widget/define.ts' },
    { outDir: 'widget/dist', rolldownOptions: forPages({ codeSplitting: false }) },
    { formats: ['iife'], name: 'GatewayCheckout' },
    { 'import.meta.url': 'document.currentScript?.src' },
  ),
  all: forBrowsers(
    { 'gateway-checkout.all': 'widget/define.ts' },
    { outDir: 'widget/dist', rolldownOptions: forPages({ codeSplitting: false }) },
  ),
  shop: forBrowsers(
    { bench: 'demo/shop/bench.ts' },
    { outDir: 'demo/dist/shop' },
    { cssFileName: 'storefront' },
  ),
  playground: forBrowsers(
    { playground: 'demo/shop/playground/play.ts' },
    { outDir: 'demo/dist/shop' },
    { cssFileName: 'playground' },
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
        for (const [name, hash] of Object.entries(pin('widget/dist')))
          builder.config.logger.info(`${name} ${hash}`)
        for (const [folder, entries] of Object.entries(DECLARATIONS)) declare(folder, entries)
        execFileSync('npx', ['cem', 'analyze', '--config', 'widget/custom-elements-manifest.config.mjs'])
      },
    },
  }
}

function forBrowsers(
  entry: Record<string, string>,
  build: BuildEnvironmentOptions,
  options: Partial<LibraryOptions> = {},
  define: Record<string, string> = {},
): EnvironmentOptions {
  const lib: LibraryOptions = {
    entry,
    formats: ['es'],
    fileName: (_, name) => `${name}.js`,
    ...options,
  }
  return {
    consumer: 'client',
    define,
    build: { target: 'es2022', sourcemap: 'hidden', emptyOutDir: false, copyPublicDir: false, ...build, lib },
  }
}

/** What a page downloads, as small as it gets. */
function forPages(output: Rolldown.OutputOptions): Rolldown.RolldownOptions {
  return {
    plugins: [closeUpTemplates(), pruneLit()],
    output: { ...output, minify: false, plugins: [shorten()] },
  }
}

/**
 * White space in a template or a style sheet is there for whoever reads the source. Each line end that goes is put
 * back behind the text, where it is only code: so lines keep their numbers, and the source map its truth.
 */
function closeUpTemplates(): Rolldown.Plugin {
  return {
    name: 'close-up-templates',
    transform: {
      filter: { id: /\/widget\/.*\.ts$/ },
      handler(code, id) {
        const texts: { start: number; end: number; isStyle: boolean }[] = []
        new Visitor({
          TaggedTemplateExpression({ tag, quasi }) {
            const isStyle = tag.type === 'Identifier' && tag.name === 'css'
            for (const { start, end } of quasi.quasis) texts.push({ start, end, isStyle })
          },
        }).visit(parseSync(id, code).program)
        let closed = ''
        let done = 0
        for (const { start, end, isStyle } of texts.toSorted((one, other) => one.start - other.start)) {
          const text = code.slice(start, end)
          const short = text.replaceAll(/\s+/g, ' ')
          closed +=
            code.slice(done, start) +
            (isStyle
              ? short
                  .replaceAll(/ ?([{};,]|\b:) /g, '$1')
                  .replaceAll(';}', '}')
                  .replaceAll(/='(\w+)'/g, '=$1')
                  .replaceAll('0.', '.')
              : short.replaceAll('> <', '><'))
          closed += text.replaceAll(/[^\n]/g, '')
          done = end
        }
        return { code: closed + code.slice(done), map: null }
      },
    },
  }
}

/** Of Lit, what no page of ours has: each is a text of its files, and what stands there instead. */
const LEFT_OUT: [text: RegExp, instead: string][] = [
  // Offers to polyfills that no browser of today needs, and a list of versions that nobody reads.
  [/\w+\.(ShadyCSS|\w+(Polyfill|Hydrate)Support)\b/g, 'undefined'],
  [/\(\w+\.\w+Versions\s*\?\?=\s*\[\]\)\.push\(.*?\)/g, 'undefined'],
  // Every browser of the last three years takes a style sheet as an object.
  [/\w+\.ShadowRoot&&\(.*?CSSStyleSheet\.prototype/, 'true'],
  // Decorators.
  [/Symbol\.metadata\?\?=.*?new WeakMap;/, ''],
  [/const (\w)=this\[Symbol\.metadata\];if\(null!==\1\)\{.*?\}/, ''],
  [/void 0!==(\w)\.l&&\(this\.l=\[\.\.\.\1\.l\]\),/, ''],
  [/,this\.constructor\.l\?\.forEach\(\w=>\w\(this\)\)/, ''],
  // Reactive properties: ours are attributes.
  [/if\((this\.finalized=!0,this\._\$Ei\(\)),.*?\}(?=this\.elementStyles)/, '$1;'],
  [/,this\._\$E_\(\)/, ''],
  [/if\((this\.renderRoot\?\?=[^,]*),this\._\$Ep\)\{.*?\}(?=let)/, '$1}'],
  [
    /requestUpdate\((\w),(\w),\w,\w=.*?(?=!1===this)/,
    'requestUpdate($1,$2){if($1){if(Object.is(this[$1],$2))return;this.C($1,$2)}',
  ],
  [
    /C\((\w),(\w),\{.*?\}(?=async)/,
    'C($1,$2){this._$$AL.has($1)||this._$$AL.set($1,this.hasUpdated?$2:void 0)}',
  ],
  [/this\._\$Eq&&=.*?\)\),/, ''],
  // Directives.
  [/(function \w\(\w,(\w),\w=\w,\w\)\{)if\(\2===\w\)return \2;.*?,\2\}/, '$1return $2}'],
  [/,this\._\$Do\?\.setConnected\(!\d\)/g, ''],
  // Templates of SVG and MathML, compiled ones, and what is written inside <style>, <script>, <textarea> or <title>.
  [/\d===\w\?"<\/?svg>":\d===\w\?"<\/?math>":""/g, '""'],
  [/if\((this\.el=[^;]*?),2===\w\|\|3===\w\)\{.*?\}(?=for)/, '$1;'],
  [/"number"==typeof \w\?(this\._\$AC\(\w\)):\(.*?,\w\)/, '$1'],
  [/if\(\w\.test\(\w\.tagName\)\)\{.*?\}\}(?=\}else if\(8)/, ''],
  // Style sheets of several kinds, and what is bound to an element itself or written in a comment.
  [/static finalizeStyles\((\w)\)\{.*?return \w\}/, 'static finalizeStyles($1){return $1}'],
  [/else \w\.startsWith\(\w\)&&\(\w\.push\(\{type:6.*?\}\),\w\.removeAttribute\(\w\)\)/, ''],
  [/:6===\w\.type&&\(\w=new \w\(\w,this,\w\)\)/, ':0'],
  [/(\w\.push\(\{type:2,index:\w\}\));else\{let \w=-1;for\(.*?\.length-1\}/, '$1;'],
]

/** Methods of Lit's classes that nothing of ours calls any more, or ever: those of decorators, properties, directives. */
const UNCALLED = new RegExp(
  `^(${[
    'addInitializer|createProperty|getPropertyDescriptor|getPropertyOptions|observedAttributes|_\\$E_|_\\$Eu',
    'attributeChangedCallback|_\\$AK|_\\$ET|removeController',
    'endNode|parentNode|setConnected|startNode|tagName|_\\$AU',
  ].join('|')})$`,
)

function pruneLit(): Rolldown.Plugin {
  return {
    name: 'prune-lit',
    transform: {
      filter: { id: /\/node_modules\/(@lit|lit-)/ },
      handler(code, id) {
        let left = LEFT_OUT.reduce((rest, [text, instead]) => rest.replace(text, instead), code)
        const uncalled: { start: number; end: number }[] = []
        new Visitor({
          MethodDefinition({ key, start, end }) {
            if (key.type === 'Identifier' && UNCALLED.test(key.name)) uncalled.push({ start, end })
          },
        }).visit(parseSync(id, left).program)
        for (const { start, end } of uncalled.toReversed()) left = left.slice(0, start) + left.slice(end)
        return { code: left, map: null }
      },
    },
  }
}

/** Asks Chromium to compile all of a file off the main thread, while that still waits for it; others read a comment. */
const COMPILE_AHEAD = '//# allFunctionsCalledOnLoad'

/** Inner names by Rolldown's minifier; Terser then finds 200 bytes more in what is left. */
function shorten(): Rolldown.Plugin {
  return {
    name: 'shorten',
    async renderChunk(code, { fileName, isEntry }, { format }) {
      const module = format === 'es'
      const mangleProps = { include: INNER_NAMES }
      const first = minifySync(fileName, code, { module, sourcemap: true, mangleProps })
      const { code: short, map } = await minify(first.code, {
        module,
        ecma: 2020,
        compress: { passes: 3, keep_fargs: false },
        format: { preamble: isEntry ? COMPILE_AHEAD : '' },
        sourceMap: { content: JSON.stringify(first.map) },
      })
      return { code: short ?? first.code, map: typeof map === 'string' ? map : null }
    },
  }
}

/**
 * A copy of each file for pages under a name that will never mean other content, and `integrity.json`: an import map
 * for a page that lies beside them, with the hash of every such name. Moving names have no hash that lasts.
 */
function pin(folder: string): Record<string, string> {
  const { version }: { version: string } = JSON.parse(readFileSync('widget/package.json', 'utf8'))
  for (const name of readdirSync(folder).filter((each) => /^gateway-checkout\..*js/.test(each)))
    copyFileSync(`${folder}/${name}`, `${folder}/${name.replace('.', `@${version}.`)}`)
  const pinned = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^gateway-checkout[@/].*\.js$/.test(name))
    .toSorted()
  const integrity = Object.fromEntries(pinned.map((name) => [`./${name}`, hashOf(`${folder}/${name}`)]))
  writeFileSync(`${folder}/integrity.json`, `${JSON.stringify({ integrity }, null, 2)}\n`)
  return integrity
}

function hashOf(file: string): string {
  return `sha384-${createHash('sha384').update(readFileSync(file)).digest('base64')}`
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
  const components = [
    inBrowser('chromium', playwright({ launchOptions: chromiumOptions(found.chromium) })),
    inBrowser('firefox', firefox(found.firefox), ['test/support/browsers/firefox-frame.ts']),
    inBrowser('webkit', webkit(found.webkit)),
  ]
  return {
    test: { projects: [node, ...components, ...ENGINES.map(endToEnd)], reporters: ['default', verdict] },
  }
}

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
