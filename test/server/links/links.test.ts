import { expect, test } from 'vitest'

import { readConfig } from '../../../server/config/config.ts'
import { createApp } from '../../../server/every-feature.ts'
import { checkouts } from '../../../server/features/checkouts.ts'
import { signOrder } from '../../../server/index.ts'
import { silentLog } from '../../../server/log/log.ts'
import { LANGUAGES } from '../../../widget/words.ts'
import { sharedPostgres } from '../../support/postgres.ts'
import { createApiWorld } from '../../support/worlds/api-world.ts'
import { createChargeWorld, createToldGateway, paying } from '../../support/worlds/charge-world.ts'
import { API_KEY, BFF, ENVIRONMENT, SHOP } from '../../support/worlds/environment.ts'
import { foundIn, keepInPostgres, keepInSqlite } from '../../support/worlds/kept-store.ts'
import { DAY, HOUR, MINUTE } from '../../support/worlds/observed.ts'
import { posted } from '../../support/worlds/sandbox-line.ts'
import { runHere } from '../../support/worlds/terminal.ts'
import { formOf, START } from '../../support/worlds/world.ts'

import type { World } from '../../support/worlds/world.ts'

type ApiWorld = Awaited<ReturnType<typeof createApiWorld>>

const TERMS = { narration: 'Entrance', currency: 'KES', amounts: ['1500'] }
const ASKING = { ...TERMS, question: 'Name on the ticket' }
const HTML = { accept: 'text/html' }
const KEY = 'a signing key of 32 bytes or more'

async function openLink(terms: object = TERMS, options: Parameters<typeof createApiWorld>[0] = {}) {
  const world = await createApiWorld(options)
  const { status, body } = await world.post('/links', terms)
  expect(status).toBe(201)
  return { world, id: body.id as string, path: new URL(body.url).pathname }
}

/** Opens the page of a link. Resolves with the name of the order that it carries. */
async function open(world: Pick<World, 'ask'>, path: string) {
  const answer = await world.ask(path, { headers: HTML })
  return { answer, ...(await readPage(answer)) }
}

async function readPage(answer: Response) {
  const page = (await answer.text()).replaceAll('\u00A0', ' ')
  const [, name = ''] = /name="order" value="([^"]+)"/.exec(page) ?? []
  return { page, name }
}

async function press(
  world: Pick<World, 'ask'>,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { origin: BFF },
) {
  const answer = await world.ask(`${path}/press`, {
    method: 'POST',
    headers: { ...HTML, ...headers },
    body: new URLSearchParams(fields),
  })
  return { status: answer.status, location: answer.headers.get('location') ?? '', answer }
}

/** Presses a fresh page. Resolves with the reference of the new order. */
async function order(world: Pick<World, 'ask'>, path: string, fields: Record<string, string> = {}) {
  const { name } = await open(world, path)
  const { status, location } = await press(world, path, { order: name, ...fields })
  expect({ status, location }).toEqual({ status: 303, location: `${BFF}/pay/${name}` })
  return name
}

async function pay(world: ApiWorld, reference: string) {
  await world.pay(await world.start(reference), 'approve')
  await world.later(5_000)
}

const pageOf = async (world: Pick<World, 'ask'>, reference: string) =>
  (await (await world.ask(`/pay/${reference}`, { headers: HTML })).text()).replaceAll('\u00A0', ' ')

test.each(LANGUAGES)('the page of a link asks for a quantity in words: %s', async (lang) => {
  const { world, path } = await openLink({ ...TERMS, max_quantity: 10 })
  const answer = await world.ask(path, { headers: { ...HTML, 'accept-language': lang } })
  expect(await answer.text()).toMatch(/<label>\p{L}[\p{L} ]+ \(1–10\)/u)
})

test.each(['.', ',', ')', '*', '!', '>', '”', '\u200b', '.)', '?', '?utm_source=chat', '/'])(
  'the address of a link as a chat hands it on, with %j behind it, is that of the link',
  async (end) => {
    const { world, path } = await openLink()
    const { answer, name } = await open(world, path + encodeURI(end))
    expect(answer.status).toBe(200)
    expect(await press(world, path, { order: name })).toMatchObject({ status: 303 })
  },
)

test.each([
  ['en', 'Amount', 'Continue'],
  ['ar', 'المبلغ', 'متابعة'],
  ['fr', 'Montant', 'Continuer'],
  ['pt', 'Valor', 'Continuar'],
  ['sw', 'Kiasi', 'Endelea'],
])('the page of a link names the amount that it asks for, and leads on: %s', async (lang, word, next) => {
  const headers = { ...HTML, 'accept-language': lang }
  const choice = await openLink({ ...TERMS, amounts: ['500', '1000'] })
  const choices = await (await choice.world.ask(choice.path, { headers })).text()
  expect(choices).toContain(`<legend>${word}</legend>`)
  expect(choices).toContain(`<button>${next}</button>`)

  const { amounts: _, ...free } = TERMS
  const bounded = await openLink({ ...free, min_amount: '100', max_amount: '50000' })
  expect(await (await bounded.world.ask(bounded.path, { headers })).text()).toContain(`<label>${word} (`)
})

