// What a shop owner asks the portal.

import { expect, test } from 'vitest'

import { openPortal, readableIn, signedIn } from '../../server/conformance/portal-visitor.ts'
import { HOUR, MINUTE, openMerchant, SECOND } from './merchant.ts'

import type { SandboxOptions } from '../../demo/sandbox/index.ts'
import type { Visitor } from '../../server/conformance/portal-visitor.ts'

/** Opens a shop where one payment failed yesterday, and today one ended in each way. It is 12:00 in Nairobi. */
async function openShop(options: SandboxOptions & Parameters<typeof openMerchant>[0] = {}) {
  const shop = await openMerchant(options)

  const take = async (id: string, scenario: string | null, fields: object = {}) => {
    await shop.begin({ merchant_transaction_id: id, amount: 1500, expires_in: 60, ...fields })
    if (scenario !== null) {
      await shop.pay(scenario, {}, id)
    }
  }

  await take('old-failed', 'insufficient_funds', { amount: 2200, payer_msisdn: '254712345678' })
  await shop.later(24 * HOUR)
  await shop.renewToken()
  await take('paid', 'approve')
  await take('failed', 'wrong_pin')
  await take('silent', 'silent')
  await take('partial', 'partial')
  await take('jammed', 'jam')
  await take('untried', null)
  await take('waiting', 'ignore')
  return { ...shop, visitor: await signedIn(shop.sandbox.app), take }
}

const shop = await openShop()
const { visitor } = shop
const read = async (path: string, from = visitor) => readableIn((await from.open(path)).html)

/** Returns the rows of the table as a reader sees them. */
async function rowsOf(path: string, from = visitor): Promise<string[]> {
  const { html } = await from.open(path)
  return [...html.matchAll(/<tr role="row">(.*?)<\/tr>/gs)].slice(1).map(([row]) => readableIn(row).trim())
}

async function idsOf(path: string, from = visitor) {
  const { html } = await from.open(path)
  return [...html.matchAll(/class="below"><bdi>([^<]*)</g)].map(([, id]) => id)
}

/** Presses the link with the text, and returns what the next page says. */
async function press(text: string, from: Visitor): Promise<string> {
  const links = [...from.page().html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a/gs)]
  const [, href = ''] = links.find(([, , content = '']) => readableIn(content).trim() === text) ?? []
  if (href === '') {
    throw new Error(`There is no link ${text}.`)
  }
  return readableIn((await from.ask(href.replaceAll('&amp;', '&'))).html)
}

const FAILED_YESTERDAY =
  /KES 2,200 Failed 803 Not enough money Asha Otieno \+254 712 345 678 21 Nov 2026, 12:00/

test.each([
  ['the overview', ['Payments failed yesterday']],
  ['the payments', ['Payments', 'Yesterday']],
])('the owner finds the failed payment of yesterday and its reason from %s', async (_, presses) => {
  const owner = await signedIn(shop.sandbox.app)
  await owner.follow()
  let text = ''
  for (const each of presses) {
    text = await press(each, owner)
  }

  expect(text).toMatch(FAILED_YESTERDAY)
  expect(text).not.toContain('Wrong PIN')
})

test.each([
  ['untried', 'Never tried 803'],
  ['waiting', 'Waiting 803 Asked on the phone'],
  ['failed', 'Failed 803 Wrong PIN'],
  ['silent', 'Failed 803 Reason not known'],
  ['partial', 'Partial 802 KES 750 of KES 1,500 received'],
])('%s: the list and the page say "%s"', async (id, says) => {
  const [row] = await rowsOf(`/payments?day=today&q=${id}`)
  expect(row).toMatch(new RegExp(`^KES 1,500 ${says} Asha Otieno \\+254 700 000 001 22 Nov 2026`))
  const page = await read(`/payments/${id}`)
  for (const part of says.split(/(?<=\d{3}) /)) {
    expect(page).toContain(part)
  }
})

test('a checkout that nobody tried to pay has expired, and one whose attempts failed has failed', async () => {
  const { take, later, visitor: late } = await openShop()
  await take('lapsed', null)
  await later(61 * MINUTE)
  expect(await rowsOf('/payments?q=lapsed', late)).toEqual([expect.stringContaining('Nobody tried to pay')])
  expect(await idsOf('/payments?status=Failed&day=today', late)).toEqual(['waiting', 'silent', 'failed'])
  expect(await rowsOf('/payments?q=waiting', late)).toEqual([expect.stringContaining('No answer')])
})

test.each([
  ['today', ['waiting', 'untried', 'jammed', 'partial', 'silent', 'failed', 'paid']],
  ['yesterday', ['old-failed']],
  ['7-days', ['waiting', 'untried', 'jammed', 'partial', 'silent', 'failed', 'paid', 'old-failed']],
  ['tomorrow', []],
])('the payments of %s', async (day, ids) => {
  expect(await idsOf(`/payments?day=${day}`)).toEqual(ids)
})

