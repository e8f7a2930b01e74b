import { decodeJwt } from 'jose'
import jsQR from 'jsqr'
import { expect, test } from 'vitest'

import { createTerminal } from '../../support/worlds/terminal.ts'
import { START } from '../../support/worlds/world.ts'

import type { Environment } from '../../../server/config/variables.ts'

const BFF = 'http://127.0.0.1:4020'
const SIGNED: Environment = {
  ORDER_SIGNING_KEY: 'a signing key of 32 bytes or more',
  MERCHANT_NAME: 'Pwani Goods',
}
const SUBJECT = ['--currency', 'KES', '--narration', 'Two kangas']
const TERMS = ['--amount', '1500', ...SUBJECT]
const KNOWN: Environment = {
  ORDERS_URL: 'https://shop.example/orders',
  ORDERS_TOKEN: 'the token of the shop',
}

const link = (env: Environment, ...args: string[]) => createTerminal(env).run(['link', 'A-1', ...args])
const backend = (status: number, body: object = {}) => ({
  fetch: async () => Response.json(body, { status }),
})

/** Reads the QR code as a camera does: two modules in each character, light where the terminal shows its own text. */
function scan(out: string): string | undefined {
  const rows = out.split('\n').filter((line) => /^[ ▀▄█]{20,}$/.test(line))
  const size = rows[0]?.length ?? 0
  const zoom = 4
  const pixels = new Uint8ClampedArray((size * zoom) ** 2 * 4).fill(255)
  for (let at = 0; at < pixels.length; at += 4) {
    const x = (at / 4) % (size * zoom)
    const y = Math.floor(at / 4 / (size * zoom))
    const row = Math.floor(y / zoom)
    const character = rows[Math.floor(row / 2)]?.[Math.floor(x / zoom)] ?? ' '
    const isLight = (row % 2 === 0 ? '▀█' : '▄█').includes(character)
    pixels.fill(isLight ? 255 : 0, at, at + 3)
  }

  return jsQR(pixels, size * zoom, size * zoom)?.data
}

test('a link has the address, its QR code, and a text for a chat', async () => {
  const { code, out } = await link(SIGNED, ...TERMS)
  const [url = ''] = out.split('\n')
  expect({ code, url }).toEqual({ code: 0, url: expect.stringContaining(`${BFF}/pay/ey`) })
  expect(scan(out)).toBe(url)
  expect(out).toContain(`\nPwani Goods: KES 1,500 for Two kangas. Pay here: ${url}\n`)
})

test('a link fits a terminal, and is white on black in one with colours', async () => {
  const { out } = await createTerminal(SIGNED).run(['link', 'A-1', ...TERMS], { isShown: true })
  const rows = out.split('\n').filter((line) => line.includes('█'))
  for (const row of rows) {
    expect(row.replace('\u001b[97;40m', '<').replace('\u001b[0m', '>')).toMatch(/^<[ ▀▄█]{20,80}>$/)
  }

  expect(rows.length).toBeGreaterThan(20)
})

test('a link has an order that is signed for as long as was asked, and otherwise as long as it may be', async () => {
  for (const [args, seconds] of [
    [['--minutes', '90'], 5_400],
    [[], 86_400],
  ] as const) {
    const { out } = await link(SIGNED, ...TERMS, ...args, '--json')
    const { iat = 0, exp = 0, ...claims } = decodeJwt(new URL(JSON.parse(out).url).pathname.slice(5))
    expect(claims).toEqual({
      order: 'A-1',
      amount: '1500',
      currency: 'KES',
      narration: 'Two kangas',
      aud: BFF,
    })
    expect(exp - iat).toBe(seconds)
    expect(iat - START / 1_000).toBeLessThan(60)
  }
})

test('a link has the reference of an order that your backend knows', async () => {
  const order = { order: 'A-1', amount: '1500', currency: 'KES', narration: 'Two kangas' }
  const { out } = await createTerminal(KNOWN).run(['link', 'A-1', '--json'], backend(200, order))
  const url = `${BFF}/pay/A-1`
  expect(JSON.parse(out)).toEqual({ url, text: `KES 1,500 for Two kangas. Pay here: ${url}` })
})

test('a link names no amount where only your server can look the order up, and says so', async () => {
  const { code, out, err } = await createTerminal().run(['link', 'A 1', '--json'])
  expect({ code, text: JSON.parse(out).text }).toEqual({ code: 0, text: `Pay here: ${BFF}/pay/A%201` })
  expect(err).toContain('whether it knows this one was not asked')
})

test.each<[string[], Environment, number, string]>([
  [[], SIGNED, 2, '--amount is required.'],
  [[...SUBJECT, '--amount', 'much'], SIGNED, 2, '--amount must be'],
  [[...SUBJECT, '--amount', '0'], SIGNED, 2, '--amount must be more than zero'],
  [[...SUBJECT, '--amount=-1'], SIGNED, 2, '--amount must be more than zero'],
  [[...TERMS, '--currency', 'kes'], SIGNED, 2, '--currency must be'],
  [[...TERMS, '--narration', ' '], SIGNED, 2, '--narration must'],
  [[...TERMS, '--minutes', '0'], SIGNED, 2, '--minutes must be a whole number from 1 to 1440'],
  [[...TERMS, '--minutes', '1441'], SIGNED, 2, '--minutes must be a whole number from 1 to 1440'],
  [[...SUBJECT, '--amount', '15.5'], SIGNED, 1, 'whole units of KES'],
  [[...SUBJECT, '--amount', '-5'], SIGNED, 2, '--amount has no value: write one with a dash as --amount=-…'],
  [[...TERMS, '--currency', 'UGX'], SIGNED, 1, 'GATEWAY_SERVICE_CODE has no service for UGX'],
  [[...TERMS, '--amount', '2'], SIGNED, 2, '--amount is there more than once'],
  [TERMS, KNOWN, 2, '--amount is for orders to sign, with ORDER_SIGNING_KEY'],
  [TERMS, {}, 2, '--amount is for orders to sign, with ORDER_SIGNING_KEY'],
])('a link is refused by the name of the option and its rule: %j', async (args, env, exitCode, message) => {
  const { code, out, err } = await link(env, ...args)
  expect({ code, out, err }).toEqual({ code: exitCode, out: '', err: expect.stringContaining(message) })
})

