import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'vite'
import { renderCheckout } from '../../../server/checkouts/markup.ts'

const CACHE = 'node_modules/.cache/bench'
const FILE = 'widget/dist/gateway-checkout.js'

/** Paystack draws no button: its script serves one of the page. */
const PAYSTACK = `
  import PaystackPop from '@paystack/inline-js'
  const popup = new PaystackPop()
  const button = document.createElement('button')
  button.textContent = 'Pay'
  button.onclick = () => popup.newTransaction({ key: 'pk_test_bench', email: 'asha@example.com', amount: 150000 })
  document.getElementById('peer').append(button)`

/** A method that is chosen beforehand and redirects, as ours does. */
const ADYEN = `
  import { AdyenCheckout, Dropin, Redirect } from '@adyen/adyen-web'
  import '@adyen/adyen-web/styles/adyen.css'
  const checkout = await AdyenCheckout({
    environment: 'test',
    clientKey: 'test_BENCHBENCHBENCHBENCHBENCHBENCHBE',
    countryCode: 'KE',
    locale: 'en-US',
    amount: { value: 150000, currency: 'KES' },
    analytics: { enabled: false },
    paymentMethodsResponse: { paymentMethods: [{ type: 'bench_wallet', name: 'Wallet' }] },
  })
  new Dropin(checkout, { openFirstPaymentMethod: true, paymentMethodComponents: [Redirect] }).mount('#peer')`

const PEERS = [
  { name: '@paystack/inline-js', version: '2.25.0', entry: PAYSTACK, title: 'Paystack', button: 'button' },
  {
    name: '@adyen/adyen-web',
    version: '6.45.2',
    entry: ADYEN,
    title: 'Adyen drop-in',
    button: '.adyen-checkout__button--pay',
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
  title: string
  script: string
  tag: string
  styles: string
  /** The selector of the button inside the tag, or inside its shadow root. */
  button: string
  /** Whether the button is in the page before the script runs. */
  isRendered?: boolean
}

export function ours(): Racer {
  if (!existsSync(FILE)) throw new Error(`${FILE} is missing: run npm run build first.`)
  const script = readFileSync(FILE, 'utf8')
  return {
    name: '<gateway-checkout>',
    title: 'ours',
    button: 'button',
    files: [script],
    script,
    tag: '<gateway-checkout order="bench" server="/"></gateway-checkout>',
    styles: 'gateway-checkout:not(:defined) { display: block; min-block-size: 50px }',
  }
}

/** Our button as a server renders it. */
export function rendered(): Racer {
  const payer = { payerName: 'Asha Mwangi', payerEmail: 'asha@example.com', payerMsisdn: '+254700000001' }
  const tag = renderCheckout('bench', { server: 'http://127.0.0.1', ...payer })
  return { ...ours(), tag, styles: '', isRendered: true }
}

export async function litButton(): Promise<Racer> {
  const files = await bundle('lit-button', LIT_BUTTON)
  return {
    name: 'bare LitElement button',
    title: 'bare Lit',
    button: 'button',
    files,
    script: files[0] ?? '',
    tag: '<lit-button></lit-button>',
    styles: 'lit-button:not(:defined) { display: block; min-block-size: 44px }',
  }
}

/** Returns the public packages to weigh, and those of them that can draw their button without a network. */
export async function peers(): Promise<{ contenders: Contender[]; racers: Racer[] }> {
  install()
  const contenders: Contender[] = []
  const racers: Racer[] = []
  for (const { name, version, entry, isLoader, title, button } of PEERS) {
    const files = await bundle(name.replace(/\W+/g, '-'), entry)
    const contender = { name: `${name} ${version}${isLoader ? ' (loads the rest)' : ''}`, files }
    contenders.push(contender)
    const [script = '', styles = ''] = files
    const tag = '<div id="peer" style="min-height: 50px"></div>'
    if (title) racers.push({ ...contender, title, button, script, styles, tag })
  }
  return { contenders, racers }
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