test.each(['１５００', '١٥٠٠', '१५००', ' 1500 '])(
  'a payer may type an amount in the digits of any script: %s',
  async (amount) => {
    const { amounts: _, ...free } = TERMS
    const { world, path } = await openLink({ ...free, min_amount: '100', max_amount: '50000' })
    const name = await order(world, path, { amount })
    expect(await pageOf(world, name)).toContain('<p class="amount">KES 1,500</p>')
    expect(await press(world, path, { order: name, amount: '1500' })).toMatchObject({ status: 303 })
  },
)

test('a label of a link has its amounts in one piece', async () => {
  const { world, path } = await openLink({ ...FREE_GIFT, min_amount: '100', max_amount: '50000' })
  const page = await (await world.ask(path, { headers: HTML })).text()
  expect(page).toContain('(KES\u00A0100 – KES\u00A050,000)')
})

const FREE_GIFT = { narration: 'A gift', currency: 'KES' }

test("a merchant's words have the direction of their own script", async () => {
  const { world, path } = await openLink(ASKING)
  const { page } = await open(world, path)
  expect(page).toContain('<h1 dir="auto">Entrance</h1>')
  expect(page).toMatch(/<label dir="auto">Name on the ticket<input [^>]*dir="auto"/)
})

test('a link gives each payer an order and a receipt of their own, and the merchant is told of each', async () => {
  const { world, path } = await openLink()
  const references = [await order(world, path), await order(world, path), await order(world, path)]
  for (const reference of references) {
    expect(reference).toMatch(/^link-[0-9a-f]{40}$/)
    expect(await pageOf(world, reference)).toContain('<p class="amount">KES 1,500</p>')
    await pay(world, reference)
  }

  const pages = await Promise.all(references.map((reference) => pageOf(world, reference)))
  const receipts = pages.map((page) => /<code[^>]*><bdi>([^<]+)<\/bdi>/.exec(page)?.[1])
  expect(new Set(receipts).size).toBe(3)
  await world.later(HOUR)
  expect(world.delivered.map(({ type, data }) => [type, data.order, data.amount])).toEqual(
    references.map((reference) => ['checkout.paid', reference, '1500']),
  )
})

test('an order of a link that was paid in part is completed by its payer, in as many parts as it takes', async () => {
  const { world, path } = await openLink()
  const name = await order(world, path)
  await world.pay(await world.start(name), 'partial', { amount: '500' })
  expect(await world.start(name)).toMatchObject({ attempt: 1, amount: '1500' })
  await world.later(2 * HOUR)
  expect(await pageOf(world, name)).toContain('<p class="amount">KES 1,000</p>')

  const second = await world.start(name)
  expect(second).toMatchObject({ attempt: 2, amount: '1000', outcome: 'waiting' })
  expect(await world.start(name)).toMatchObject({ checkout_id: second.checkout_id })
  await world.pay(second, 'partial', { amount: '300' })
  await world.later(2 * HOUR)

  const third = await world.start(name)
  expect(third).toMatchObject({ attempt: 3, amount: '700' })
  await world.pay(third, 'approve')
  await world.later(HOUR)
  expect(await world.start(name)).toMatchObject({ attempt: 3, outcome: 'paid', amount_paid: '700' })
  const told = world.delivered.map(({ type, data }) => [type, data.order, data.amount_paid])
  expect(told.at(-1)).toEqual(['checkout.paid', name, '700'])
})

test.each([
  ['was completed late', 801, 700, { outcome: 'paid', attempt: 1 }],
  ['went back', 841, 705, { code: 'order_not_payable' }],
])('an order of a link asks for nothing more once its part %s', async (_, status, payment_status, answer) => {
  const { world, path } = await openLink()
  const name = await order(world, path)
  await world.pay(await world.start(name), 'partial', { amount: '500' })
  await world.later(2 * HOUR)
  world.alterAnswers((text) => {
    const body = JSON.parse(text)
    const payments = body.payments?.map((each: object) => ({ ...each, payment_status, amount: '1500' }))
    return payments ? JSON.stringify({ ...body, status, amount: '1500', payments }) : text
  })
  await world.later(8 * HOUR)
  expect(await (await world.initiate(name)).json()).toMatchObject(answer)
})

test('an order of a link does not ask for the rest while its part is being refunded', async () => {
  const told = createToldGateway()
  const env = { GATEWAY_CHARGE_METHODS: 'MOMO_KEN=MoMo:25470' }
  const world = await createChargeWorld({ env, gateway: told.answer })
  const made = await (await world.api('/links', TERMS)).json()
  const name = await order(world, new URL(made.url).pathname)
  const { merchant_transaction_id: reference } = await world.start(name, { method: 'prompt' })
  told.says(802, [paying(700, '600', 'T1')], reference)
  await world.later(5 * MINUTE)
  await world.acknowledge('FAILED', reference)
  expect(await world.start(name, { method: 'prompt' })).toMatchObject({ attempt: 1, outcome: 'partial' })
})

test('a link makes one order of one page, however often and at once it is pressed', async () => {
  const { world, path } = await openLink({ ...TERMS, amounts: ['500', '1000'] })
  const { name } = await open(world, path)
  const pressed = await Promise.all(
    ['500', '500.00', '500'].map((amount) => press(world, path, { order: name, amount })),
  )
  expect(pressed.map(({ location }) => location)).toEqual(Array(3).fill(`${BFF}/pay/${name}`))
  const shown = await pageOf(world, name)
  await pay(world, name)
  const again = await press(world, path, { order: name, amount: '500' })
  expect(again.location).toBe(`${BFF}/pay/${name}`)
  expect(await pageOf(world, name)).toMatch(/class="paid"/)
  expect(await pageOf(world, name.toUpperCase())).toMatch(/class="paid"/)
  expect(shown).toMatch(/KES 500</)
  expect(await world.rows()).toHaveLength(1)
})

