import { createHmac } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, test } from 'vitest'

import { freePort } from '../support/free-port.ts'
import { posted } from '../support/worlds/sandbox-line.ts'
import { installLanguages, LANGUAGES, OFFICE_LANGUAGES, WEBHOOK_LANGUAGES } from './languages.ts'
import { listenIn, loseFirstResponses, redirectTo, SECRET, signed, tell } from './listeners.ts'
import { createMerchant, runExample } from './merchant.ts'

import type { LanguageName } from './languages.ts'
import type { TestContext } from 'vitest'

const PROCESS_MS = 300_000
const EVENTUALLY = { timeout: 120_000 }
/** An order of the shop in the examples, whose reference cannot be the name of a file. */
const SLASHED = 'INV/2026/0042'
const PHONE = '254700000001'
const PAYER = { payer_name: 'Asha Otieno', payer_email: 'asha@example.com', payer_msisdn: PHONE }

installLanguages()
const merchant = await createMerchant()
afterAll(() => merchant.close(), PROCESS_MS)

describe.concurrent.each(LANGUAGES)('in %s', { timeout: PROCESS_MS }, (language) => {
  test('an order is signed, paid and retrieved', async ({ expect }) => {
    const order = `A-${language}`
    const ask = () => merchant.run(language, 'checkout', [order])
    expect(await ask()).toEqual({ code: 1, out: `${order}: nobody has begun to pay\n`, err: '' })

    const tag = await merchant.run(language, 'order', [order])
    expect(tag).toMatchObject({ code: 0, err: '' })
    const { merchant_transaction_id: transaction, ...view } = await start(tag.out)
    expect(view).toMatchObject({ order, amount: '1500', currency: 'KES' })
    await merchant.control(`/checkouts/${transaction}/pay`, { scenario: 'approve' })
    await expect.poll(async () => (await ask()).code, EVENTUALLY).toBe(0)
    expect(await ask()).toEqual({ code: 0, out: `${order}: paid, 1500 of 1500 KES\n`, err: '' })
    const id: string = view.checkout_id
    const other = await merchant.run(language, 'checkout', [id])
    expect(other).toEqual({ code: 1, out: `${id}: nobody has begun to pay\n`, err: '' })
  })

  test('PUBLIC_URL may end with a slash', async ({ expect }) => {
    const order = `SLASH-${language}`
    const slashed = `${merchant.url}/`
    const tag = await merchant.run(language, 'order', [order], slashed)
    expect(tag).toMatchObject({ code: 0, err: '' })
    expect(await start(tag.out)).toMatchObject({ order, amount: '1500', currency: 'KES' })
    const retrieved = await merchant.run(language, 'checkout', [order], slashed)
    expect(retrieved).toMatchObject({ code: 75, out: `${order}: waiting, 0 of 1500 KES\n` })
  })

  test('a wrong key and a wrong path are failures, since the same command fails again', async ({
    expect,
  }) => {
    const order = `WRONG-${language}`
    const wrongKey = { PUBLIC_URL: merchant.url, MERCHANT_API_KEY: 'the key of another merchant' }
    expect(await runExample(language, 'checkout', [order], wrongKey)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('Send Authorization: Bearer'),
    })
    expect(await merchant.run(language, 'checkout', [order], `${merchant.url}/elsewhere`)).toMatchObject({
      code: 1,
      out: '',
      err: expect.stringContaining('There is no /elsewhere/api'),
    })
  })

  test('a payment server that redirects to another is not believed', async ({ expect, onTestFinished }) => {
    const checkout = {
      order: 'A',
      outcome: 'paid',
      settled: true,
      amount: '1',
      amount_paid: '1',
      currency: 'KES',
    }
    const other = await redirectTo(checkout)
    onTestFinished(other.close)
    const env = { PUBLIC_URL: other.url, MERCHANT_API_KEY: 'a-key' }
    expect(await runExample(language, 'checkout', ['A'], env)).toMatchObject({ code: 75, out: '' })
    expect(other.followed()).toBe(false)
  })

  test.for([
    'http://pay.shop.example',
    'http://127.0.0.1.shop.example',
    'http://localhost:8080@shop.example',
    'ftp://localhost',
  ])('the API key is not sent to %s, without TLS', async (PUBLIC_URL, { expect }) => {
    const refused = await runExample(language, 'checkout', ['A'], { PUBLIC_URL, MERCHANT_API_KEY: 'a-key' })
    expect([0, 75]).not.toContain(refused.code)
    expect(refused.out + refused.err).toContain('PUBLIC_URL has to be https, but for this machine')
  })

  test('a missing variable is named, and an order without an answer ends with 75', async ({ expect }) => {
    const PUBLIC_URL = `http://127.0.0.1:${await freePort()}`
    const unnamed = await runExample(language, 'order', ['A'], { PUBLIC_URL })
    expect([0, 75]).not.toContain(unnamed.code)
    expect(unnamed.out + unnamed.err).toContain('ORDER_SIGNING_KEY')
    expect(unnamed.out).not.toContain('<gateway-checkout')
    const unanswered = await runExample(language, 'checkout', ['A'], {
      PUBLIC_URL,
      MERCHANT_API_KEY: 'a-key',
    })
    expect(unanswered).toMatchObject({
      code: 75,
      out: '',
      err: expect.stringMatching(/not known yet.*run the same command again/i),
    })
  })
})

