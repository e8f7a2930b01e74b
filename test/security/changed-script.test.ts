import { generateKeyPairSync } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTerminal } from '../support/terminal.ts'
import { createWorld } from '../support/world.ts'
import { openScriptPages } from '../support/script-page.ts'
import type { Served } from '../support/script-page.ts'

const EVIL = `customElements.define('gateway-checkout', class extends HTMLElement {})`
const { version: VERSION }: { version: string } = JSON.parse(readFileSync('widget/package.json', 'utf8'))
const NAMES = ['gateway-checkout.js', 'gateway-checkout.classic.js', 'gateway-checkout.all.js']

interface Signed {
  integrity: string
  signatures: Record<string, string>
}

async function signScripts(): Promise<Signed> {
  const { run, newPath } = createTerminal()
  const [key, file] = [newPath('pem'), newPath('json')]
  expect(await run(['script', 'keygen', key])).toMatchObject({ code: 0, err: '' })
  expect(await run(['script', 'sign', key, file])).toMatchObject({ code: 0, err: '' })
  return JSON.parse(readFileSync(file, 'utf8'))
}

const environmentOf = (signed: Signed) => ({ SCRIPT_SIGNATURES: JSON.stringify(signed) })

const uncached = ({ body, headers }: Served): Served => {
  headers.set('cache-control', 'no-store')
  return { body, headers }
}

describe('a script that somebody changes on its way to the shopper', () => {
  let pages: Awaited<ReturnType<typeof openScriptPages>>
  beforeAll(async () => {
    pages = await openScriptPages()
  }, 60_000)
  afterAll(() => pages.close())
  beforeEach(() => pages.tamper((script) => script))

  const tag = (name: string, integrity: string) =>
    `<script ${name.includes('classic') ? '' : 'type="module"'} src="${pages.bff}/${name}"
      integrity="${integrity}" crossorigin></script>`

  test.each(NAMES)('is not run by a page that names the key: %s', async (name) => {
    const signed = await signScripts()
    await pages.configure(environmentOf(signed))
    pages.tamper(uncached)
    expect(await pages.runs(tag(name, signed.integrity))).toBe(true)

    const attacker = await signScripts()
    const attacks: Record<string, (headers: Headers) => void> = {
      'a body': () => {},
      'a body without its digest': (headers) => headers.delete('unencoded-digest'),
      'a body without a signature': (headers) =>
        ['signature', 'signature-input'].forEach((each) => headers.delete(each)),
      "the attacker's own key and signature": (headers) => {
        const keyOf = ({ integrity }: Signed) => integrity.slice('ed25519-'.length)
        const input = headers.get('signature-input') ?? ''
        headers.set('signature-input', input.replace(keyOf(signed), keyOf(attacker)))
        headers.set('signature', `script=:${attacker.signatures[name]}:`)
      },
    }
    for (const [what, change] of Object.entries(attacks)) {
      pages.tamper((script) => {
        const { headers } = uncached(script)
        change(headers)
        return { body: EVIL, headers }
      })
      expect([what, await pages.runs(tag(name, signed.integrity))]).toEqual([what, false])
    }
  })

  test('is not run if it is a chunk that an import map pins to the key', async () => {
    const signed = await signScripts()
    await pages.configure(environmentOf(signed))
    const chunk = Object.keys(signed.signatures).find((name) => name.includes('/sw-'))
    const page = `<script type="importmap">
        {"integrity": {"${pages.bff}/${chunk}": "${signed.integrity}"}}
      </script>
      <script type="module">
        import '${pages.bff}/${chunk}'
        customElements.define('gateway-checkout', class extends HTMLElement {})
      </script>`
    pages.tamper(uncached)
    expect(await pages.runs(page)).toBe(true)
    pages.tamper((script) => ({ ...uncached(script), body: 'export default {}' }))
    expect(await pages.runs(page)).toBe(false)
  })

  test('is not run either by a page that names no key, if the signature is served with it', async () => {
    const signed = await signScripts()
    await pages.configure(environmentOf(signed))
    pages.tamper(({ headers }) => ({ body: EVIL, headers }))
    const unnamed = `<script src="${pages.bff}/gateway-checkout.classic.js" crossorigin></script>`
    expect(await pages.runs(unnamed)).toBe(false)
  })

  test.each(['gateway-checkout.js', `gateway-checkout@${VERSION}.js`])(
    'is the only one refused: %s, cached before it was signed or with an older key, is loaded again',
    async (name) => {
      await pages.configure({})
      expect(await pages.runs(`<script type="module" src="${pages.bff}/${name}"></script>`)).toBe(true)
      const [first, second] = [await signScripts(), await signScripts()]
      for (const [signed, integrity] of [
        [first, first.integrity],
        [first, `${first.integrity} ${second.integrity}`],
        [second, `${first.integrity} ${second.integrity}`],
        [second, second.integrity],
      ] as const) {
        await pages.configure(environmentOf(signed))
        expect(await pages.runs(tag(name, integrity))).toBe(true)
      }
      const before = pages.requests()
      expect(await pages.runs(tag(name, second.integrity))).toBe(true)
      expect(pages.requests()).toBe(before)
    },
  )
})