test.each<[string, Record<string, string>]>([
  ['another amount', { amount: '1000', quantity: '2', answer: 'Asha' }],
  ['another quantity', { amount: '500', quantity: '3', answer: 'Asha' }],
  ['another answer', { amount: '500', quantity: '2', answer: 'Mallory' }],
])('a link makes no order of a page on which something else was chosen before: %s', async (_, fields) => {
  const { world, path } = await openLink({ ...ASKING, amounts: ['500', '1000'], max_quantity: 5 })
  const name = await order(world, path, { amount: '500', quantity: '2', answer: 'Asha' })
  const { status, answer } = await press(world, path, { order: name, ...fields })
  const again = await readPage(answer)
  expect(status).toBe(409)
  expect(again.page).toContain('<p class="wrong">Something else was chosen on this page before.')
  expect(again.page).toContain(`value="${fields['answer']}"`)
  expect(again.name).not.toBe(name)
  expect(await press(world, path, { order: again.name, ...fields })).toMatchObject({
    status: 303,
    location: `${BFF}/pay/${again.name}`,
  })
  const asked = await world.ask(`${path}/press`, posted({ order: name, ...fields, quantity: 1 }))
  expect(await asked.json()).toMatchObject({ status: 409, code: 'order_changed' })
})

test.each(LANGUAGES)('a link says in words that something else was chosen on a page: %s', async (lang) => {
  const { world, path } = await openLink({ ...TERMS, amounts: ['500', '1000'] })
  const name = await order(world, path, { amount: '500' })
  const headers = { origin: BFF, 'accept-language': lang }
  const { answer } = await press(world, path, { order: name, amount: '1000' }, headers)
  const { page } = await readPage(answer)
  expect(page).toMatch(/<p class="wrong">\p{L}[^<]{20,}</u)
  expect(page.includes('Something else')).toBe(lang === 'en')
})

test('a link keeps its page for the way back in the browser of the payer, and nowhere else', async () => {
  const { world, path } = await openLink()
  const { answer } = await open(world, path)
  expect(answer.headers.get('cache-control')).toBe('private, no-cache')
  expect(answer.headers.get('referrer-policy')).toBe('same-origin')
  expect(answer.headers.get('content-security-policy')).toContain(`form-action ${BFF};`)
  expect(
    (await world.ask(`/pay/${await order(world, path)}`, { headers: HTML })).headers.get('cache-control'),
  ).toBe('no-store')
})

test('a link stores nothing before the press, and starts nothing before the page of the order is pressed', async () => {
  const { world, path } = await openLink()
  const { name } = await open(world, path)
  expect((await world.ask(`/pay/${name}`)).status).toBe(404)
  await order(world, path)
  expect(world.gatewayRequests()).toEqual([])
})

test('a link is paid through the form of the order, without a script', async () => {
  const { world, path } = await openLink()
  const reference = await order(world, path)
  const fields = { return_url: `${BFF}/pay/${reference}` }
  const answer = await world.ask('/checkout/initiate', formOf(reference, fields, { ...HTML, origin: BFF }))
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toContain('/pay/')
})

test.each<[string, object, Record<string, string>, string | null]>([
  ['is the fixed one', { amounts: ['1500'] }, {}, '1500'],
  ['is the fixed one, which may be named', { amounts: ['1500'] }, { amount: '1500.00' }, '1500'],
  ['is not another than the fixed one', { amounts: ['1500'] }, { amount: '1' }, null],
  ['is one to choose from', { amounts: ['500', '1000'] }, { amount: '1000' }, '1000'],
  ['is not another', { amounts: ['500', '1000'] }, { amount: '750' }, null],
  ['has to be chosen', { amounts: ['500', '1000'] }, {}, null],
  ['is within bounds', { min_amount: '100', max_amount: '5000' }, { amount: '100' }, '100'],
  ['is not less', { min_amount: '100', max_amount: '5000' }, { amount: '99' }, null],
  ['is not more', { min_amount: '100', max_amount: '5000' }, { amount: '5001' }, null],
  ['has no fraction', { min_amount: '100', max_amount: '5000' }, { amount: '100.5' }, null],
  ['is not negative', { min_amount: '100', max_amount: '5000' }, { amount: '-100' }, null],
  ['is that of all pieces', { amounts: ['1500'], max_quantity: 5 }, { quantity: '4' }, '6000'],
  ['is of no more pieces than are sold', { amounts: ['1500'], max_quantity: 5 }, { quantity: '6' }, null],
  ['is of one piece at least', { amounts: ['1500'], max_quantity: 5 }, { quantity: '0' }, null],
  ['is of one piece by default', { amounts: ['1500'] }, { quantity: '2' }, null],
  [
    'is not of as many pieces as may be a thousand times as many',
    { amounts: ['1500'], max_quantity: 5 },
    { quantity: '2.000' },
    null,
  ],
])('the amount of an order %s', async (_, amounts, fields, amount) => {
  const { narration, currency } = TERMS
  const { world, path } = await openLink({ narration, currency, ...amounts })
  if (amount === null) {
    const { name } = await open(world, path)
    expect(await press(world, path, { order: name, ...fields })).toMatchObject({ status: 422 })
    expect((await world.initiate(name)).status).toBe(404)
    return
  }

  const view = await world.start(await order(world, path, fields))
  expect(view.amount).toBe(amount)
  const quantity = fields['quantity']
  const [body = ''] = world.gatewayBodies().filter((text) => text.includes(view.merchant_transaction_id))
  expect(body).toContain(quantity ? `"${quantity} × Entrance"` : '"Entrance"')
})