// What a webhook does with each event is proven by its sequences in `prove/`, and real events arrive in `create/`.
describe.concurrent.each(WEBHOOK_LANGUAGES)('the webhook in %s', { timeout: PROCESS_MS }, (language) => {
  test('the webhook fulfils an order once, also if it ended between event and order, and writes only into its inbox', async (context) => {
    const { expect } = context
    const { url, said, folder } = await open(context, language)
    const deliver = (id: string, payer = 'first', order = SLASHED) =>
      tell(url, signed(id, paid(order, payer)))
    for (const [index, order] of ['../outside', 'a-1042', 'é'.repeat(128)].entries()) {
      expect(await deliver(`evt_unknown_${index}`, 'first', order)).toBe(204)
      await expect.poll(said, EVENTUALLY).toContain(`paid 1500 KES, order unknown: look at ${order}\n`)
    }
    const fulfilments = () => said().split(`fulfil ${SLASHED}: 1500 KES\n`).length - 1
    // The process ended after it had stored this event.
    writeFileSync(join(folder, `inbox-${language}`, 'evt_kept.json'), paid(SLASHED, 'first'))
    expect(await deliver('evt_kept')).toBe(204)
    await expect.poll(fulfilments, EVENTUALLY).toBe(1)
    expect([await deliver('evt_kept'), await deliver('evt_second')]).toEqual([204, 204])
    expect(said()).not.toContain(`paid again: look at ${SLASHED}\n`)
    expect(await deliver('evt_again', 'other')).toBe(204)
    await expect.poll(said, EVENTUALLY).toContain(`paid again: look at ${SLASHED}\n`)
    expect(fulfilments()).toBe(1)
    expect(readdirSync(folder)).toEqual([`inbox-${language}`])
  })

  test('the webhook accepts no signature with a secret that can be guessed', async ({ expect }) => {
    const time = String(Math.floor(Date.now() / 1000))
    const env = { PORT: String(await freePort()), INBOX: merchant.folder, CONTENT_LENGTH: '0' }
    for (const secret of ['', 'whsec_', 'whsec_changeme', `whsec_${Buffer.alloc(23).toString('base64')}`]) {
      const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
      const signature = createHmac('sha256', key).update(`evt_1.${time}.`).digest('base64')
      const ended = await runExample(language, 'webhook', [], {
        ...env,
        HTTP_WEBHOOK_ID: 'evt_1',
        HTTP_WEBHOOK_TIMESTAMP: time,
        HTTP_WEBHOOK_SIGNATURE: `v1,${signature} v1,`,
        MERCHANT_WEBHOOK_SECRET: secret,
      })
      expect(ended.code).not.toBe(0)
      expect(ended.out + ended.err).toContain('MERCHANT_WEBHOOK_SECRET has fewer than 24 bytes')
    }
    expect(existsSync(join(merchant.folder, 'evt_1.json'))).toBe(false)
  })
})