test('a day begins at midnight of the zone, and a press on it keeps the search', async () => {
  const night = await openMerchant()
  await night.later(11 * HOUR + 59 * MINUTE)
  await night.renewToken()
  await night.begin({ merchant_transaction_id: 'late' })
  await night.later(2 * MINUTE)
  await night.renewToken()
  await night.begin({ merchant_transaction_id: 'early' })
  const owner = await signedIn(night.sandbox.app)
  expect(await read('/payments?day=yesterday&q=late', owner)).toContain('21 Nov 2026, 23:59:00')
  expect(await press('Today', owner)).toContain('Nothing matches the search.')
  expect(await press('All days', owner)).toContain('1–1 of 1')
})

test.each([
  ['Africa/Lagos', 'Lagos (GMT+1)', '10:00:00'],
  ['Asia/Kolkata', '(GMT+5:30)', '14:30:00'],
  ['Nowhere/<b>', 'Nairobi (GMT+3)', '12:00:00'],
  [null, 'Nairobi (GMT+3)', '12:00:00'],
])('a browser that says its zone is %s sees times of %s', async (zone, name, time) => {
  const owner = openPortal(shop.sandbox.app)
  await owner.signIn()
  const cookie = `${owner.cookie()}; ${zone === null ? '' : `portal_zone=${encodeURIComponent(zone)}`}`
  const { html } = await owner.ask('/portal/payments/old-failed', { headers: { cookie } })
  expect(readableIn(html)).toContain(name)
  expect(html).toContain(`<time datetime="2026-11-21T09:00:00.000Z">21 Nov 2026, ${time}</time>`)
})

test.each([
  '0712345678',
  '0712 345 678',
  '+254 712 345678',
  '254712345678',
  '712 345 678',
  '+254 (0)712-345-678',
])('the payer of %s is found', async (typed) => {
  expect(await idsOf(`/payments?q=${encodeURIComponent(typed)}`)).toEqual(['old-failed'])
})

test.each(['2200', '2,200', '2 200', '2200.00', 'KES 2,200', 'kes 2,200.00', '2,200 otieno'])(
  'the amount %s is found',
  async (typed) => {
    expect(await idsOf(`/payments?q=${encodeURIComponent(typed)}`)).toEqual(['old-failed'])
  },
)

test.each(['254', '220', '2,200,000', '22,00'])('%s is no error', async (typed) => {
  expect((await visitor.open(`/payments?q=${encodeURIComponent(typed)}`)).status).toBe(200)
})

test('the overview has the money of today and yesterday, the latest payments, what failed and why, and what is jammed', async () => {
  const text = await read('')
  expect(text).toContain('Received today KES 2,250 Yesterday KES 0 On its way KES 1,500')
  const [, latest = ''] = /Latest payments(.*?)All payments/s.exec(text) ?? []
  expect(latest.match(/KES \d[\d,]*(?= (?:Waiting|Never tried|Jammed|Partial|Failed|Paid))/g)).toHaveLength(5)
  expect(text).toContain('Payments failed today 1 × Reason not known · 1 × Wrong PIN 2')
  expect(text).toContain('Payments failed yesterday 1 × Not enough money 1')
  expect(text).toContain('Payments jammed 1')
  expect(text).not.toMatch(/Deliveries (retried|given)/)
  expect(text).not.toContain('UGX')
})

test.each([
  ['/accounts/ACC-001', /^[+−]KES [\d,.]+ (Checkout paid|Test funds) /],
  ['/deliveries', /^KES [\d,.]+ Checkout (paid|unpaid|partial|jammed) /],
])('each row of %s begins with the amount and what happened', async (path, beginning) => {
  await shop.later(SECOND)
  const rows = await rowsOf(path)
  expect(rows.length).toBeGreaterThan(2)
  expect(rows.filter((row) => !beginning.test(row))).toEqual([])
})

test('the money of yesterday is beside that of today', async () => {
  const next = await openShop()
  await next.later(24 * HOUR)
  const owner = await signedIn(next.sandbox.app)
  expect(await read('', owner)).toContain('Received today KES 0 Yesterday KES 2,250')
})

test('a callback is in trouble from the first refusal until it, or the same bytes again, has arrived', async () => {
  let status = 503
  const down = await openShop({ reply: () => new Response('', { status }) })
  await down.later(SECOND)
  expect(await read('', down.visitor)).toContain('Deliveries retried')
  await down.later(49 * HOUR)
  const owner = await signedIn(down.sandbox.app)
  const count = async () => / Deliveries given up (\d+)/.exec(await read('', owner))?.[1]
  const before = Number(await count())
  status = 200
  const [given] = await down.deliveries('jammed')
  await owner.open(`/deliveries/${given.id}`)
  await owner.send('replay')
  await down.later(SECOND)
  expect(Number(await count())).toBe(before - 1)
  expect(await read(`/deliveries/${given.id}`, owner)).toContain('Sent again')
})
