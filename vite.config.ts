/** Builds everything that ships. The tests have their own configuration, `test/vitest.config.ts`. */

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, loadConfigFromFile } from 'vite'

import type {
  BuildEnvironmentOptions,
  EnvironmentOptions,
  LibraryOptions,
  Plugin,
  Rolldown,
  UserConfig,
} from 'vite'

/** A bare module name: an npm package, or one of Node's own. Paths begin otherwise, and \0 begins what a plugin makes. */
const PACKAGES = /^[^./\0]/

/** Asks Chromium to compile the whole file while it waits for it. Other browsers ignore the comment. */
const COMPILE_AHEAD = '//# allFunctionsCalledOnLoad'

/** Writes each line break in the element's templates, with its indentation, as one space. Browsers do the same. */
const ONE_LINE_TEMPLATES: Rolldown.Plugin = {
  name: 'one-line-templates',
  transform: {
    filter: { id: /\/widget\/card\// },
    handler: (code) => ({ code: code.replaceAll(/\n +/g, ' '), map: null }),
  },
}

/** The element's second file, as the first file imports it. */
const SECOND_FILE = '../checkout/flow.ts'
const SECOND_FILE_MARK = '?of-second-file'

/**
 * Gives the second file its own copies of the small modules that both files need, so that the second file imports
 * nothing: the first file may have any name. Modules that are downloaded later exist once.
 */
const OWN_MODULES: Plugin = {
  name: 'own-modules',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'cdn',
  async resolveId(source, importer, { kind }) {
    const isFromSecondFile = kind === 'import-statement' && importer?.endsWith(SECOND_FILE_MARK)
    if (!isFromSecondFile && source !== SECOND_FILE) {
      return null
    }

    const resolved = await this.resolve(source, importer, { skipSelf: true })
    return resolved?.id.endsWith('.ts') ? { ...resolved, id: resolved.id + SECOND_FILE_MARK } : resolved
  },
}

/** Makes the second file's second address. Browsers may keep in mind that the first address could not be loaded. */
const AGAIN = '?again'

/** Gives the second address to the second of the two imports of the second file. */
const SECOND_ADDRESS: Rolldown.Plugin = {
  name: 'second-address',
  generateBundle(_, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || !chunk.isEntry) {
        continue
      }

      const [first, second, ...more] = chunk.code.matchAll(/(?<=import\(([`'"])[^`'"]*\/flow-[\w-]+\.js)\1/g)
      if (!first || !second || more.length > 0) {
        throw new Error('There are not two imports of the second file.')
      }

      chunk.code = chunk.code.slice(0, second.index) + AGAIN + chunk.code.slice(second.index)
    }
  },
}

/** The features of the server, each an entry of its own: a server without one does not load it. */
const FEATURES = readdirSync('server/features').map((name) => basename(name, '.ts'))

/** What is built, as environments of one builder. */
const BUILDS: Record<string, EnvironmentOptions> = {
  widget: forBrowsers(
    {
      index: 'widget/index.ts',
      define: 'widget/define.ts',
      words: 'widget/words.ts',
      react: 'widget/frameworks/react.ts',
    },
    {
      outDir: 'widget/dist',
      rolldownOptions: { external: PACKAGES, output: { chunkFileNames: 'chunks/[name]-[hash].js' } },
    },
  ),
  cdn: forBrowsers(
    { 'gateway-checkout': 'widget/define.ts' },
    {
      outDir: 'widget/dist',
      // 36 bits tell the versions of a chunk apart. Hashes do not compress.
      rolldownOptions: forPages(
        {
          chunkFileNames: 'gateway-checkout/[name]-[hash:6].js',
          sourcemapPathTransform: (path) => path.replace(SECOND_FILE_MARK, ''),
        },
        [SECOND_ADDRESS],
      ),
    },
  ),
  classic: forBrowsers(
    { 'gateway-checkout.classic': 'widget/define.ts' },
    { outDir: 'widget/dist', rolldownOptions: forPages({ codeSplitting: false }) },
    { formats: ['iife'], name: 'GatewayCheckout' },
    {
      'import.meta.url':
        '(document.currentScript instanceof HTMLScriptElement?document.currentScript.src:undefined)',
    },
  ),
  all: forBrowsers(
    { 'gateway-checkout.all': 'widget/define.ts' },
    { outDir: 'widget/dist', rolldownOptions: forPages({ codeSplitting: false }) },
  ),
  shop: forBrowsers({ bench: 'demo/shop/bench.ts' }, { outDir: 'demo/dist/shop' }),
  playground: forBrowsers({ playground: 'demo/shop/playground/play.ts' }, { outDir: 'demo/dist/shop' }),
  server: forNode('server/dist', {
    index: 'server/index.ts',
    core: 'server/core.ts',
    ...Object.fromEntries(FEATURES.map((name) => [`features/${name}`, `server/features/${name}.ts`])),
    cli: 'server/cli.ts',
    sandbox: 'demo/sandbox/index.ts',
    testing: 'server/testing.ts',
    'testing/playwright': 'server/testing/playwright.ts',
  }),
  demo: forNode('demo/dist', { dev: 'demo/dev.ts' }),
  create: forNode('demo/create/dist', { create: 'demo/create/create.ts' }),
}

/** The public types of each package, by the entries they are read from. */
const DECLARATIONS = [
  {
    project: 'widget/tsconfig.json',
    outDir: 'widget/dist/types',
    ambient: 'widget/button/css.d.ts',
    entries: [
      'widget/index.ts',
      'widget/define.ts',
      'widget/words.ts',
      ...['preact', 'react', 'solid', 'svelte', 'vue'].map((name) => `widget/frameworks/${name}.ts`),
    ],
  },
  {
    project: 'tsconfig.json',
    outDir: 'server/dist/types',
    ambient: 'server/routes/raw.d.ts',
    entries: [
      'server/index.ts',
      'server/core.ts',
      ...FEATURES.map((name) => `server/features/${name}.ts`),
      'demo/sandbox/index.ts',
      'server/testing.ts',
      'server/testing/playwright.ts',
    ],
  },
]

/** Vitest, too, looks for its configuration in this file. */
export default defineConfig(async (environment) => {
  if (environment.command === 'build') {
    return building()
  }

  const loaded = await loadConfigFromFile(environment, 'test/vitest.config.ts')
  return loaded?.config ?? {}
})

function building(): UserConfig {
  return {
    // Otherwise, JSX that is built where NODE_ENV is not "production" names the folder of its source.
    oxc: { jsx: { development: false } },
    plugins: [OWN_MODULES],
    environments: BUILDS,
    builder: {
      async buildApp(builder) {
        for (const folder of ['widget', 'server', 'demo', 'demo/create']) {
          rmSync(`${folder}/dist`, { recursive: true, force: true })
        }

        for (const folder of ['widget', 'server', 'demo/create']) {
          copyFileSync('LICENSE', `${folder}/LICENSE`)
        }

        writeFileSync('server/SANDBOX.md', sandboxManual())

        const bundle = async () => {
          for (const name of Object.keys(BUILDS)) {
            const environment = builder.environments[name]
            if (environment) {
              await builder.build(environment)
            }
          }

          for (const [name, hash] of Object.entries(pin('widget/dist'))) {
            builder.config.logger.info(`${name} ${hash}`)
          }

          compress('widget/dist')
        }

        const manifest = 'widget/developer/custom-elements-manifest.config.mjs'
        // What is not bundled is written beside it, from the sources, too.
        await Promise.all([
          ...DECLARATIONS.map(declare),
          run('cem', 'analyze', '--config', manifest),
          bundle(),
        ])
      },
    },
  }
}

/** Minified, with all that a page downloads before it draws in one file. */
function forPages(output: Rolldown.OutputOptions, plugins: Rolldown.Plugin[] = []): Rolldown.RolldownOptions {
  return {
    plugins: [ONE_LINE_TEMPLATES, ...plugins],
    optimization: { inlineConst: { mode: 'all' } },
    output: {
      ...output,
      minify: true,
      comments: false,
      postBanner: ({ isEntry, name }) => (isEntry && name !== 'gateway-checkout' ? COMPILE_AHEAD : ''),
    },
  }
}

function forBrowsers(
  entry: Record<string, string>,
  build: BuildEnvironmentOptions,
  library: Partial<LibraryOptions> = {},
  define: Record<string, string> = {},
): EnvironmentOptions {
  const fileName = (_: string, name: string) => `${name}.js`
  const lib: LibraryOptions = { entry, formats: ['es'], fileName, ...library }
  return {
    consumer: 'client',
    define,
    // Lit's development build would otherwise go in wherever NODE_ENV is not "production".
    resolve: { conditions: ['module', 'browser', 'production'] },
    build: {
      target: 'es2022',
      // For older targets `color-scheme` would be polyfilled; without that, older browsers still draw everything.
      cssTarget: 'esnext',
      sourcemap: 'hidden',
      emptyOutDir: false,
      copyPublicDir: false,
      ...build,
      lib,
    },
  }
}

/**
 * Copies each file for pages to a name with its version, which never has other content, and writes `integrity.json`: an
 * import map for a page that lies beside them, with the hash of each such name. Returns the hashes by name.
 */
function pin(folder: string): Record<string, string> {
  const { version }: { version: string } = JSON.parse(readFileSync('widget/package.json', 'utf8'))
  for (const name of readdirSync(folder).filter((each) => /^gateway-checkout\..*js/.test(each))) {
    copyFileSync(`${folder}/${name}`, `${folder}/${name.replace('.', `@${version}.`)}`)
  }

  const pinned = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^gateway-checkout[@/].*\.js$/.test(name))
    .toSorted()
  const integrity = Object.fromEntries(
    pinned.flatMap((name) => {
      const addresses = name.includes('/flow-') ? [`./${name}`, `./${name}${AGAIN}`] : [`./${name}`]
      return addresses.map((address) => [address, hashOf(`${folder}/${name}`)])
    }),
  )
  writeFileSync(`${folder}/integrity.json`, `${JSON.stringify({ integrity }, null, 2)}\n`)
  return integrity
}

/** Compresses the files for pages as far as possible, which would take a server too long for each request. */
function compress(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/^gateway-checkout\b.*\.js$/.test(name)) {
      continue
    }

    const content = readFileSync(`${folder}/${name}`)
    writeFileSync(`${folder}/${name}.br`, brotliCompressSync(content))
    writeFileSync(`${folder}/${name}.gz`, gzipSync(content, { level: 9 }))
  }
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

/**
 * Writes the declarations only, by a project file of its own. This also checks each package with all that it takes from
 * the others; the linter checks each file as a part of its own folder.
 */
async function declare({ project, outDir, ambient, entries }: (typeof DECLARATIONS)[number]): Promise<void> {
  const folder = 'node_modules/.cache/declarations'
  const root = '../../..' // As seen from the folder.
  const derived = `${folder}/${outDir.replaceAll('/', '-')}.json`
  mkdirSync(folder, { recursive: true })
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    rewriteRelativeImportExtensions: true,
    rootDir: root,
    outDir: `${root}/${outDir}`,
  }
  const files = [ambient, ...entries].map((entry) => `${root}/${entry}`)
  writeFileSync(
    derived,
    JSON.stringify({ extends: `${root}/${project}`, compilerOptions, include: [], files }),
  )
  // More checkers would each infer the same types.
  await run('tsc', '-p', derived, '--checkers', '1')
}

/** Runs a program of the development dependencies. */
async function run(name: string, ...args: string[]): Promise<void> {
  const [code] = await once(spawn(`node_modules/.bin/${name}`, args, { stdio: 'inherit' }), 'exit')
  if (code !== 0) {
    throw new Error(`${name} ended with ${code}.`)
  }
}

/** The README of the sandbox, which is part of the package of the server: its links lead from there. */
function sandboxManual(): string {
  const repository = 'https://github.com/gateway-checkout/gateway-checkout/blob/main/'
  return readFileSync('demo/sandbox/README.md', 'utf8')
    .replaceAll('](../../server/', '](')
    .replaceAll('](../../', `](${repository}`)
}
