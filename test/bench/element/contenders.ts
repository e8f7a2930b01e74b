import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { build } from 'vite'

import { widgetRoutes } from '../../../server/routes/widget-files.ts'

const CACHE = 'node_modules/.cache/bench'

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

export interface Racer {
  title: string
  /** The path of the script. */
  script: string
  /** Serves the script and what it imports, as browsers get them. */
  serve: (path: string) => Response | Promise<Response>
  tag: string
  styles: string
  /** The selector of the button inside the tag, or inside its shadow root. */
  button: string
}

export function ours(): Racer {
  const file = 'widget/dist/gateway-checkout.js'
  if (!existsSync(file)) {
    throw new Error(`${file} is missing: run npm run build first.`)
  }

  const widget = widgetRoutes()
  return {
    title: 'ours',
    button: 'button',
    script: '/gateway-checkout.js',
    serve: (path) =>
      widget.request(path, { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } }, { incoming: {} }),
    tag: '<gateway-checkout order="bench" server="/"></gateway-checkout>',
    styles: 'gateway-checkout:not(:defined) { display: block; min-block-size: 50px }',
  }
}

export async function litButton(): Promise<Racer> {
  const bytes = brotliCompressSync(await bundle(LIT_BUTTON))
  const headers = { 'content-type': 'text/javascript', 'content-encoding': 'br' }
  return {
    title: 'bare Lit',
    button: 'button',
    script: '/lit-button.js',
    serve: () => new Response(bytes, { headers }),
    tag: '<lit-button></lit-button>',
    styles: 'lit-button:not(:defined) { display: block; min-block-size: 44px }',
  }
}

async function bundle(text: string): Promise<string> {
  const entry = resolve(CACHE, 'entry.js')
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
  const [file] = outputs.flatMap((each) => ('output' in each ? each.output : []))
  return file?.type === 'chunk' ? file.code : ''
}
