import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const TIMEOUT_MS = 600_000
// The type check of templates needs a TypeScript of its own: 60 MB that no other test uses.
const isFull = Boolean(process.env.FULL)

const folder = mkdtempSync(join(tmpdir(), 'templates-'))
beforeAll(async () => {
  if (!isFull) return
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  const packages = ['vue@3.5.45', 'vue-tsc@3.3.14', 'typescript@5.9.3', 'lit@3.3.3']
  await run('npm', ['install', '--ignore-scripts', '--no-audit', ...packages], { cwd: folder })
  symlinkSync(resolve('widget'), join(folder, 'node_modules/gateway-checkout'))
}, TIMEOUT_MS)
afterAll(() => rmSync(folder, { recursive: true }))

test.runIf(isFull).each([
  ['bound', '<gateway-checkout :server="pay"', '/>'],
  ['after the events', '<gateway-checkout', 'server="https://pay.shop.example" />'],
  [
    'after the events, a tag with content',
    '<gateway-checkout',
    'server="https://pay.shop.example"><p>Pay</p></gateway-checkout>',
  ],
])(
  'in a template of Vue with the server %s, attributes and events are typed',
  { timeout: TIMEOUT_MS },
  async (_, before, after) => {
    const right = [
      'order="A-1" required',
      '@checkout-error="({ detail }) => detail.code"',
      '@checkout-paid="fulfil"',
    ]
    const wrong = [
      ':order="1"',
      'launch="pop-up"',
      'reference="A-1"',
      '@checkout-open="fulfil"',
      '@checkout-payed="fulfil"',
      '@checkout-error="({ detail }) => detail.outcome"',
    ]
    const tags = [...right, ...wrong].map((attributes) => `${before} ${attributes} ${after}`)
    const lines = await linesWithErrors(tags)
    expect(lines).toEqual(wrong.map((attributes) => `${before} ${attributes} ${after}`))
  },
)

/** Returns the tags in which the type check finds an error. */
async function linesWithErrors(tags: readonly string[]): Promise<string[]> {
  const source = [...SCRIPT, '<template>', ...tags, '</template>']
  const project = mkdtempSync(join(folder, 'project-'))
  writeFileSync(join(project, 'Basket.vue'), source.join('\n'))
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  const { stdout } = await run(join(folder, 'node_modules/.bin/vue-tsc'), ['-p', project], {
    cwd: project,
  }).catch((error: { stdout: string }) => error)
  const found = [...stdout.matchAll(/^Basket\.vue\((\d+),/gm)].map(([, line]) => source[Number(line) - 1])
  return [...new Set(found)].map(String)
}

const SCRIPT = [
  '<script setup lang="ts">',
  `import type { CheckoutEvent } from 'gateway-checkout'`,
  `import type {} from 'gateway-checkout/vue'`,
  `const pay = 'https://pay.shop.example'`,
  'const fulfil = ({ detail }: CheckoutEvent) => detail.order',
  '</script>',
]

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    module: 'ESNext',
    moduleResolution: 'bundler',
    target: 'ES2022',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    noEmit: true,
    types: [],
  },
  vueCompilerOptions: { strictTemplates: true },
  include: ['Basket.vue'],
}