const BOUNDS = { min_amount: '100', max_amount: '5000' }
const AMOUNTS = { amounts: ['500', '1000'] }

const PIECES = { ...AMOUNTS, max_quantity: 5 }
const MONEY = 'Enter a whole number from KES 100 to KES 5,000.'
const NUMBER = 'Enter a whole number from 1 to 5.'

test.each<[string, object, Record<string, string>, RegExp, string, string]>([
  [
    'another amount',
    PIECES,
    { amount: '7', quantity: '3' },
    /"quantity".* value="3"/,
    'amount',
    'Choose an amount.',
  ],
  ['no amount', PIECES, { quantity: '3' }, /"quantity".* value="3"/, 'amount', 'Choose an amount.'],
  ['too much', BOUNDS, { amount: '5001' }, /"amount".* value="5001"/, 'amount', MONEY],
  ['no number', BOUNDS, { amount: 'ten' }, /"amount".* value="ten"/, 'amount', MONEY],
  ['no piece', PIECES, { amount: '500', quantity: '0' }, /value="500" checked/, 'quantity', NUMBER],
  ['too many pieces', PIECES, { amount: '500', quantity: '6' }, /"quantity".* value="6"/, 'quantity', NUMBER],
  [
    'no answer',
    { ...AMOUNTS, question: 'Name' },
    { amount: '500', answer: ' ' },
    /value="500" checked/,
    'answer',
    'Enter an answer of at most 100 characters.',
  ],
])(
  'a slip shows the page of the link again, with what was typed: %s',
  async (_, terms, fields, kept, field, text) => {
    const { narration, currency } = TERMS
    const { world, path } = await openLink({ narration, currency, ...terms })
    const { name } = await open(world, path)
    const { status, answer } = await press(world, path, { order: name, ...fields })
    const again = await readPage(answer)
    expect({ status, name: again.name }).toEqual({ status: 422, name })
    expect(again.page).toContain('<h1 dir="auto">Entrance</h1>')
    expect(again.page).toMatch(kept)
    expect(again.page).toContain(` aria-invalid="true" aria-describedby="wrong-${field}"`)
    expect(
      [...again.page.matchAll(/class="wrong" id="wrong-(\w+)">([^<]*)/g)].map(([, ...found]) => found),
    ).toEqual([[field, text]])
    expect((await world.initiate(name)).status).toBe(404)
    const right = { amount: '500', ...('quantity' in fields && { quantity: '1' }), answer: 'Asha' }
    expect(await press(world, path, { order: name, ...right })).toMatchObject({
      status: 303,
      location: `${BFF}/pay/${name}`,
    })
  },
)

test.each(LANGUAGES)('a slip is named in the language of the page: %s', async (lang) => {
  const { world, path } = await openLink({ ...TERMS, max_quantity: 10, question: 'Name' })
  const { name } = await open(world, path)
  const wrong = { order: name, quantity: '0', answer: 'x'.repeat(101) }
  const { answer } = await press(world, path, wrong, { origin: BFF, 'accept-language': lang })
  const { page } = await readPage(answer)
  const words = [...page.matchAll(/id="wrong-\w+">([^<]*)/g)].map(([, text]) => text)
  expect(words).toEqual([expect.stringMatching(/1\D+10/), expect.stringContaining('100')])
  expect(page).toContain(`<html lang="${lang}"`)
  expect(words.some((text) => text?.startsWith('Enter'))).toBe(lang === 'en')
})

test('a slip of a program is answered by a problem', async () => {
  const { world, path } = await openLink()
  const { name } = await open(world, path)
  const answer = await world.ask(`${path}/press`, posted({ order: name, quantity: 0 }))
  expect(await answer.json()).toMatchObject({ code: 'invalid_request', errors: [{ path: 'quantity' }] })
})

test.each([HOUR, 11 * HOUR, 13 * HOUR, DAY, 2 * DAY])(
  'a receipt stays at its address when the page that made its order is pressed again, after %d ms',
  async (wait) => {
    const { world, path } = await openLink({ ...TERMS, ...AMOUNTS })
    const name = await order(world, path, { amount: '500' })
    await pay(world, name)
    await world.later(wait)
    const { status } = await press(world, path, { order: name, amount: '500' })
    expect(status).toBe(wait < DAY ? 303 : 422)
    expect((await press(world, path, { order: name, amount: '1000' })).status).toBe(wait < DAY ? 409 : 422)
    expect(await pageOf(world, name)).toMatch(/class="paid"/)
    expect(await (await world.initiate(name)).text()).not.toContain('1000')
    await world.later(2 * DAY)
    expect(await pageOf(world, name)).toMatch(/class="paid"/)
  },
)

