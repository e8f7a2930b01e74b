import { Readable } from 'node:stream'
import { expect, test } from 'vitest'

import { LEAST } from '../../support/least-config.ts'
import { localPayout } from '../../support/spec/payouts.ts'
import { CHARGE } from '../../support/worlds/chargeable.ts'
import { createTerminal } from '../../support/worlds/terminal.ts'

import type { Fetch } from '../../../server/http/exchange.ts'

const JAMMED = '254700009008'
const stuck = { ...localPayout, recipient_phone_number: JAMMED, recipient_account_number: JAMMED }
const MINUTE = 60_000
const resolve = (reference: string, says: string, ...more: string[]) =>
  ['resolve', reference, '--says', says, '--by', 'Asha', '--note', 'Ticket 4711', ...more] as const

test('resolve ends a payout that needs a person, so that its data can be erased', async () => {
  const { run, post, get, timeline } = createTerminal()
  await post('/payouts', stuck)
  await timeline.advance(10 * MINUTE)
  expect(await get('/payouts/WAGES-1')).toMatchObject({ outcome: 'needs_attention' })
  const erase = `erase --phone ${JAMMED}`
  expect(await run(erase)).toMatchObject({ code: 1, out: expect.stringContaining('(needs_attention)') })

  const out = 'Resolved: payout WAGES-1 is failed.\n'
  for (const _ of ['first', 'second']) {
    expect(await run(resolve('WAGES-1', 'not_paid'))).toEqual({ code: 0, out, err: '' })
  }

  const json = await run(resolve('WAGES-1', 'not_paid', '--json'))
  expect(JSON.parse(json.out)).toMatchObject({ outcome: 'failed', settled: true })
  expect(await run(resolve('WAGES-1', 'paid'))).toEqual({
    code: 1,
    out: '',
    err: 'It was resolved as not_paid before.\n',
  })
  const said = JSON.stringify({ says: 'not_paid', by: 'Asha', note: 'Ticket 4711' })
  expect((await run(['api', 'POST', '/api/payouts/WAGES-1/resolve', '--data', said])).code).toBe(0)
  expect((await run(erase)).out).toContain('Waiting: 1. Run the command again later.')
})

test('resolve lets the payer of a charge be erased whose answer was lost', async () => {
  const { run, post, get, timeline, fetch } = createTerminal({ GATEWAY_CHARGE_PATH: '/v1/charges' })
  const losing: Fetch = (url, init) =>
    url.endsWith('/v1/charges') ? new Response(null, { status: 503 }) : fetch(url, init)
  await post('/charges', CHARGE, { fetch: losing })
  for (const _ of ['20 s', '1 min', '3 min']) {
    await timeline.advance(2 * MINUTE)
    await get('/charges/C-1')
  }

  const erase = `erase --phone ${CHARGE.payer_msisdn}`
  expect((await run(erase)).out).toContain('the gateway has not accepted or refused it yet')
  expect((await run(resolve('C-1', 'not_paid'))).out).toBe('Resolved: charge C-1 is failed.\n')
  expect((await run(erase)).out).toContain('Erased: 1')
  expect(await run(erase)).toMatchObject({ code: 0, out: 'The store has nothing of this person.\n' })
  expect(await get('/charges/C-1')).toMatchObject({ outcome: 'failed' })
})

test('resolve takes one recipient of airtime by the phone number', async () => {
  const { run, post, timeline } = createTerminal()
  const recipients = [JAMMED, '254700000001'].map((phone_number) => ({ phone_number, amount: '10' }))
  await post('/airtime', { reference: 'T-1', recipients })
  await timeline.advance(10 * MINUTE)
  await run('api GET /api/airtime/T-1')
  expect(await run(resolve('T-1', 'paid'))).toMatchObject({
    code: 2,
    err: expect.stringContaining('Pass --phone'),
  })
  expect(await run(resolve('T-1', 'paid', '--phone', JAMMED))).toMatchObject({
    code: 0,
    out: 'Resolved: airtime T-1 is succeeded.\n',
  })
  expect((await run(resolve('T-1', 'paid', '--phone', '254700000009'))).err).toContain('phone_number')
})

test('resolve --help shows the options, and has an example', async () => {
  const { code, out } = await createTerminal().run('resolve --help')
  expect(code).toBe(0)
  for (const part of ['--says', '--by', '--note', '--phone', '--yes', 'paid, not_paid, returned']) {
    expect(out).toContain(part)
  }

  expect(out).toContain('Examples:\n  gateway-checkout-server resolve')
})

test('resolve refuses what is missing, wrong, unknown or ambiguous', async () => {
  const { run, post } = createTerminal()
  const stringMatching = (text: RegExp) => expect.stringMatching(text)
  expect(await run('resolve')).toMatchObject({ code: 2 })
  expect(await run(resolve('P-1', 'lost'))).toMatchObject({
    code: 2,
    err: stringMatching(/must be one of paid,/),
  })
  const nobody = await run('resolve P-1 --says paid --note x')
  expect(nobody).toMatchObject({ code: 2, err: stringMatching(/--by and --note/) })
  expect(await run(resolve('P-1', 'paid'))).toMatchObject({
    code: 1,
    err: stringMatching(/has this reference/),
  })
  await post('/payouts', localPayout)
  await post('/airtime', { reference: 'WAGES-1', recipients: [{ phone_number: JAMMED, amount: '10' }] })
  expect(await run(resolve('WAGES-1', 'paid'))).toMatchObject({
    code: 2,
    err: stringMatching(/payout, airtime/),
  })
})

test('in production, resolve asks first, as `api POST` does', async () => {
  const { STORE_URL: _, ...production } = LEAST
  const { run, post } = createTerminal(production)
  const fetch: Fetch = () => new Response('{}', { status: 503 })
  await post('/payouts', localPayout, { fetch, stdin: answering('y') })
  expect(await run(resolve('WAGES-1', 'paid'), { fetch })).toMatchObject({
    code: 2,
    err: expect.stringContaining('pass --yes'),
  })
  const declined = await run(resolve('WAGES-1', 'paid'), { fetch, stdin: answering('n') })
  expect(declined).toMatchObject({
    code: 1,
    err: 'Resolves payout WAGES-1 as paid in production. Go on? [y/N] Nothing was done.\n',
  })
  expect(await run(resolve('WAGES-1', 'paid', '--yes'), { fetch })).toMatchObject({
    code: 1,
    err: 'Nobody has to check it: it is sending.\n',
  })
})

function answering(line: string) {
  return Object.assign(Readable.from([`${line}\n`]), { isTTY: true })
}
