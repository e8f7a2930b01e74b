import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'vite'

const CACHE = 'node_modules/.cache/bench'
const FILE = 'widget/dist/gateway-checkout.js'

const PEERS = [
  {
    name: '@paystack/inline-js',
    version: '2.25.0',
    entry: `export { default } from '@paystack/inline-js'`,
  },
  {
    name: '@adyen/adyen-web',
    version: '6.45.2',
    entry: `export { AdyenCheckout, Dropin } from '@adyen/adyen-web'; import '@adyen/adyen-web/styles/adyen.css'`,
  },
  {
    name: 'braintree-web',
    version: '3.144.0',
    entry: `export { default as client } from 'braintree-web/client'
      export { default as fields } from 'braintree-web/hosted-fields'`,
  },
  {
    name: '@stripe/stripe-js',
    version: '10.2.1',
    entry: `export { loadStripe } from '@stripe/stripe-js'`,
    isLoader: true,
  },
  {
    name: '@paypal/paypal-js',
    version: '11.2.0',
    entry: `export { loadScript } from '@paypal/paypal-js'`,
    isLoader: true,
  },
]

const LIT_BUTTON = `
  import { css, html, LitElement } from 'lit'
  class LitButton extends LitElement {
    static properties = { label: {}, disabled: { type: Boolean, reflect: true } }
    static styles = css\`:host { display: block } button { min-height: 44px; font: inherit }\`
    render() {
      return html\`<button ?disabled=\${this.disabled} @click=\${() => this.dispatchEvent(new Event('pay'))}>
        \${this.label ?? 'Pay'}</button>\`
    }
  }
  customElements.define('lit-button', LitButton)`

export interface Contender {
  name: string
  files: string[]
}

export interface Racer extends Contender {
  script: string
  tag: string
  styles: string
}

export function ours(): Racer {
  if (!existsSync(FILE)) throw new Error(`${FILE} is missing: run npm run build first.`)
  const script = readFileSync(FILE, 'utf8')
  return {
    name: '<gateway-checkout>',
    files: [script],
    script,
    tag: '<gateway-checkout order="bench" server="/"></gateway-checkout>',
    styles: 'gateway-checkout:not(:defined) { display: block; min-block-size: 50px }',
  }
}

export async function litButton(): Promise<Racer> {
  const files = await bundle('lit-button', LIT_BUTTON)
  return {
    name: 'bare LitElement button',
    files,
    script: files[0] ?? '',
    tag: '<lit-button></lit-button>',
    styles: 'lit-button:not(:defined) { display: block; min-block-size: 44px }',
  }
}

export async function peers(): Promise<Contender[]> {
  install()
  const contenders: Contender[] = []
  for (const { name, version, entry, isLoader } of PEERS) {
    const files = await bundle(name.replace(/\W+/g, '-'), entry)
    contenders.push({ name: `${name} ${version}${isLoader ? ' (loads the rest)' : ''}`, files })
  }
  return contenders
}

function install(): void {
  const wanted = JSON.stringify({
    private: true,
    dependencies: Object.fromEntries(PEERS.map(({ name, version }) => [name, version])),
  })
  const manifest = `${CACHE}/package.json`
  const installed = `${CACHE}/installed.json`
  if (existsSync(installed) && readFileSync(installed, 'utf8') === wanted) return
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(manifest, wanted)
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: CACHE,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  writeFileSync(installed, wanted)
}

async function bundle(name: string, text: string): Promise<string[]> {
  const entry = resolve(CACHE, `entry-${name}.js`)
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(entry, text)
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: CACHE,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: 'strict',
        output: { codeSplitting: false, minify: true },
      },
    },
  })
  const outputs = Array.isArray(built) ? built : [built]
  return outputs.flatMap((each) => {
    if (!('output' in each)) return []
    return each.output.map((file) => (file.type === 'chunk' ? file.code : String(file.source)))
  })
}