test('a page of more than 12 hours is replaced by a fresh one, which says why, with what was typed', async () => {
  const { world, path } = await openLink({ ...ASKING, ...AMOUNTS, max_quantity: 5 })
  const { name: late } = await open(world, path)
  await world.later(12 * HOUR - 1_000)
  const { name: inTime } = await open(world, path)
  expect(await press(world, path, { order: late, amount: '500', answer: 'Asha' })).toMatchObject({
    status: 303,
  })
  await world.later(12 * HOUR)
  const typed = { amount: '1000', quantity: '3', answer: '"Asha"' }
  const { status, answer } = await press(world, path, { order: inTime, ...typed })
  const { page, name } = await readPage(answer)
  expect(status).toBe(422)
  expect(page).toContain('<p class="wrong">This page was open for too long.')
  expect(page).toMatch(/value="1000" checked/)
  expect(page).toMatch(/name="quantity"[^>]* value="3"/)
  expect(page).toMatch(/name="answer"[^>]* value="&quot;Asha&quot;"/)
  expect(name).not.toBe(inTime)
  expect((await world.initiate(inTime)).status).toBe(404)
  expect(await press(world, path, { order: name, ...typed })).toMatchObject({
    status: 303,
    location: `${BFF}/pay/${name}`,
  })
})

test('the name of an order is refused if this server did not sign it for this link', async () => {
  const { world, path } = await openLink()
  const other = (await world.post('/links', TERMS)).body.url
  const { name } = await open(world, new URL(other).pathname)
  const forged = `link-${'0'.repeat(40)}`
  for (const given of [name, forged, 'A-1', 'link-', `${name}0`]) {
    expect(await press(world, path, { order: given })).toMatchObject({ status: 422 })
    expect((await world.initiate(given)).status).toBe(404)
  }
})

test('the name of an order is not asked of the merchant, who cannot have such a reference', async () => {
  const world = await createApiWorld()
  for (const reference of ['link-1', 'LINK-1']) {
    world.order(reference)
    expect((await world.initiate(reference)).status).toBe(404)
  }

  await world.restartWith(checkouts)
  const { status } = await world.initiate('link-1')
  expect(status).toBe(503)
  expect(world.logged.map(({ message }) => message).join()).toContain('must not begin with "link-"')
})

test('the name of an order is found where the merchant signs orders, too, and a signed order cannot have it', async () => {
  const options = { ordersFromConfig: true, env: { ORDER_SIGNING_KEY: KEY } }
  const { world, path } = await openLink(TERMS, options)
  const reference = await order(world, path)
  const view = await world.start(reference)
  expect(view.order).toBe(reference)
  await world.later(2 * DAY)
  expect(await pageOf(world, reference)).toContain('<main')
  const signing = { key: KEY, audience: BFF, issuedAt: START / 1_000 + 2 * 86_400, lifetime: 3_600 }
  const signed = await signOrder({ order: 'link-1', amount: 1, currency: 'KES', narration: 'Any' }, signing)
  expect(await (await world.initiate(signed)).json()).toMatchObject({ code: 'order_invalid' })
})

test('a server without a source of orders takes the payments of links, and knows no other order', async () => {
  const { world, path } = await openLink()
  const logged: string[] = []
  const log = { ...silentLog, warn: (_: object, message: string) => void logged.push(message) }
  const { store, timeline } = world
  const app = createApp({ config: readConfig(ENVIRONMENT), store, clock: timeline, log })
  const { name } = await open({ ask: async (...request) => app.request(...request) }, path)
  const form = { method: 'POST', headers: HTML, body: new URLSearchParams({ order: name }) }
  const pressed = await app.request(`${path}/press`, form)
  expect(pressed.headers.get('location')).toBe(`${BFF}/pay/${name}`)
  const page = await app.request(`/pay/${name}`, { headers: HTML })
  expect((await page.text()).replaceAll('\u00A0', ' ')).toContain('<p class="amount">KES 1,500</p>')
  const other = await app.request('/checkout/initiate', posted({ order: 'A-1' }, { origin: SHOP }))
  expect({ status: other.status, ...(await other.json()) }).toMatchObject({
    status: 404,
    code: 'order_unknown',
    detail: expect.stringContaining('only reusable links are paid'),
  })
  expect(logged[0]).toContain('only reusable links are paid')
})

test('the name of an order holds after the secret was replaced, while the previous one is accepted', async () => {
  const { world, path } = await openLink()
  const { name } = await open(world, path)
  const replaced = (previous: object) =>
    createApp({
      config: readConfig({ ...ENVIRONMENT, GATEWAY_CONSUMER_SECRET: 'another-secret', ...previous }),
      store: world.store,
      orders: () => null,
      clock: world.timeline,
    })
  const form = () => ({ method: 'POST', headers: HTML, body: new URLSearchParams({ order: name }) })
  expect((await replaced({}).request(`${path}/press`, form())).status).toBe(422)
  const previous = { GATEWAY_CONSUMER_SECRET_PREVIOUS: 'sandbox-secret' }
  expect((await replaced(previous).request(`${path}/press`, form())).status).toBe(303)
})

test('the name of an order starts a checkout for a day; afterwards its receipt remains', async () => {
  const { world, path } = await openLink()
  const [paid, unpaid] = [await order(world, path), await order(world, path)]
  await pay(world, paid)
  await world.later(DAY)
  await order(world, path)
  expect((await world.initiate(unpaid)).status).toBe(404)
  expect(await pageOf(world, paid)).toMatch(/class="paid"/)
})