test('a link is refused where the amount that your backend answers is 0', async () => {
  const order = { order: 'A-1', amount: '0.00', currency: 'KES', narration: 'Two kangas' }
  const { code, out, err } = await createTerminal(KNOWN).run('link A-1', backend(200, order))
  expect({ code, out }).toEqual({ code: 69, out: '' })
  expect(err).toMatch(/amount .*more than zero/)
})

test.each([
  [404, 1, 'There is no order of this reference.'],
  [409, 1, 'This order can no longer be paid.'],
  [500, 69, 'ORDERS_URL'],
])('a link is refused where your backend answers %d', async (status, exitCode, message) => {
  const { code, out, err } = await createTerminal(KNOWN).run('link A-1', backend(status))
  expect({ code, out, err }).toEqual({ code: exitCode, out: '', err: expect.stringContaining(message) })
})

const OPEN = ['link', '--reusable', ...SUBJECT]
const REUSABLE = [...OPEN, '--amount', '1500']

test('a link that many pay has an address, its QR code, and a text for a chat, whatever the source of orders', async () => {
  for (const env of [SIGNED, { ...KNOWN, MERCHANT_NAME: 'Pwani Goods' }, { MERCHANT_NAME: 'Pwani Goods' }]) {
    const { code, out } = await createTerminal(env).run(REUSABLE)
    const [url = ''] = out.split('\n')
    expect({ code, url }).toEqual({ code: 0, url: expect.stringMatching(`^${BFF}/link/[\\w-]{24}$`) })
    expect(scan(out)).toBe(url)
    expect(out).toContain(`\nPwani Goods: KES 1,500 for Two kangas. Pay here: ${url}\n`)
  }
})

test('a link that many pay has what the options say, and is listed and closed', async () => {
  const terminal = createTerminal()
  const amounts = ['--amount', '500', '--amount', '1000']
  const chosen = await terminal.run([...OPEN, ...amounts, '--max-quantity', '9', '--question', 'Your name'])
  expect(chosen.out).toContain('\nKES 500 or KES 1,000 for Two kangas. Pay here: ')
  const bounds = ['--min-amount', '100', '--max-amount', '5000', '--ends-at', '2026-12-24T18:00:00Z']
  const { out } = await terminal.run([...OPEN, ...bounds, '--json'])
  const { url, text } = JSON.parse(out)
  expect(text).toBe(`KES 100 to KES 5,000 for Two kangas. Pay here: ${url}`)
  const listed = JSON.parse((await terminal.run('links list --json')).out)
  expect(listed).toMatchObject([
    { narration: 'Two kangas' },
    { url, ends_at: '2026-12-24T18:00:00Z', closed_at: null },
  ])
  const api = JSON.parse((await terminal.run('api GET /api/links')).out).items
  expect(api).toMatchObject([
    { amounts: ['500', '1000'], max_quantity: 9, question: 'Your name' },
    { min_amount: '100', max_amount: '5000' },
  ])
  expect(await terminal.run(`links close ${listed[1].id}`)).toMatchObject({
    code: 0,
    out: `Closed: ${url}\n`,
  })
  expect(await terminal.run(`links close ${url}`)).toMatchObject({ code: 0, out: `Closed: ${url}\n` })
  const lines = (await terminal.run('links list')).out.split('\n')
  expect(lines[0]).toMatch(/^[\w-]{24} {2}open {2}Two kangas$/)
  expect(lines[1]).toMatch(/^[\w-]{24} {2}closed 2026-\S+ {2}Two kangas$/)
  expect(await terminal.run('links close none')).toMatchObject({
    code: 1,
    err: expect.stringContaining('No link'),
  })
})

test.each<[string[], number, string]>([
  [['link'], 2, '<order>, or --reusable'],
  [['link', 'A-1', '--reusable', ...TERMS], 2, 'A reusable link has no <order>'],
  [['link', 'A-1', '--question', 'Name'], 2, '--question is for a link with --reusable'],
  [[...REUSABLE, '--minutes', '9'], 2, '--minutes is for orders to sign'],
  [[...REUSABLE, '--amount', '25.000'], 2, '--amount '],
  [[...OPEN, '--amount', '1,500'], 2, '--amount must be a decimal number'],
  [[...OPEN, '--amount', '500, 1000'], 2, '--amount must be a decimal number'],
  [[...REUSABLE, '--min-amount', '1'], 2, '--amount must be there, or both'],
  [[...REUSABLE, '--max-quantity', '0'], 2, '--max-quantity must be at least 1'],
  [[...REUSABLE, '--ends-at', 'tomorrow'], 2, '--ends-at must be ISO 8601'],
  [[...REUSABLE, '--currency', 'UGX'], 1, 'GATEWAY_SERVICE_CODE has no service for UGX'],
])('a link that many pay is refused: %j', async (args, exitCode, message) => {
  const { code, out, err } = await createTerminal().run(args)
  expect({ code, out, err }).toEqual({ code: exitCode, out: '', err: expect.stringContaining(message) })
})
