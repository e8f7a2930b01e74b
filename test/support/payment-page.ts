import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import type { Fetch, FetchAnswer } from '../../server/exchange.ts'
import { createTerminal } from './terminal.ts'

export const PAGE = 'https://shop.example/checkout'
export const WIDGET = 'https://pay.shop.example/gateway-checkout.all.js'
export const SHOP = 'https://shop.example/shop.js'

interface Site {
  status: number
  html: string | Buffer
  headers: Record<string, string>
  scripts: Map<string, string | Buffer>
}

interface InventoryFile {
  page: string
  headers: Record<string, string> | null
  scripts: {
    address: string
    sha384: string | null
    integrity: { method: string; value: string | null }
    justification: string | null
    authorization: string | null
  }[]
  findings: { kind: string; subject: string; detail: string }[]
}

const HTML = `<!doctype html>
<html>
  <head>
    <script src="/shop.js" defer></script>
    <script type="module" src="${WIDGET}"></script>
    <script type="application/json">{"order": "changes with each shopper"}</script>
  </head>
  <body>
    <gateway-checkout order="A-1"></gateway-checkout>
    <script>window.shop = 1</script>
  </body>
</html>`

/** Creates a payment page on a simulated network, and a terminal whose commands retrieve this page. */
export function createPaymentPage() {
  const terminal = createTerminal()
  const requested: string[] = []
  const site: Site = {
    status: 200,
    html: HTML,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "script-src 'self' https://pay.shop.example 'nonce-1'",
      'strict-transport-security': 'max-age=31536000',
      'set-cookie': 'a=b',
    },
    scripts: new Map<string, string | Buffer>([
      [SHOP, 'window.basket = []'],
      [WIDGET, readFileSync('widget/dist/gateway-checkout.all.js')],
    ]),
  }

  const fetch: Fetch = (url) => {
    requested.push(url)
    const script = site.scripts.get(url)
    if (url === PAGE) return answer(site.html, site.status, site.headers)
    return script === undefined ? answer('Not found', 404) : answer(script)
  }

  const run = (...args: string[]) => terminal.run(['pci', ...args], { fetch })

  async function inspect(...args: string[]): Promise<InventoryFile> {
    const { out, err } = await run(PAGE, '--json', ...args)
    if (err !== '') throw new Error(err)
    return JSON.parse(out)
  }

  /** Resolves with the path of an inventory in which a person has authorized every script. */
  async function authorize(): Promise<string> {
    const inventory = await inspect()
    const scripts = inventory.scripts.map((script) => ({
      ...script,
      justification: script.justification ?? 'It shows the basket.',
      authorization: 'Asha, 2026-11-21',
    }))
    return terminal.file({ ...inventory, scripts })
  }

  return { ...terminal, site, requested, run, inspect, authorize }
}

function answer(body: string | Buffer, status = 200, headers: Record<string, string> = {}): FetchAnswer {
  return { status, headers: new Headers(headers), body: Readable.from([Buffer.from(body)]) }
}