const ANSWER = 'Wambui <Plantedi> & Sons'
const PHONE = '254700000123'

/** The answer as the merchant's backend retrieves it. */
const retrieved = async (world: World, reference: string) =>
  (await (await world.api(`/checkouts/${reference}`)).json()).link.answer

test('the merchant learns of each checkout from which link it is, and what was chosen', async () => {
  const { world, id, path } = await openLink({ ...TERMS, amounts: ['500', '1000'], max_quantity: 10 })
  const four = await order(world, path, { amount: '500', quantity: '4' })
  const two = await order(world, path, { amount: '1000.00', quantity: '2' })
  const chosen = [
    { id, amount: '500', quantity: 4 },
    { id, amount: '1000', quantity: 2 },
  ]
  const found: object[] = []
  for (const reference of [four, two]) {
    await pay(world, reference)
    found.push((await (await world.api(`/checkouts/${reference}`)).json()).link)
  }

  expect(found).toEqual(chosen)
  await world.later(HOUR)
  expect(world.delivered.map(({ data }) => data)).toMatchObject(chosen.map((link) => ({ link })))
  world.order('A-1')
  await world.start('A-1')
  expect(await (await world.api('/checkouts/A-1')).json()).toMatchObject({ link: null })
})

test('the answer to a question is asked for by the page, and required', async () => {
  const { world, path } = await openLink({ ...TERMS, question: 'Name <on> the ticket' })
  const { page, name } = await open(world, path)
  expect(page).toContain('Name &lt;on&gt; the ticket')
  for (const fields of [{}, { answer: ' ' }, { answer: 'a'.repeat(101) }]) {
    expect(await press(world, path, { order: name, ...fields })).toMatchObject({ status: 422 })
  }
})

test('the answer to a question is for the merchant, who retrieves it, and in no event, no page, no log and no request', async () => {
  const { world, path } = await openLink(ASKING)
  const reference = await order(world, path, { answer: ANSWER })
  const shown = await pageOf(world, reference)
  const view = await world.start(reference)
  expect(await retrieved(world, reference)).toBe(ANSWER)
  expect(await retrieved(world, view.checkout_id)).toBe(ANSWER)
  await world.pay(view, 'approve')
  await world.later(HOUR)
  expect(await retrieved(world, reference)).toBe(ANSWER)
  expect(world.types()).toEqual(['checkout.paid'])
  const told = [
    shown,
    await pageOf(world, reference),
    view,
    world.delivered,
    world.logged,
    world.gatewayBodies(),
  ]
  expect(JSON.stringify(told)).not.toContain('Wambui')
})

test('the answer to a question outlives a replaced secret, and nothing is sold without it', async () => {
  const { world, path } = await openLink(ASKING)
  const unstarted = await order(world, path, { answer: ANSWER })
  const started = await order(world, path, { answer: ANSWER })
  await world.start(started)
  const replaced = (previous: object) =>
    createApp({
      config: readConfig({ ...ENVIRONMENT, GATEWAY_CONSUMER_SECRET: 'another-secret', ...previous }),
      store: world.store,
      orders: () => null,
      clock: world.timeline,
    })
  const kept = replaced({ GATEWAY_CONSUMER_SECRET_PREVIOUS: 'sandbox-secret' })
  const lost = replaced({})

  const request = { headers: { authorization: `Bearer ${API_KEY}` } }
  const answerIn = async (app: typeof kept) =>
    (await (await app.request(`/api/checkouts/${started}`, request)).json()).link.answer
  expect(await answerIn(kept)).toBe(ANSWER)
  expect(await answerIn(lost)).toBeUndefined()
  expect((await kept.request(`/pay/${unstarted}`, { headers: HTML })).status).toBe(200)
  expect((await lost.request(`/pay/${unstarted}`, { headers: HTML })).status).toBe(404)
})

test('the answer to a question is the first one of a page', async () => {
  const { world, path } = await openLink(ASKING)
  const reference = await order(world, path, { answer: ANSWER })
  await press(world, path, { order: reference, answer: 'Another' })
  await world.start(reference)
  expect(await retrieved(world, reference)).toBe(ANSWER)
})

test('the answer to a question is not kept where the link asks nothing', async () => {
  const { world, path } = await openLink()
  const reference = await order(world, path, { answer: ANSWER })
  await world.start(reference)
  expect(await retrieved(world, reference)).toBeUndefined()
})

test.each([
  ['SQLite', async () => keepInSqlite()],
  ['Postgres', async () => keepInPostgres(await sharedPostgres())],
])(
  'the answer to a question is stored encrypted, and erased with the payer of the checkout, in %s',
  async (_, keep) => {
    const kept = await keep()
    const { world, path } = await openLink(ASKING, { store: kept.open() })
    const reference = await order(world, path, { answer: ANSWER })
    const view = await world.start(reference, { payer_msisdn: PHONE })
    await world.pay(view, 'approve')
    await world.later(HOUR)
    expect(foundIn(await kept.read(), ['Wambui'])).toEqual([])
    expect(await world.store.findPress('sandbox', reference)).toMatchObject({ personal: expect.any(String) })

    const env = { ...ENVIRONMENT, STORE_URL: kept.url }
    const { code, out } = await runHere(['erase', '--phone', PHONE], env)
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^Erased: 1\n/) })
    expect(await retrieved(world, reference)).toBeUndefined()
    expect(await world.store.findPress('sandbox', reference)).toMatchObject({ personal: null })
    expect((await world.rows()).map(({ personal }) => personal)).toEqual([null])
    await press(world, path, { order: reference, answer: 'Another' })
    expect(await pageOf(world, reference)).toMatch(/class="paid"/)
    expect(await world.store.findPress('sandbox', reference)).toMatchObject({ personal: null })
    await world.store.close()
  },
)