test('a browser that revalidates its cached script gets the signature, too', async () => {
  const signed = await signScripts()
  const { ask } = await createWorld({ env: environmentOf(signed) })
  const { headers } = await ask('/gateway-checkout.js')
  const again = await ask('/gateway-checkout.js', { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
  expect(headers.get('signature')).toBe(`script=:${signed.signatures['gateway-checkout.js']}:`)
  for (const name of ['unencoded-digest', 'signature-input', 'signature'])
    expect(again.headers.get(name)).toBe(headers.get(name))
})

describe('a server', () => {
  const ORDERS = { ORDERS_URL: 'http://127.0.0.1:4030/orders', ORDERS_TOKEN: 'the token of the shop' }

  test.each<[string, (signed: Signed, other: Signed) => Signed, RegExp]>([
    [
      'a signature of another key',
      (signed, other) => ({ ...signed, signatures: other.signatures }),
      /a signature that does not match gateway-checkout\.js\..*script sign/,
    ],
    [
      'a signature of another file',
      ({ integrity, signatures }) => {
        const value = signatures['gateway-checkout.all.js'] ?? ''
        return { integrity, signatures: { ...signatures, 'gateway-checkout.js': value } }
      },
      /a signature that does not match gateway-checkout\.js\./,
    ],
    [
      'no signature of a file',
      ({ integrity, signatures }) => {
        const others = Object.entries(signatures).filter(([name]) => name !== 'gateway-checkout.js')
        return { integrity, signatures: Object.fromEntries(others) }
      },
      /no signature of gateway-checkout\.js\./,
    ],
  ])('does not start with %s', async (_, change, message) => {
    const signed = change(await signScripts(), await signScripts())
    const env = { ...ORDERS, ...environmentOf(signed) }
    const { run } = createTerminal()
    expect(await run('serve', { env })).toMatchObject({ code: 78, err: expect.stringMatching(message) })
    const { out } = await run('check', { env })
    expect(out).toMatch(new RegExp(`✗ scripts: .*${message.source}`))
  })

  test.each([
    ['text', 'signed'],
    ['a key that is no key', { integrity: 'ed25519-AAAA', signatures: {} }],
    ['a signature that is none', { integrity: `ed25519-${'A'.repeat(43)}=`, signatures: { 'a.js': 'x' } }],
  ])('does not start with %s in place of signatures', async (_, content) => {
    const { run, file } = createTerminal()
    const env = { ...ORDERS, SCRIPT_SIGNATURES_FILE: file(content) }
    const { code, err } = await run('serve', { env })
    expect([code, JSON.parse(err).msg]).toEqual([
      78,
      expect.stringContaining('SCRIPT_SIGNATURES must be what "gateway-checkout-server script sign"'),
    ])
  })
})

describe('the private key', () => {
  test('is written for its owner alone, never over another key, and never printed', async () => {
    const { run, newPath } = createTerminal()
    const key = newPath('pem')
    const { out } = await run(['script', 'keygen', key])
    expect(statSync(key).mode & 0o777).toBe(0o600)
    const pem = readFileSync(key, 'utf8')
    const again = await run(['script', 'keygen', key])
    expect(again).toMatchObject({ code: 1, out: '', err: expect.stringContaining('EEXIST') })
    expect(readFileSync(key, 'utf8')).toBe(pem)

    const signatures = newPath('json')
    const signed = await run(['script', 'sign', key, signatures])
    const secret = pem.split('\n')[1] ?? ''
    expect(secret).toHaveLength(64)
    const all = out + again.err + signed.out + signed.err + readFileSync(signatures, 'utf8')
    for (const part of [secret, secret.slice(-24)]) expect(all).not.toContain(part)
  })

  test.each<[string, (pem: string) => string, number]>([
    ['that others can read', (pem) => pem, 0o644],
    ['that the group can read', (pem) => pem, 0o640],
    ['of another algorithm', () => pemOf('x25519'), 0o600],
    ['that is a public key', () => 'ssh-ed25519 AAAA', 0o600],
  ])('is refused if it is one %s', async (_, change, mode) => {
    const { run, newPath } = createTerminal()
    const [key, file] = [newPath('pem'), newPath('json')]
    await run(['script', 'keygen', key])
    writeFileSync(key, change(readFileSync(key, 'utf8')))
    chmodSync(key, mode)
    const { code, out, err } = await run(['script', 'sign', key, file])
    expect([code, out, existsSync(file)]).toEqual([65, '', false])
    expect(err).toMatch(/chmod 600|must contain an Ed25519 private key/)
  })
})

function pemOf(algorithm: 'x25519'): string {
  return generateKeyPairSync(algorithm).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}
