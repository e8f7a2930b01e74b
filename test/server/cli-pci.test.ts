import { readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createPaymentPage, PAGE, SHOP, WIDGET } from '../support/payment-page.ts'

const hashOf = (content: string | Buffer, algorithm = 'sha384') =>
  `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`

describe('the inventory of a payment page', () => {
  test('lists each script with its purpose, its integrity and its authorization', async () => {
    const { inspect, site } = createPaymentPage()
    const { page, scripts, headers, findings } = await inspect()
    expect([page, findings]).toEqual([PAGE, []])
    expect(scripts.map(({ address }) => address)).toEqual([SHOP, WIDGET, 'inline'])
    const [shop, widget] = scripts
    const sha384 = hashOf(site.scripts.get(SHOP) ?? '')
    expect(shop).toEqual({
      address: SHOP,
      sha384,
      integrity: { method: 'comparison with this inventory', value: sha384 },
      justification: null,
      authorization: null,
    })
    expect(widget?.justification).toMatch(/^Shows the payment button .*\(gateway-checkout \d/)
    expect(headers).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "script-src 'self' https://pay.shop.example 'nonce-…'",
      'strict-transport-security': 'max-age=31536000',
    })
  })

  test('is a table for people', async () => {
    const { run } = createPaymentPage()
    const { code, out, err } = await run(PAGE)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^script +integrity by +value +justification +authorization\n/)
    expect(out).toMatch(/\nhttps:\/\/shop\.example\/shop\.js +comparison with this inventory +sha384-/)
    expect(out).toMatch(/\nstrict-transport-security +max-age=31536000\n/)
  })

  test('names what assures the integrity: a hash or key in the tag, an import map, or the policy', async () => {
    const { inspect, site } = createPaymentPage()
    const sha384 = hashOf(site.scripts.get(SHOP) ?? '')
    const inline = 'window.shop = 1'
    const sha256 = hashOf(inline, 'sha256')
    const key = `ed25519-${'A'.repeat(43)}=`
    site.html = `<script type="importmap">{"integrity": {"/imported.js": "${key}"}}</script>
      <script src="shop.js" integrity="${sha384}"></script>
      <script src="/imported.js" type="module"></script>
      <script>${inline}</script>`
    site.scripts.set('https://shop.example/imported.js', 'export default 1')
    site.headers['content-security-policy'] = `script-src 'self' '${sha256}'`
    const { scripts } = await inspect()
    expect(
      scripts.slice(1).map(({ address, integrity: { method, value } }) => [address, method, value]),
    ).toEqual([
      [SHOP, 'subresource integrity', sha384],
      ['https://shop.example/imported.js', 'subresource integrity', key],
      ['inline', 'content security policy', `'${sha256}'`],
    ])
  })

  test('has the scripts that the widget loads later', async () => {
    const { inspect, site } = createPaymentPage()
    const module = 'https://cdn.example/pay/gateway-checkout.js'
    site.html = `<script type="module" src="${module}"></script>`
    site.scripts.set(module, readFileSync('widget/dist/gateway-checkout.js'))
    const { integrity }: { integrity: Record<string, string> } = JSON.parse(
      readFileSync('widget/dist/integrity.json', 'utf8'),
    )
    const chunks = Object.keys(integrity).filter((name) => name.startsWith('./gateway-checkout/'))
    for (const name of chunks)
      site.scripts.set(new URL(name, module).href, readFileSync(`widget/dist/${name.replace('?again', '')}`))
    const { scripts, findings } = await inspect()
    expect(findings).toEqual([])
    const listed = Object.fromEntries(scripts.slice(1).map(({ address, sha384 }) => [address, sha384]))
    expect(listed).toEqual(
      Object.fromEntries(chunks.map((name) => [new URL(name, module).href, integrity[name]])),
    )
  })

  test('is taken of a file, too, whose relative addresses need --url', async () => {
    const { run, file, site } = createPaymentPage()
    const path = file(site.html, 'html')
    const alone = await run(path, '--json')
    expect(alone.code).toBe(1)
    expect(JSON.parse(alone.out).findings).toEqual([
      { kind: 'unreadable', subject: '/shop.js', detail: expect.stringContaining('--url') },
    ])
    const { code, out } = await run(path, '--url', PAGE, '--json')
    expect([code, JSON.parse(out).headers]).toEqual([0, null])
    expect(JSON.parse(out).scripts).toHaveLength(3)
  })
})

describe('an inventory that was stored', () => {
  test('agrees with the same page: exit code 0, whatever its nonces', async () => {
    const { run, authorize, site } = createPaymentPage()
    const inventory = await authorize()
    site.headers['content-security-policy'] = "script-src 'self' https://pay.shop.example 'nonce-2'"
    const { code, out } = await run(PAGE, '--inventory', inventory)
    expect([code, out]).toEqual([0, expect.stringContaining('The page agrees with the inventory.')])
    expect(out).toMatch(/shop\.js .* It shows the basket\. +Asha, 2026-11-21\n/)
  })

  test('keeps what a person wrote, but not the authorization of a script that has changed', async () => {
    const { inspect, authorize, site } = createPaymentPage()
    const inventory = await authorize()
    site.scripts.set(SHOP, 'window.basket = [1]')
    const { scripts } = await inspect('--inventory', inventory)
    expect(scripts.map(({ justification, authorization }) => [justification, authorization])).toEqual([
      ['It shows the basket.', null],
      [expect.stringContaining('payment button'), 'Asha, 2026-11-21'],
      ['It shows the basket.', 'Asha, 2026-11-21'],
    ])
  })

  test('is complete only with a justification and an authorization of each script', async () => {
    const { inspect, file } = createPaymentPage()
    const { findings } = await inspect('--inventory', file(await inspect()))
    expect(findings.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
      `no_justification ${SHOP}`,
      `no_authorization ${SHOP}`,
      `no_authorization ${WIDGET}`,
      'no_justification inline',
      'no_authorization inline',
    ])
  })

  test.each<[unknown, string]>([
    ['no JSON', 'must contain JSON'],
    [{ page: PAGE, headers: null, meta_policies: [] }, 'scripts: '],
    [{ page: PAGE, headers: null, meta_policies: [], scripts: [{ address: 1 }] }, 'scripts.0.address: '],
  ])('is refused if it is %j', async (content, message) => {
    const { run, file } = createPaymentPage()
    const { code, out, err } = await run(PAGE, '--inventory', file(content))
    expect([code, out, err]).toEqual([65, '', expect.stringContaining(message)])
  })
})

test.each<[string, string[], number, RegExp]>([
  ['a file that does not exist', ['/no/such/page.html'], 66, /cannot be read/],
  ['an inventory that does not exist', [PAGE, '--inventory', '/no/such.json'], 66, /cannot be read/],
  ['a page that does not exist', ['https://shop.example/nothing'], 69, /responds with HTTP 404/],
  ['an invalid --url', ['page.html', '--url', 'shop.example'], 2, /absolute http\(s\) URL/],
  ['no page', [], 2, /missing required argument/],
])('%s ends the command', async (_, args, code, message) => {
  expect(await createPaymentPage().run(...args)).toMatchObject({ code, err: expect.stringMatching(message) })
})

test.each([301, 302, 307, 500])('a page that responds with HTTP %i has no inventory', async (status) => {
  const { run, site } = createPaymentPage()
  site.status = status
  expect(await run(PAGE)).toMatchObject({ code: 69, out: '', err: expect.stringContaining(`HTTP ${status}`) })
})