test('the answer to a question is deleted after a day if nobody starts the order', async () => {
  const { world, path } = await openLink(ASKING)
  const reference = await order(world, path, { answer: ANSWER })
  await world.later(DAY - HOUR)
  expect(await world.store.findPress('sandbox', reference)).not.toBeNull()
  await world.later(2 * HOUR)
  expect(await world.store.findPress('sandbox', reference)).toBeNull()
})

test('a press is judged by its page as the start of a checkout is', async () => {
  const { world, path } = await openLink({ ...TERMS, question: 'Name' })
  const { name } = await open(world, path)
  const from = (headers: Record<string, string>) =>
    press(world, path, { order: name, answer: 'Asha' }, headers)
  for (const origin of ['https://other.example', 'http://shop.example.other.example']) {
    const { status, answer } = await from({ origin, 'sec-fetch-site': 'cross-site' })
    expect({ status, page: (await readPage(answer)).name }).toEqual({ status: 403, page: '' })
  }

  expect((await world.initiate(name)).status).toBe(404)
  const { status, answer } = await from({ origin: 'null' })
  const again = await readPage(answer)
  expect(status).toBe(200)
  expect(again.name).toMatch(/^link-/)
  expect(again.name).not.toBe(name)
  expect(again.page).not.toContain('Asha')
  expect(answer.headers.get('referrer-policy')).toBe('same-origin')
  expect((await world.initiate(name)).status).toBe(404)
  for (const headers of [{ origin: 'null', 'sec-fetch-site': 'same-origin' }, { origin: SHOP }, {}]) {
    expect(await from(headers)).toMatchObject({ status: 303, location: `${BFF}/pay/${name}` })
  }
})

test('a link that has ended by its time, or because it was closed, is like one that never was', async () => {
  const ends_at = new Date(START + HOUR).toISOString()
  const { world, path: ended } = await openLink({ ...TERMS, ends_at })
  const { id, url } = (await world.post('/links', TERMS)).body
  const closed = new URL(url).pathname
  const names = [await order(world, ended), await order(world, closed)]
  await world.later(HOUR)
  const { status, body } = await world.post(`/links/${id}/close`)
  expect({ status, closed_at: body.closed_at }).toEqual({
    status: 200,
    closed_at: expect.stringContaining('T10:00'),
  })
  const answers = await Promise.all(
    [ended, closed, '/link/never'].map(async (path) => (await world.ask(path)).json()),
  )
  expect(answers[0]).toMatchObject({ code: 'order_unknown', status: 404 })
  expect(answers[1]).toEqual(answers[0])
  expect(answers[2]).toEqual(answers[0])
  for (const name of names) {
    expect((await world.initiate(name)).status).toBe(404)
  }
})

test.each([
  ['en', 'This link takes no more payments', 'This link does not exist'],
  ['sw', 'Kiungo hiki hakipokei malipo tena', 'Kiungo hiki hakipo'],
])('the page of a link that has ended says so, and of one that never was: %s', async (lang, gone, never) => {
  const { world, id, path } = await openLink()
  const { name } = await open(world, path)
  await world.post(`/links/${id}/close`)
  const headers = { ...HTML, 'accept-language': lang }
  const titleOf = async (address: string) => {
    const answer = await world.ask(address, { headers })
    return `${answer.status} ${/<h1>(.*)<\/h1>/.exec(await answer.text())?.[1]}`
  }

  expect(await titleOf(path)).toBe(`404 ${gone}`)
  expect(await titleOf('/link/never')).toBe(`404 ${never}`)
  const { answer } = await press(world, path, { order: name }, { origin: BFF, 'accept-language': lang })
  expect(await answer.text()).toContain(`<h1>${gone}</h1>`)
})

test('a link that has ended still shows its receipts', async () => {
  const { world, id, path } = await openLink()
  const reference = await order(world, path)
  await pay(world, reference)
  await world.post(`/links/${id}/close`)
  expect(await pageOf(world, reference)).toMatch(/class="paid"/)
})

test('a link that has ended stays closed when it is closed again', async () => {
  const { world, id } = await openLink()
  const first = (await world.post(`/links/${id}/close`)).body
  await world.later(HOUR)
  expect((await world.post(`/links/${id}/close`)).body).toEqual(first)
  expect(await world.post('/links/none/close')).toMatchObject({
    status: 404,
    body: { code: 'unknown_link' },
  })
})

test('limits on guesses of links count with those of orders', async () => {
  const { world, path } = await openLink()
  const from = { headers: { ...HTML, 'x-forwarded-for': '203.0.113.7' } }
  const app = world.replica()
  const guess = (id: string) => app.request(`/link/${id}`, from, { address: '203.0.113.7' })
  for (let index = 0; index < 30; index++) {
    expect((await guess(`guess${index}`)).status).toBe(404)
  }

  expect((await guess('guess')).status).toBe(429)
  expect((await app.request(path, from, { address: '203.0.113.7' })).status).toBe(200)
})