describe.concurrent.each(OFFICE_LANGUAGES)('in %s', { timeout: PROCESS_MS }, (language) => {
  const name = (what: string) => `${what}-${language}`
  const run = (example: string, args: string[], url?: string) => merchant.run(language, example, args, url)

  test('payouts are paid once, although the answer was lost and they were sent again', async ({ expect }) => {
    const line = await loseFirstResponses(merchant.url)
    const wages = name('WAGES')
    const sent = await run('payout-local', [wages, '1500.00', PHONE], line.url)
    expect(sent).toMatchObject({ code: 0, out: `${wages}: succeeded, 1500 KES\n` })
    expect([...line.lost]).toEqual(['/api/payouts'])
    await line.close()
    expect(await run('payout-local', [wages, '1500.00', PHONE])).toEqual({ ...sent, err: '' })
    expect(await merchant.gained(wages)).toEqual({
      'float/ACC-001/KES': '-1512.50',
      'operators/KES': '1500.00',
      'fees/KES': '12.50',
    })
    expect(await run('payout-local', [wages, '1600.00', PHONE])).toMatchObject({ code: 1, out: '' })
  })

  test('payouts go abroad at the quoted rate, and to businesses', async ({ expect }) => {
    const family = name('FAMILY')
    const supplier = name('SUPPLIER')
    const [abroad, business] = await Promise.all([
      run('payout-imt', [family, '2000.00', '256700000001']),
      run('payout-b2b', [supplier, '25000.00', '400200']),
    ])
    expect({ code: abroad.code, err: abroad.err }).toEqual({ code: 0, err: '' })
    const amount = /^FAMILY-\w+: succeeded, (\d+(?:\.\d+)?) UGX\n$/.exec(abroad.out)?.[1]
    const moved = await merchant.gained(family)
    expect(moved).toMatchObject({ 'float/ACC-001/KES': '-2045.00', 'fees/KES': '45.00' })
    expect(Number(moved['operators/UGX'])).toBe(Number(amount))
    expect(business).toEqual({ code: 0, out: `${supplier}: succeeded, 25000 KES\n`, err: '' })
    expect(await merchant.gained(supplier)).toMatchObject({ 'float/ACC-001/KES': '-25030.00' })
  })

  test('airtime goes to everybody in a list, and failed recipients are named', async ({ expect }) => {
    const reference = name('BONUS')
    const path = join(merchant.folder, `${reference}.csv`)
    writeFileSync(path, `${PHONE},100.00\n254700000002,50\n254700009101,20\n`)
    expect(await run('airtime', [reference, path])).toEqual({
      code: 1,
      out: `${reference}: partial, 2 of 3 have it\n150 of 170 sent\n254700009101: failed\n`,
      err: '',
    })
    expect(await merchant.gained(reference)).toEqual({
      'float/ACC-001/KES': '-150.00',
      'operators/KES': '150.00',
    })
  })

  test('a charge is paid, confirmed and shared; one that is not paid is not', async ({ expect }) => {
    const served = name('SERVED')
    const unpaid = name('UNPAID')
    const [charged, failed] = await Promise.all([
      run('charge', [served, '1500.00', PHONE]),
      run('charge', [unpaid, '1500.00', '254700009001']),
    ])
    expect(charged.out).toMatch(
      new RegExp(`^${served}: succeeded, 1500 of 1500 KES\nSUCCESSFUL: (confirmed|decided)\n$`),
    )
    expect({ code: charged.code, err: charged.err }).toEqual({ code: 0, err: '' })
    const shared = {
      'customers/KES': '-1500.00',
      'partner/PARTNER-001/KES': '1000.00',
      'partner/PARTNER-002/KES': '250.50',
      'partner/PARTNER-FEES/KES': '25.00',
      'float/ACC-001/KES': '224.50',
    }
    await expect.poll(() => merchant.gained(served), EVENTUALLY).toEqual(shared)
    expect(failed).toEqual({ code: 1, out: `${unpaid}: failed, 0 of 1500 KES\n`, err: '' })
    expect(await merchant.gained(unpaid)).toEqual({})
  })
})

test(
  'a transfer that was sent is not sent anew at the rate of a later hour',
  { timeout: PROCESS_MS },
  async ({ expect }) => {
    const transfer = (language: (typeof OFFICE_LANGUAGES)[number]) =>
      merchant.run(language, 'payout-imt', [`LATER-${language}`, '2000.00', '256700000001'])
    const sent = await Promise.all(OFFICE_LANGUAGES.map(transfer))
    expect(sent.map(({ code }) => code)).toEqual([0, 0])
    const moved = await merchant.gained('LATER-')
    await merchant.control('/clock/advance', { seconds: 2 * 3600 })
    expect(await Promise.all(OFFICE_LANGUAGES.map(transfer))).toEqual(sent)
    expect(await merchant.gained('LATER-')).toEqual(moved)
  },
)

/** Starts the checkout of the tag that an example has printed. */
async function start(tag: string) {
  const [, order] =
    /^<gateway-checkout order="([\w-]+\.[\w-]+\.[\w-]+)"><\/gateway-checkout>\n$/.exec(tag) ?? []
  const request = posted({ order, ...PAYER }, { accept: 'application/json' })
  return (await fetch(`${merchant.url}/checkout/initiate`, request)).json()
}

/** Starts a webhook with an inbox of its own. It ends with the test. */
async function open({ onTestFinished }: TestContext, language: LanguageName) {
  const folder = mkdtempSync(join(merchant.folder, 'own-'))
  const listener = await listenIn(language, folder, SECRET)
  onTestFinished(listener.close)
  return { ...listener, folder }
}

function paid(order: string, merchant_transaction_id: string, terms = {}): string {
  const data = { order, merchant_transaction_id, amount: '1500', amount_paid: '1500', currency: 'KES' }
  return JSON.stringify({ type: 'checkout.paid', data: { ...data, ...terms } })
}