test('limits on orders of a link are per address, and leave the pressed ones alone', async () => {
  const { world, path } = await openLink()
  const app = world.replica()
  const at = (address: string) => ({
    ask: async (url: string, init: RequestInit = {}) => app.request(url, init, { address }),
  })
  const names: string[] = []
  for (let index = 0; index < 300; index++) {
    const { name } = await open(at('203.0.113.7'), path)
    names.push(name)
    expect((await press(at('203.0.113.7'), path, { order: name })).status).toBe(303)
  }

  const { name } = await open(at('203.0.113.7'), path)
  const refused = await press(at('203.0.113.7'), path, { order: name })
  expect({ status: refused.status, wait: refused.answer.headers.get('retry-after') }).toEqual({
    status: 429,
    wait: '3600',
  })
  expect((await press(at('203.0.113.7'), path, { order: names[0] ?? '' })).status).toBe(303)
  expect((await press(at('203.0.113.8'), path, { order: name })).status).toBe(303)
})

test('/api/links lists what was created, oldest first, as it was created', async () => {
  const world = await createApiWorld()
  const bounded = { narration: 'A gift', currency: 'KES', min_amount: '100', max_amount: '5000' }
  const created = [(await world.post('/links', TERMS)).body, (await world.post('/links', bounded)).body]
  expect(created).toMatchObject([
    { ...TERMS, closed_at: null },
    { ...bounded, closed_at: null },
  ])
  expect(created[0].url).toBe(`${BFF}/link/${created[0].id}`)
  expect((await world.get('/links')).body).toEqual({ items: created, next_cursor: null })
})

test('/api/links takes amounts in different spellings for one, which is then fixed', async () => {
  const { world, path } = await openLink({ ...TERMS, amounts: ['10', '10.00'] })
  const { page } = await open(world, path)
  expect((await world.get('/links')).body.items).toMatchObject([{ amounts: ['10'] }])
  expect(page).toContain('<p class="amount">KES 10</p>')
  expect(page).not.toContain('radio')
})

test.each<[object, number, string]>([
  [{ amounts: undefined }, 422, 'amounts'],
  [{ amounts: [] }, 422, 'amounts'],
  [{ amounts: [], min_amount: '1', max_amount: '2' }, 422, 'amounts'],
  [{ min_amount: '1' }, 422, 'amounts'],
  [{ min_amount: '1', max_amount: '2' }, 422, 'amounts'],
  [{ amounts: undefined, min_amount: '1' }, 422, 'amounts'],
  [{ amounts: undefined, min_amount: '2', max_amount: '1' }, 422, 'max_amount'],
  [{ amounts: undefined, min_amount: '1', max_amount: '2', max_quantity: 2 }, 422, 'max_quantity'],
  [{ amounts: ['0'] }, 422, 'amounts[0]'],
  [{ amounts: ['25.000'] }, 422, 'amounts[0]'],
  [{ amounts: Array(13).fill('1') }, 422, 'amounts'],
  [{ amounts: ['9007199254740992'] }, 422, 'amounts[0]'],
  [{ amounts: undefined, min_amount: '1', max_amount: '999999999999999999' }, 422, 'max_amount'],
  [{ amounts: ['9007199254741'], max_quantity: 1_000 }, 422, 'max_quantity'],
  [{ max_quantity: 0 }, 422, 'max_quantity'],
  [{ max_quantity: 1_001 }, 422, 'max_quantity'],
  [{ ends_at: 'tomorrow' }, 422, 'ends_at'],
  [{ ends_at: 'December 24, 2026 18:00' }, 422, 'ends_at'],
  [{ ends_at: '2026-12-24' }, 422, 'ends_at'],
  [{ ends_at: '2026-12-24T18:00:00' }, 422, 'ends_at'],
  [{ ends_at: '2027-02-29T18:00:00Z' }, 422, 'ends_at'],
  [{ ends_at: new Date(START).toISOString() }, 422, 'ends_at'],
  [{ narration: ' ' }, 422, 'narration'],
  [{ narration: undefined }, 422, 'narration'],
  [{ amount: '1' }, 422, 'amount'],
  [{ currency: 'UGX' }, 422, 'GATEWAY_SERVICE_CODE has no service for UGX'],
  [{ amounts: ['1.5'] }, 422, 'fraction'],
])('/api/links refuses %j', async (fields, status, named) => {
  const world = await createApiWorld({ env: { GATEWAY_SERVICE_CODE: 'KES=CHECKOUT-KES' } })
  const { body, ...answer } = await world.post('/links', { ...TERMS, ...fields })
  expect(answer.status).toBe(status)
  expect(JSON.stringify(body)).toContain(named)
  expect((await world.get('/links')).body.items).toEqual([])
})

test('/api/links needs the API key', async () => {
  const world = await createApiWorld()
  expect((await world.ask('/api/links')).status).toBe(401)
})

test('a server without links has none of it', async () => {
  const { world, path } = await openLink()
  await world.restartWith(checkouts)
  expect((await world.ask(path)).status).toBe(404)
  expect((await world.api('/links')).status).toBe(404)
})
